"""Weights of samples, and the eigendecomposition of a weighted kernel matrix."""

import warnings
from typing import NamedTuple

import numpy as np
from sklearn.utils.validation import _check_sample_weight

__all__ = ["Samples", "decompose", "weigh"]


class Samples(NamedTuple):
    """Weights (n_samples,), and what belongs to the samples whose weight is positive."""

    weights: np.ndarray
    rows: np.ndarray  # their places
    roots: np.ndarray  # of their weights
    shares: np.ndarray  # in the mean that an intercept takes off; zero without one


def weigh(sample_weight, X, fit_intercept):
    """Check the weights of the rows of X."""
    weights = _check_sample_weight(sample_weight, X, dtype=np.float64)
    if (weights < 0).any():
        raise ValueError(f"sample_weight must not be negative; got {weights.min()}.")
    rows = np.flatnonzero(weights)
    if len(rows) < 2:
        raise ValueError(f"sample_weight must be positive for at least 2 samples; got {len(rows)}.")
    kept = weights[rows]
    shares = kept / kept.sum() if fit_intercept else np.zeros(len(kept))
    return Samples(weights, rows, np.sqrt(kept), shares)


def decompose(K, root_weights, fit_intercept):
    """Eigenvalues and vectors of the weighted kernel on the space that the intercept leaves.

    K (n, n) is symmetric and positive semi-definite, and is not changed; `root_weights` (n,) are
    the roots s of the positive weights. With an intercept the vectors (n, rank) are orthogonal to s
    and the rank is n - 1, otherwise n. The values (rank,) ascend; none is negative.
    """
    # numpy's eigh, not scipy's: each brings its own BLAS, and the threads of one that has just
    # been used are in the way of the other.
    s = root_weights
    A = K * np.outer(s, s)
    size = np.abs(np.diag(A)).max()
    if not fit_intercept:
        values, vectors = np.linalg.eigh(A)
        return _without_roundoff(values, size), vectors

    # A Householder reflection takes s to the first axis; what is left is the complement of s,
    # exactly, where subtracting the mean from K would leave a null vector lost in roundoff.
    v = s / np.linalg.norm(s)
    v[0] += 1.0
    v /= np.linalg.norm(v)
    Av = A @ v
    Av -= (v @ Av) * v
    update = np.outer(-2.0 * v, Av)
    A += update
    A += update.T
    values, rotated = np.linalg.eigh(A[1:, 1:])
    vectors = np.outer(-2.0 * v, v[1:] @ rotated)
    vectors[1:] += rotated
    return _without_roundoff(values, size), vectors


def _without_roundoff(values, size):
    """Set eigenvalues at the level of roundoff, and negative ones, to zero.

    `size` is the largest diagonal entry of the kernel before centring, which may leave nothing.
    """
    roundoff = len(values) * np.finfo(float).eps * max(size, values[-1])
    if values[0] < -1e-8 * max(size, values[-1]):
        warnings.warn(
            f"the kernel is not positive semi-definite (smallest eigenvalue {values[0]:.3g}, "
            f"largest {values[-1]:.3g}); its negative eigenvalues are set to zero and the "
            "leave-one-out errors are approximate. Use a positive semi-definite kernel.",
            UserWarning,
            stacklevel=4,
        )
    return np.where(values > roundoff, values, 0.0)
