"""Linear algebra of the four covariance types, one free function per task.

Precisions have scikit-learn's shapes: spherical (C,), diag (C, d), tied (d, d), full (C, d, d), for
C components in d dimensions.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve

from ofer.utils.memory import row_batches
from ofer.utils.products import quiet


def precision_times(residuals: NDArray, precisions: NDArray, covariance_type: str) -> NDArray:
    """Each component's precision times its residuals, (n, C, d) to (n, C, d).

    O(n C d) for spherical and diag, O(n C d^2) for tied and full.
    """
    if covariance_type in ("spherical", "diag"):
        return residuals * precisions.reshape(len(precisions), -1)
    if covariance_type == "tied":
        return residuals @ precisions
    # A batch of products (n, d) x (d, d), one per component.
    return np.matmul(residuals.transpose(1, 0, 2), precisions).transpose(1, 0, 2)


@quiet
def full_precisions(
    precisions: NDArray, covariance_type: str, n_components: int, n_features: int
) -> NDArray:
    """Precision matrices of a mixture, of any covariance type.

    Parameters
    ----------
    precisions : ndarray of shape (C,), (C, d), (d, d) or (C, d, d)
        As `covariance_type` has them.
    covariance_type : {"spherical", "diag", "tied", "full"}
        Their form.
    n_components, n_features : int
        C and d.

    Returns
    -------
    ndarray of shape (C, d, d)
    """
    if covariance_type in ("spherical", "diag"):
        return precisions.reshape(n_components, -1, 1) * np.eye(n_features)
    if covariance_type == "tied":
        return np.broadcast_to(precisions, (n_components, n_features, n_features))
    return precisions


def precision_matrix_sum(
    weights: NDArray, precisions: NDArray, covariance_type: str, n_features: int
) -> NDArray:
    """Weighted sums of the precisions, (n, C) to (n, d, d)."""
    n_components = weights.shape[1]
    matrices = full_precisions(precisions, covariance_type, n_components, n_features)
    return np.tensordot(weights, matrices, axes=1)


def solve_precision_sum(
    weights: NDArray, precisions: NDArray, covariance_type: str, right: NDArray
) -> NDArray:
    """Solve ``(sum_j weights_ij Sigma_j^-1) y_i = right_i`` for every row i.

    The weights are (n, C), the right-hand sides (n, d), and so are the solutions, NaN where the
    matrix is singular. O(n C d) for spherical and diag, O(n d^2) for tied, O(n (C d^2 + d^3)) for
    full.
    """
    solution = np.full(right.shape, np.nan)
    if covariance_type == "full":
        # In pieces: a batch of (d, d) matrices is large.
        for rows in row_batches(len(right), right.shape[1] ** 2):
            A = precision_matrix_sum(weights[rows], precisions, "full", right.shape[1])
            regular = np.linalg.slogdet(A)[0] != 0
            inside = np.arange(len(right))[rows][regular]
            solution[inside] = np.linalg.solve(A[regular], right[inside, :, None])[:, :, 0]
        return solution
    if covariance_type == "tied":
        right = cho_solve(cho_factor(precisions), right.T).T
        divisor = weights.sum(axis=1, keepdims=True)
    else:
        divisor = weights @ precisions.reshape(len(precisions), -1)
    divisor = np.broadcast_to(divisor, right.shape)
    regular = (divisor != 0).all(axis=1)
    solution[regular] = right[regular] / divisor[regular]
    return solution
