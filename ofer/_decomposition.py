"""Weights of samples, the eigendecomposition of a weighted kernel matrix, and several of them."""

import warnings
from typing import NamedTuple

import numpy as np
from scipy import sparse
from scipy.linalg import eigh
from scipy.linalg.lapack import dpotrf, dtrtri
from sklearn.utils import gen_batches
from sklearn.utils.validation import _check_sample_weight

__all__ = [
    "BLOCK",
    "CentredFeatures",
    "Samples",
    "SystemsByPattern",
    "decompose",
    "row_blocks",
    "weigh",
]

BLOCK = 2**20  # numbers of a temporary array, 8 MB
SMALL = 1000  # rows of a matrix whose copies do not matter


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


def decompose(K, root_weights, fit_intercept, alpha=None):
    """Eigenvalues and vectors of the weighted kernel on the space that the intercept leaves.

    K (n, n) is symmetric, positive semi-definite and overwritten; `root_weights` (n,) are the
    roots s of the positive weights. With an intercept the vectors (n, rank) are orthogonal to s and
    the rank is n - 1, otherwise n. The values (rank,) ascend; none is negative, and those below the
    roundoff of K, which is returned as well, are zero. At most three matrices of the size of K are
    there at once, K among them. If one ridge `alpha` is all that matters, values of zero and
    vectors that are not orthonormal may stand for them, from a Cholesky factor.
    """
    s = root_weights
    if (s != 1.0).any():
        K *= s[:, None]
        K *= s
    size = np.abs(np.diag(K)).max()
    if not fit_intercept:
        return _factorise(K, size, alpha)

    # A Householder reflection takes s to the first axis; what is left is the complement of s,
    # exactly, where subtracting the mean from K would leave a null vector lost in roundoff.
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
    values, roundoff, rotated = _factorise(rest, size, alpha)
    vectors = np.outer(-2.0 * v, v[1:] @ rotated)
    vectors[1:] += rotated
    return values, roundoff, vectors


def _factorise(A, size, alpha):
    """Eigenvalues of A (n, n), their roundoff and vectors, in the place of A if it is large.

    `size` is the largest diagonal entry of the kernel before centring, which may leave nothing.
    """
    # numpy's eigh where that is possible: scipy brings a BLAS of its own, and the threads of one
    # that has just been used are in the way of the other.
    if len(A) < SMALL:
        values, vectors = np.linalg.eigh(A)
    elif (vectors := _inverse_root(A, size, alpha)) is not None:
        return np.zeros(len(A)), 0.0, vectors
    else:
        values, vectors = eigh(A.T, driver="evd", overwrite_a=True, check_finite=False)
    largest = max(size, values[-1])
    roundoff = len(A) * np.finfo(float).eps * largest
    if values[0] < -1e-8 * largest:
        warnings.warn(
            f"the kernel is not positive semi-definite (smallest eigenvalue {values[0]:.3g}, "
            f"largest {values[-1]:.3g}); its negative eigenvalues are set to zero and the "
            "leave-one-out errors are approximate. Use a positive semi-definite kernel.",
            UserWarning,
            stacklevel=5,
        )
    return np.where(values > roundoff, values, 0.0), roundoff, vectors


def _inverse_root(A, size, alpha):
    """Matrix V (n, n) with ``V V' = alpha (A + alpha I)^-1``, or None if A has to be looked into.

    In exact arithmetic any ridge would do; roundoff wants one above it, and an A that is positive
    semi-definite.
    """
    if alpha is None or alpha < 1e-9 * len(A) * size:
        return None
    for shift in (1e-8 * size, alpha):
        shifted = A.copy()
        shifted.reshape(-1)[:: len(A) + 1] += shift
        lower, failed = dpotrf(shifted.T, lower=True, overwrite_a=True)
        if failed:
            return None
    return np.sqrt(alpha) * dtrtri(lower, lower=True, overwrite_c=True)[0].T


class CentredFeatures:
    """Features of the samples of positive weight, around their mean if there is an intercept.

    They are made dense block by block: ``self[rows]`` is an array (n_rows, d).
    """

    def __init__(self, X, samples, fit_intercept):
        self.X, self.samples = X, samples
        self.origin = self.shift = np.zeros(X.shape[1])
        if fit_intercept:
            if not sparse.issparse(X):  # the mean of numbers far from zero has few digits
                self.origin = X[samples.rows[0]]
            blocks = row_blocks(len(samples.rows), X.shape[1])
            self.shift = sum(samples.shares[rows] @ self[rows] for rows in blocks)
        self.mean = self.origin + self.shift

    def __getitem__(self, rows):
        part = self.X[self.samples.rows[rows]]
        part = (part.toarray() if sparse.issparse(part) else part) - self.origin
        part -= self.shift
        return part

    def decompose(self):
        """Eigenvalues (d,) of the weighted Gram matrix, its roundoff, coordinates and loadings.

        O(n d^2) time, in the memory of the coordinates (n, d).
        """
        roots, d = self.samples.roots[:, None], self.X.shape[1]
        gram, coordinates = np.zeros((d, d)), np.empty((len(roots), d))
        for rows in row_blocks(*coordinates.shape):
            features = roots[rows] * self[rows]
            gram += features.T @ features
        values, loadings = np.linalg.eigh(gram)
        roundoff = d * np.finfo(float).eps * values[-1]
        values = np.where(values > roundoff, values, 0.0)
        loadings[:, values == 0] = 0.0  # noise is all that lies along these
        for rows in row_blocks(*coordinates.shape):
            coordinates[rows] = roots[rows] * (self[rows] @ loadings)
        return values, roundoff, coordinates, loadings


def row_blocks(n_rows, n_columns):
    """Slices of the rows of a matrix, each of some MB."""
    return gen_batches(n_rows, max(64, BLOCK // n_columns))


class SystemsByPattern:
    """One decomposition for each set of observed samples, made when it is asked for, and kept.

    ``decompose(sample_weight)`` decomposes the kernel of the inputs; that of targets that are
    missing for some samples is the one in which these have no weight.
    """

    def __init__(self, decompose, sample_weight):
        self._decompose, self._weights, self._systems = decompose, sample_weight, {}

    def of(self, Y):
        """System of targets (n_samples, n_targets), NaN where missing."""
        missing = np.isnan(Y)
        if not missing.any():
            return self._system(None)
        patterns, which = np.unique(missing, axis=1, return_inverse=True)
        parts = [
            (np.flatnonzero(which == i), self._system(pattern))
            for i, pattern in enumerate(patterns.T)
        ]
        return _PatternedSystem(parts, weigh(self._weights, Y, False))

    def _system(self, missing):
        key = None if missing is None else missing.tobytes()
        if key not in self._systems:
            weights = self._weights
            if missing is not None:
                weights = _check_sample_weight(weights, missing, dtype=np.float64) * ~missing
            self._systems[key] = self._decompose(weights)
        return self._systems[key]


class _PatternedSystem:
    """Several systems as one: each answers for the columns of its pattern."""

    def __init__(self, parts, samples):
        self.parts, self.samples = parts, samples

    def default_alphas(self):
        """Candidates for the ridge: on average over the columns, those of their systems."""
        sizes = [len(columns) for columns, _ in self.parts]
        alphas = [system.default_alphas() for _, system in self.parts]
        return np.average(alphas, axis=0, weights=sizes)

    def loo_residuals(self, Y, alphas):
        """Leave-one-out residuals, one ridge after the other; NaN where the target is missing."""
        filled = np.nan_to_num(Y)
        paths = [
            system.loo_residuals(filled[:, columns], _take(alphas, columns))
            for columns, system in self.parts
        ]
        for found in zip(*paths, strict=True):
            residuals = np.empty(Y.shape)
            for (columns, _), part in zip(self.parts, found, strict=True):
                residuals[:, columns] = part
            yield residuals

    def solve(self, Y, alpha):
        """Coefficients and intercepts; what is missing has zeros."""
        filled, found = np.nan_to_num(Y), []
        for columns, system in self.parts:
            (ridge,) = _take([alpha], columns)
            found.append(system.solve(filled[:, columns], ridge))
        coef, intercept = np.empty((len(found[0].coef), Y.shape[1])), np.empty(Y.shape[1])
        for (columns, _), part in zip(self.parts, found, strict=True):
            coef[:, columns], intercept[columns] = part.coef, part.intercept
        return coef, intercept


def _take(alphas, columns):
    """Those of ridges (n_alphas,) or (n_alphas, n_targets) that belong to columns."""
    alphas = np.asarray(alphas)
    return alphas if alphas.ndim == 1 else alphas[:, columns]
