"""The slow search for a pre-image that others are compared with."""

import numpy as np

from ofer.embeddings.preimage import PreImages

__all__ = ["gradient_descent"]


def gradient_descent(objective, start, *, max_iter=1000, tol=1e-9):
    r"""Local minimiser for a single query by plain gradient descent.

    Nothing decodes with it; it is the kind of search that others are compared with. A step goes
    against the gradient. Its length doubles after a success and is halved until the loss falls
    by at least a ten-thousandth of what the slope promises (Armijo's rule).
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
