"""Iterative pre-images, all queries at once."""

from typing import NamedTuple

import numpy as np

__all__ = ["PreImages", "levenberg_marquardt"]


class PreImages(NamedTuple):
    r"""Result of an iterative pre-image search.

    Attributes
    ----------
    outputs : ndarray of shape (n_queries, d)
        The outputs found.
    losses : ndarray of shape (n_queries,)
        Their losses :math:`\|\phi(y) - h\|^2`.
    converged : ndarray of bool of shape (n_queries,)
        Whether a step no longer lowered the loss by a relevant amount.
    """

    outputs: np.ndarray
    losses: np.ndarray
    converged: np.ndarray


def levenberg_marquardt(embed, targets, start, *, max_iter=1000, tol=1e-9):
    r"""Local minimisers of :math:`\|\phi(y) - h\|^2`, one a row, by damped Gauss-Newton steps.

    Each row has its own damping, accepts only steps that lower its loss, and leaves the batch
    when it has converged: the loss never is above that of the start.

    Parameters
    ----------
    embed : callable
        Maps outputs (m, d) to their embedding (m, p) and its Jacobian (m, p, d).
    targets : ndarray of shape (n_queries, p)
        Predicted embeddings :math:`h`.
    start : ndarray of shape (n_queries, d)
        First guesses.
    max_iter : int, default=1000
        Steps at most.
    tol : float, default=1e-9
        A row has converged when a step lowers its loss by less than this fraction.

    Returns
    -------
    PreImages

    Notes
    -----
    A step takes O(p d^2 + d^3) for each remaining row.
    """
    y = start.copy()
    phi, jacobian = embed(y)
    jacobian = jacobian.copy()  # updated in place, row by row
    residual = phi - targets
    losses = np.square(residual).sum(axis=1)
    damping = np.full(len(y), 1e-3)
    converged = losses == 0
    for _ in range(max_iter):
        rows = np.flatnonzero(~converged)
        if rows.size == 0:
            break
        J, r = jacobian[rows], residual[rows]
        normal = J.transpose(0, 2, 1) @ J
        size = np.trace(normal, axis1=1, axis2=2) / normal.shape[1]
        ridge = damping[rows] * np.where(size > 0, size, 1.0)
        normal += ridge[:, None, None] * np.eye(normal.shape[1])
        gradient = (J.transpose(0, 2, 1) @ r[:, :, None])[:, :, 0]
        trial = y[rows] - np.linalg.solve(normal, gradient[:, :, None])[:, :, 0]
        phi, trial_jacobian = embed(trial)
        trial_residual = phi - targets[rows]
        trial_losses = np.square(trial_residual).sum(axis=1)

        gain = losses[rows] - trial_losses
        better = gain > 0
        # Without damping to speak of, or with nothing to gain, this is the minimum.
        small = better & (gain <= tol * losses[rows])
        stuck = ~better & (damping[rows] > 1e10)
        converged[rows] = small | stuck | (trial_losses == 0)
        damping[rows] = np.where(better, damping[rows] / 5, damping[rows] * 10)
        kept = rows[better]
        y[kept], losses[kept] = trial[better], trial_losses[better]
        residual[kept], jacobian[kept] = trial_residual[better], trial_jacobian[better]
    return PreImages(y, losses, converged)
