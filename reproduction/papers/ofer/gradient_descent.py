"""The slow search for a pre-image that others are compared with."""

import numpy as np

from ofer.embeddings.preimage import PreImages

__all__ = ["gradient_descent"]


def gradient_descent(objective, start, *, max_iter=1000, tol=1e-9):
    r"""Local minimiser for a single query by plain gradient descent.

    Nothing decodes with it; it is the kind of search that others are compared with. A step goes
    against the gradient. Its length doubles after a success and is halved until the loss falls
    by at least a ten-thousandth of what the slope promises (Armijo's rule).

    Parameters
    ----------
    objective : callable
        ``objective(y)`` gives the loss of an output (d,), a float, and its gradient (d,).
    start : ndarray of shape (d,)
        First guess.
    max_iter : int, default=1000
        Steps at most.
    tol : float, default=1e-9
        The search has converged when a step lowers the loss by no more than this fraction.

    Returns
    -------
    PreImages
        Of one row. The loss never is above that of the start.
    """
    y, length, converged = start, 1.0, False
    loss, gradient = objective(y)
    for _ in range(max_iter):
        slope = gradient @ gradient
        while True:
            trial = y - length * gradient
            trial_loss, trial_gradient = objective(trial)
            # A step too short to matter gets here too, with nothing gained.
            if trial_loss <= loss - 1e-4 * length * slope:
                break
            length /= 2
        converged = loss - trial_loss <= tol * loss
        y, loss, gradient = trial, trial_loss, trial_gradient
        if converged:
            break
        length *= 2
    return PreImages(y[None], np.array([loss]), np.array([converged]))
