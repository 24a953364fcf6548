"""Weights of samples, and the decomposition of a weighted kernel matrix or of features."""

from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from scipy.linalg import eigh
from scipy.linalg.lapack import dpotrf, dpotrs, dtrtri

from ofer.utils.memory import row_batches
from ofer.utils.products import quiet
from ofer.utils.typing import Matrix, MatrixLike
from ofer.utils.validation import check_weights
from ofer.utils.warning import warn

SMALL = 1000  # rows of a matrix whose copies do not matter


class Samples(NamedTuple):
    """Weights (n_samples,), and what belongs to the samples whose weight is positive."""

    weights: np.ndarray
    rows: np.ndarray  # their places
    roots: np.ndarray  # of their weights
    shares: np.ndarray  # in the mean that an intercept takes off; zero without one

    def weighted(self, kept: NDArray) -> NDArray:
        """Coefficients of all samples, from what has yet to be multiplied, in place, by roots."""
        if (self.roots != 1.0).any():
            kept *= self.roots[:, None]
        if len(kept) == len(self.weights):
            return kept
        full = np.zeros((len(self.weights), *kept.shape[1:]))
        full[self.rows] = kept
        return full

    def filled(self, kept: NDArray, shape: tuple[int, ...]) -> NDArray:
        """Results of the samples of positive weight among those of all, which are NaN."""
        full = np.full(shape, np.nan)
        full[self.rows] = kept.reshape(-1, *full.shape[1:])
        return full


def weigh(sample_weight: ArrayLike | None, X: MatrixLike, fit_intercept: bool) -> Samples:
    """Check the weights of the rows of X."""
    weights = check_weights(1.0 if sample_weight is None else sample_weight, X)
    rows = np.flatnonzero(weights)
    if len(rows) < 2:
        raise ValueError(f"sample_weight must be positive for at least 2 samples; got {len(rows)}.")
    kept = weights[rows]
    shares = kept / kept.sum() if fit_intercept else np.zeros(len(kept))
    return Samples(weights, rows, np.sqrt(kept), shares)


class Eigenbasis(NamedTuple):
    """Eigenvalues (rank,) of a weighted kernel, ascending, and their vectors (n, rank).

    The roundoff is what is noise in the values. Where they are zero, and the ridge parameter too
    small for the noise to be damped, a solution has no part: in exact arithmetic it would not show.
    """

    values: np.ndarray
    vectors: np.ndarray
    roundoff: float

    def inverse(self, alpha: NDArray | float) -> NDArray:
        """Factors (rank, 1 or m) that take coordinates of targets to a solution's."""
        if np.min(alpha) < 1e4 * self.roundoff:
            warn(
                f"the ridge {np.min(alpha):.3g} is at the level of the roundoff of the kernel, "
                f"{self.roundoff:.3g}, and what leave-one-out promises may not hold. Centre or "
                "scale the inputs, or give larger alphas.",
            )
        inverse = 1.0 / (self.values[:, None] + alpha)
        inverse[(self.values[:, None] == 0) & (alpha < 1e4 * self.roundoff)] = 0.0
        return inverse

    def solve(self, B: NDArray, inverse: NDArray) -> NDArray:
        """The inverse times B (n, m), from its eigenvalues (rank, 1 or m)."""
        return self.vectors @ (self.vectors.T @ B * inverse)


class CholeskyBasis:
    """Cholesky factor for one ridge parameter, with values of zero, and vectors made on demand.

    The factor L is that of the kernel plus the ridge parameter, on the complement that a
    reflection, I - 2 v v', takes to all axes but the first; without an intercept v is None.
    """

    roundoff = 0.0

    def __init__(self, lower: NDArray, v: NDArray | None, alpha: float):
        self.lower, self.v, self.alpha = lower, v, alpha
        self.values = np.zeros(len(lower))

    @cached_property
    @quiet
    def vectors(self) -> NDArray:
        """V (n, rank), not orthonormal, with ``V V' = alpha G``."""
        triangle = np.triu(self.lower.T).T  # in the order of LAPACK, which then makes no copy
        root, _ = dtrtri(triangle, lower=True, overwrite_c=True)
        return _reflect_back(self.v, np.sqrt(self.alpha) * root.T)

    def inverse(self, alpha: NDArray | float) -> NDArray:
        """Numbers ``1 / (value + alpha)``, as of an eigenbasis."""
        return 1.0 / (self.values[:, None] + alpha)

    def solve(self, B: NDArray, inverse: NDArray) -> NDArray:
        """The inverse G times B (n, m), in O(n^2 m) time and, by columns, in the place of B."""
        if self.v is None:
            return dpotrs(self.lower, B, lower=True, overwrite_b=True)[0]
        turned = B[1:] - np.outer(2.0 * self.v[1:], self.v @ B)
        return _reflect_back(self.v, dpotrs(self.lower, turned, lower=True, overwrite_b=True)[0])


Basis = Eigenbasis | CholeskyBasis


def decompose(K, root_weights, fit_intercept, alpha=None, semidefinite=False):
    """Basis of the weighted kernel on the space that the intercept leaves.

    K (n, n) is symmetric, positive semi-definite and overwritten; `root_weights` (n,) are the roots
    s of the positive weights. With an intercept the vectors (n, rank) are orthogonal to s and the
    rank is n - 1, otherwise n. The values (rank,) ascend; none is negative, and those below the
    roundoff of K are zero. At most three matrices of the size of K are there at once, K among them.
    If only one ridge parameter `alpha` matters, the basis is a Cholesky factor where that is safe;
    K that is known to be `semidefinite` is not looked into first.
    """
    s = root_weights
    if (s != 1.0).any():
        K *= s[:, None]
        K *= s
    size = np.abs(np.diag(K)).max()
    K, v = _reflect(K, s) if fit_intercept else (K, None)
    # In exact arithmetic any ridge parameter would do; roundoff needs one above it, of which no
    # eigenbasis would warn: its largest eigenvalue is no more than the trace.
    least = len(K) * max(1e-9 * size, 1e4 * np.finfo(float).eps * np.trace(K))
    if alpha is not None and alpha >= least:
        lower = _cholesky(K, alpha, None if semidefinite else 1e-8 * size)
        if lower is not None:
            return CholeskyBasis(lower, v, alpha)
    basis = _diagonalise(K, size)
    return basis._replace(vectors=_reflect_back(v, basis.vectors))


def _reflect(K: NDArray, s: NDArray) -> tuple[NDArray, NDArray]:
    """K (n, n) on the complement of s, in the place of K, and the reflection's vector v (n,).

    A Householder reflection takes s to the first axis; what is left is the complement of s,
    exactly, where subtracting the mean from K would leave a null vector lost in roundoff.
    """
    v = s / np.linalg.norm(s)
    v[0] += 1.0
    v /= np.linalg.norm(v)
    Kv = K @ v
    Kv -= (v @ Kv) * v
    update = np.outer(-2.0 * v, Kv)
    K += update
    K += update.T
    del update
    n = len(K) - 1
    rest = K.reshape(-1)[: n * n].reshape(n, n)  # the rows move up in the place of K
    rest[...] = K[1:, 1:]
    return rest, v


def _reflect_back(v: NDArray | None, rotated: NDArray) -> NDArray:
    """Vectors on the complement (n - 1, m) on all axes (n, m) again; v is None without one."""
    if v is None:
        return rotated
    vectors = np.outer(-2.0 * v, v[1:] @ rotated)
    vectors[1:] += rotated
    return vectors


def _diagonalise(A: NDArray, size: float) -> Eigenbasis:
    """Eigenbasis of A (n, n), in the place of A if it is large.

    `size` is the largest diagonal entry of the kernel before centring, which may leave nothing.
    """
    # numpy's eigh is better where it is possible: scipy brings its own BLAS, and threads of one
    # that has just been used are in the way of the other.
    if len(A) < SMALL:
        values, vectors = np.linalg.eigh(A)
    else:
        values, vectors = eigh(A.T, driver="evd", overwrite_a=True, check_finite=False)
    largest = max(size, values[-1])
    roundoff = len(A) * np.finfo(float).eps * largest
    if values[0] < -1e-8 * largest:
        warn(
            f"the kernel is not positive semi-definite (smallest eigenvalue {values[0]:.3g}, "
            f"largest {values[-1]:.3g}); its negative eigenvalues are set to zero and the "
            "leave-one-out errors are approximate. Use a positive semi-definite kernel.",
        )
    return Eigenbasis(np.where(values > roundoff, values, 0.0), vectors, roundoff)


def _cholesky(A: NDArray, alpha: float, slack: float | None) -> NDArray | None:
    """Lower factor of A + alpha I (n, n) in the place of A, or None with A as it was.

    None too if A plus the slack has no factor, that is, is not positive semi-definite.
    """
    if slack is not None:
        shifted = A.copy()
        shifted.reshape(-1)[:: len(A) + 1] += slack
        if dpotrf(shifted.T, lower=True, overwrite_a=True)[1]:
            return None
    diagonal = np.diag(A).copy()
    A.reshape(-1)[:: len(A) + 1] += alpha
    # The other triangle stays as it is, and so does what it needs to start again.
    lower, failed = dpotrf(A.T, lower=True, clean=False, overwrite_a=True)
    if failed:
        A[...] = np.tril(A, -1) + np.tril(A, -1).T
        A.reshape(-1)[:: len(A) + 1] = diagonal
    return None if failed else lower


class CentredFeatures:
    """Features of the samples of positive weight, around their mean if there is an intercept.

    They are made dense batch by batch: ``self[rows]`` is an array (n_rows, d).
    """

    def __init__(self, X: Matrix, samples: Samples, fit_intercept: bool):
        self.X, self.samples = X, samples
        self.origin = self.shift = np.zeros(X.shape[1])
        if fit_intercept:
            if not sparse.issparse(X):  # the mean of numbers far from zero has few digits
                self.origin = X[samples.rows[0]]
            batches = row_batches(len(samples.rows), X.shape[1])
            self.shift = sum(samples.shares[rows] @ self[rows] for rows in batches)
        self.mean = self.origin + self.shift

    def __getitem__(self, rows: slice) -> NDArray:
        features = self.X[self.samples.rows[rows]]
        features = (features.toarray() if sparse.issparse(features) else features) - self.origin
        features -= self.shift
        return features

    def decompose(self) -> tuple[Eigenbasis, NDArray]:
        """Eigenbasis of the weighted Gram matrix, with coordinates (n, d) as vectors, and loadings.

        O(n d^2) time, in the memory of the coordinates (n, d).
        """
        roots, d = self.samples.roots[:, None], self.X.shape[1]
        gram, coordinates = np.zeros((d, d)), np.empty((len(roots), d))
        for rows in row_batches(*coordinates.shape):
            features = roots[rows] * self[rows]
            gram += features.T @ features
        values, loadings = np.linalg.eigh(gram)
        roundoff = d * np.finfo(float).eps * values[-1]
        values = np.where(values > roundoff, values, 0.0)
        loadings[:, values == 0] = 0.0  # noise is all that lies along these
        for rows in row_batches(*coordinates.shape):
            coordinates[rows] = roots[rows] * (self[rows] @ loadings)
        return Eigenbasis(values, coordinates, roundoff), loadings
