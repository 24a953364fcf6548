"""Iterative pre-images, of all queries at once."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class PreImages(NamedTuple):
    r"""Outputs (n_queries, d) that a search has found, and their losses :math:`\|\phi(y) - h\|^2`.

    A row has `converged` if a step no longer lowered its loss by a relevant amount.
    """

    outputs: np.ndarray
    losses: np.ndarray
    converged: np.ndarray


def squared_distance(embed: Callable, targets: NDArray) -> Callable:
    r"""The loss :math:`\|\phi(y) - h\|^2` of an embedding, as `levenberg_marquardt` takes it.

    `embed` maps outputs (m, d) to their embedding (m, p) and its Jacobian (m, p, d); `targets`
    (n_queries, p) are predicted embeddings :math:`h`. A call costs O(m p d^2).
    """

    def evaluate(y: NDArray, rows: NDArray) -> tuple[NDArray, NDArray, NDArray]:
        phi, J = embed(y)
        residual = phi - targets[rows]
        gradient = (J.transpose(0, 2, 1) @ residual[:, :, None])[:, :, 0]
        return np.square(residual).sum(axis=1), gradient, J.transpose(0, 2, 1) @ J

    return evaluate


def levenberg_marquardt(
    evaluate: Callable, start: NDArray, *, max_iter: int = 1000, tol: float = 1e-9
) -> PreImages:
    r"""Local minimisers of :math:`\|\phi(y) - h\|^2`, one per row, by damped Gauss-Newton steps.

    Each row has its own damping, accepts only steps that lower its loss, and leaves the batch
    when a step lowers it by less than the fraction `tol`: the loss never is above that of the start
    (n_queries, d). There are `max_iter` steps at most, of O(d^3) for each remaining row beside its
    evaluation.

    ``evaluate(y, rows)`` gives, for outputs (m, d) of the queries `rows` (m,), their losses (m,),
    the vectors :math:`J^\top r` (m, d) and the matrices :math:`J^\top J` (m, d, d), with the
    residual :math:`r = \phi(y) - h` and its Jacobian J.
    """
    y = start.copy()
    losses, gradients, normals = evaluate(y, np.arange(len(y)))
    damping = np.full(len(y), 1e-3)
    converged = losses == 0
    identity = np.eye(y.shape[1])
    for _ in range(max_iter):
        rows = np.flatnonzero(~converged)
        if rows.size == 0:
            break
        size = np.trace(normals[rows], axis1=1, axis2=2) / y.shape[1]
        ridge = damping[rows] * np.where(size > 0, size, 1.0)
        damped = normals[rows] + ridge[:, None, None] * identity
        trial = y[rows] - _solve(damped, gradients[rows], size)
        trial_losses, trial_gradients, trial_normals = evaluate(trial, rows)

        gain = losses[rows] - trial_losses
        better = gain > 0
        # Without damping to speak of, or with nothing to gain, this is the minimum.
        small = better & (gain <= tol * losses[rows])
        stuck = ~better & (damping[rows] > 1e10)
        converged[rows] = small | stuck | (trial_losses == 0)
        damping[rows] = np.where(better, damping[rows] / 5, damping[rows] * 10)
        kept = rows[better]
        y[kept], losses[kept] = trial[better], trial_losses[better]
        gradients[kept], normals[kept] = trial_gradients[better], trial_normals[better]
    return PreImages(y, losses, converged)


def _solve(damped: NDArray, gradients: NDArray, sizes: NDArray) -> NDArray:
    """Steps (m, d) of damped systems, whose matrices before that have these mean eigenvalues.

    Where one is singular, since some directions are roundoff beside others, it gets more damping.
    """
    try:
        return np.linalg.solve(damped, gradients[:, :, None])[:, :, 0]
    except np.linalg.LinAlgError:
        singular = np.linalg.slogdet(damped)[0] == 0
        more = np.where(singular, 1e-12 * np.where(sizes > 0, sizes, 1.0), 0.0)
        regular = damped + more[:, None, None] * np.eye(damped.shape[1])
        return np.linalg.solve(regular, gradients[:, :, None])[:, :, 0]


def search_from_starts(
    evaluate: Callable, starts: NDArray, roundoff: NDArray | float = 0.0, **options: float
) -> PreImages:
    """The best of the local minimisers reached from several starts, query by query.

    The starts (n_starts, n_queries, d) are improved together, by `levenberg_marquardt`, which has
    the options. `roundoff` (n_queries,) are losses that are zero up to roundoff: the first start
    that reaches one is the best.
    """
    n_starts, n_queries, d = starts.shape

    def evaluate_all(y: NDArray, rows: NDArray) -> tuple[NDArray, NDArray, NDArray]:
        return evaluate(y, rows % n_queries)

    results = levenberg_marquardt(evaluate_all, starts.reshape(-1, d), **options)
    losses = results.losses.reshape(n_starts, n_queries)
    losses = np.where(losses <= roundoff, 0.0, losses)
    best = losses.argmin(axis=0) * n_queries + np.arange(n_queries)
    return PreImages(results.outputs[best], results.losses[best], results.converged[best])
