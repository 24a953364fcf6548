"""Maxima of smooth functions, one per row, all rows at once."""

import numpy as np

MEMORY = 10  # steps that the model of the curvature remembers
ROUNDOFF = 1e-15  # a gain that cannot be told from none, for values of order one


def ascend(objective, starts, *, max_iter=500, tol=ROUNDOFF, bounds=None, first=None):
    """Local maximisers by limited-memory BFGS, with a search of its own for each row.

    The rows share nothing but the calls of the objective: one call serves all of them, and a row
    leaves when its next step promises no more than `tol`, by default nothing beyond roundoff. A
    step is taken only if it raises the row's value, and halved otherwise; so no row ends below its
    start. In a box, steps end at its faces, and coordinates that a gradient would press against a
    face stay there.

    ``objective(points, rows)`` returns the values (m,) and gradients (m, d) of the functions of
    these rows at these points (m, d). Values should be of order one, and curvatures at most two,
    for which the first step is right. It is called for the starts (n_rows, d), unless `first` has
    what it returns for them, and at most `max_iter` times more. `bounds` are the lower and upper
    ends (d,) of a box around the starts. Returns (n_rows, d). A call costs O(n_rows d) time and
    memory besides the objective.
    """
    points, rows = starts.copy(), np.arange(len(starts))
    values, gradients = objective(points, rows) if first is None else map(np.copy, first)
    history = np.empty((2, 0, *starts.shape))  # of steps, and of the falls of the gradient
    directions, lengths = _directions(points, gradients, history, bounds), np.ones(len(rows))
    for _ in range(max_iter):
        steps = lengths[:, None] * directions
        trials = points[rows] + steps
        if bounds is not None:
            trials = np.clip(trials, *bounds)
            steps = trials - points[rows]
        promised = np.vecdot(steps, gradients[rows])
        going = promised > tol
        rows, promised, history = rows[going], promised[going], history[:, :, going]
        directions, lengths = directions[going], lengths[going]
        trials, steps = trials[going], steps[going]
        if rows.size == 0:
            break
        trial_values, trial_gradients = objective(trials, rows)
        better = trial_values - values[rows] > 1e-4 * promised
        # A step not taken is remembered as zeros, which change nothing.
        news = np.where(better[:, None], [steps, gradients[rows] - trial_gradients], 0.0)
        history = np.concatenate([history[:, 1 - MEMORY :], news[:, None]], axis=1)
        taken = rows[better]
        points[taken], values[taken] = trials[better], trial_values[better]
        gradients[taken] = trial_gradients[better]
        lengths = np.where(better, 1.0, lengths / 2)
        directions[better] = _directions(
            points[taken], gradients[taken], history[:, :, better], bounds
        )
    return points


def _directions(points, gradients, history, bounds):
    """Search directions from points (m, d), inside the box if there is one."""
    if bounds is None:
        return _quasi_newton(gradients, *history)
    low, high = points <= bounds[0], points >= bounds[1]
    free = ~((low & (gradients < 0)) | (high & (gradients > 0)))
    uphill = np.where(free, gradients, 0.0)
    # Curvature is wanted along the free coordinates: pairs that lie in them alone have it.
    directions = np.where(free, _quasi_newton(uphill, *(history * free)), 0.0)
    # If faces in the way take most of what the direction promises, the gradient itself is safer.
    moves = np.clip(points + directions, *bounds) - points
    promised = np.vecdot(directions, uphill)
    kept = np.vecdot(moves, uphill) > 0.1 * promised
    return np.where(kept[:, None], directions, uphill / 2)


def _quasi_newton(gradients, steps, falls):
    """Inverse curvature times gradient by the two-loop recursion, arrays of (memory, m, d)."""
    products = np.vecdot(steps, falls)
    squares = np.vecdot(falls, falls)
    # Where the function curves upwards a pair says nothing about a maximum.
    curved = products > 1e-10 * squares
    inverses = np.divide(1.0, products, out=np.zeros_like(products), where=curved)
    directions = gradients.copy()
    coefficients = []
    for step, fall, inverse in zip(steps[::-1], falls[::-1], inverses[::-1], strict=True):
        coefficients.append(inverse * np.vecdot(step, directions))
        directions -= coefficients[-1][:, None] * fall
    scale = np.full(len(gradients), 0.5)
    for use, product, square in zip(curved, products, squares, strict=True):
        np.divide(product, square, out=scale, where=use)
    directions *= scale[:, None]
    for step, fall, inverse in zip(steps, falls, inverses, strict=True):
        correction = coefficients.pop() - inverse * np.vecdot(fall, directions)
        directions += correction[:, None] * step
    return directions
