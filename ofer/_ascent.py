"""Maxima of smooth functions, one a row, all rows at once."""

import numpy as np

__all__ = ["ascend"]

MEMORY = 10  # steps that the model of the curvature remembers
ROUNDOFF = 1e-15  # a gain that cannot be told from none, for values of order one


def ascend(objective, starts, *, max_iter=500):
    """Local maximisers by limited-memory BFGS, a search of its own for each row.

    The rows share nothing but the calls of the objective: one call serves all of them, and a row
    leaves when its next step promises nothing beyond roundoff. A step is taken only if it raises
    the row's value, and halved otherwise; so no row ends below its start.

    Parameters
    ----------
    objective : callable
        ``objective(points, rows)`` returns the values (m,) and gradients (m, d) of the functions
        of these rows at these points (m, d). Values should be of order one, and curvatures at
        most two, for which the first step is right.
    starts : ndarray of shape (n_rows, d)
        First points.
    max_iter : int, default=500
        Calls of the objective at most, after the first.

    Returns
    -------
    ndarray of shape (n_rows, d)

    Notes
    -----
    A call costs O(n_rows d) time besides the objective, and as much memory.
    """
    points, rows = starts.copy(), np.arange(len(starts))
    values, gradients = objective(points, rows)
    directions, lengths = gradients / 2, np.ones(len(rows))
    history = np.empty((2, 0, *starts.shape))  # of steps, and of the falls of the gradient
    for _ in range(max_iter):
        promised = lengths * np.einsum("ij,ij->i", directions, gradients[rows])
        going = promised > ROUNDOFF
        rows, promised, history = rows[going], promised[going], history[:, :, going]
        directions, lengths = directions[going], lengths[going]
        if rows.size == 0:
            break
        steps = lengths[:, None] * directions
        trials = points[rows] + steps
        trial_values, trial_gradients = objective(trials, rows)
        better = trial_values - values[rows] > 1e-4 * promised
        # A step not taken is remembered as zeros, which change nothing.
        news = np.where(better[:, None], [steps, gradients[rows] - trial_gradients], 0.0)
        history = np.concatenate([history[:, 1 - MEMORY :], news[:, None]], axis=1)
        taken = rows[better]
        points[taken], values[taken] = trials[better], trial_values[better]
        gradients[taken] = trial_gradients[better]
        lengths = np.where(better, 1.0, lengths / 2)
        directions[better] = _quasi_newton(gradients[taken], *history[:, :, better])
    return points


def _quasi_newton(gradients, steps, falls):
    """Inverse curvature times gradient by the two-loop recursion, arrays of (memory, m, d)."""
    products = np.einsum("kij,kij->ki", steps, falls)
    squares = np.einsum("kij,kij->ki", falls, falls)
    # Where the function curves upwards a pair says nothing about a maximum.
    curved = products > 1e-10 * squares
    inverses = np.divide(1.0, products, out=np.zeros_like(products), where=curved)
    directions = gradients.copy()
    coefficients = []
    for step, fall, inverse in zip(steps[::-1], falls[::-1], inverses[::-1], strict=True):
        coefficients.append(inverse * np.einsum("ij,ij->i", step, directions))
        directions -= coefficients[-1][:, None] * fall
    scale = np.full(len(gradients), 0.5)
    for use, product, square in zip(curved, products, squares, strict=True):
        np.divide(product, square, out=scale, where=use)
    directions *= scale[:, None]
    for step, fall, inverse in zip(steps, falls, inverses, strict=True):
        correction = coefficients.pop() - inverse * np.einsum("ij,ij->i", fall, directions)
        directions += correction[:, None] * step
    return directions
