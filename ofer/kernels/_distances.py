"""Gaussian kernels of which no far row takes the digits."""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ofer.utils.memory import row_batches
from ofer.utils.typing import Matrix

# Exponents are differences of numbers of the size of the norms, so their roundoff is that of the
# norms. Those of up to this size cost a kernel value no more than its last three digits.
_NEAR = 500.0
_UNDERFLOW = 750.0  # exp(-750) is zero


def gaussian_kernel(X: Matrix, Z: Matrix, gamma: float) -> NDArray:
    r"""Gaussian kernel matrix :math:`\exp(-\gamma \|x - z\|^2)`, whatever rows there are.

    Distances are made of one matrix product, around the median of Z, which no far row drags along.
    Pairs of rows that are far from there and near to each other are computed again, from their
    differences. Rows (n, d) and (m, d) are float64, dense or sparse. Takes O(n m d) time.
    """
    centres = GaussianCentres(Z, gamma)
    return centres.gram() if X is Z else centres.kernel(X)


class GaussianCentres:
    """Kernel values of inputs with fixed centres (m, d), written into a given array."""

    def __init__(self, Z: Matrix, gamma: float):
        self.Z, self.gamma = Z, gamma
        # Sparse rows stay where they are: around another origin they would be dense.
        self.origin = None if sparse.issparse(Z) else np.median(Z, axis=0)
        self.centred = Z if self.origin is None else Z - self.origin
        with np.errstate(over="ignore"):
            self.norms = gamma * _squared_norms(self.centred)
        self.far = np.flatnonzero(~(self.norms <= _NEAR))

    def gram(self) -> NDArray:
        """Kernel matrix of the centres (m, m), symmetric to the last bit."""
        with np.errstate(over="ignore", invalid="ignore"):
            out = self.centred @ self.centred.T  # half the work of other products
            out = out.toarray() if sparse.issparse(out) else out
            out *= 2.0 * self.gamma
            for rows in row_batches(*out.shape):
                out[rows] -= self.norms[rows, None] + self.norms
            self._mend(self.Z, out, self.norms)
        out.flat[:: len(out) + 1] = 0.0
        return _exponential(out)

    def kernel(self, X: Matrix) -> NDArray:
        """Kernel matrix of the rows of X with the centres (k, m)."""
        return self.into(X, np.empty((X.shape[0], self.Z.shape[0])))

    def into(self, X: Matrix, out: NDArray) -> NDArray:
        """Write the values for the rows of X (k, d) into `out` (k, m), and return it."""
        if sparse.issparse(X) != sparse.issparse(self.Z):
            X = X.toarray() if sparse.issparse(X) else sparse.csr_array(X)
        with np.errstate(over="ignore", invalid="ignore"):  # of far rows, which are mended
            if self.origin is None:
                norms = self.gamma * _squared_norms(X)
                out[...] = (X @ self._right).toarray()
                out -= norms[:, None]
                out -= self.norms
            else:
                left = np.ones((X.shape[0], X.shape[1] + 2))
                x = np.subtract(X, self.origin, out=left[:, :-2])
                norms = self.gamma * _squared_norms(x)
                left[:, -2] = -norms
                np.matmul(left, self._right, out=out)
            self._mend(X, out, norms)
        return _exponential(out)

    @cached_property
    def _right(self):
        """What the rows are multiplied by: all that is done to each of many batches is a product.

        ``-gamma |x - z|^2 = (2 gamma x, -gamma |x|^2, 1) (z, 1, -gamma |z|^2)``, if dense.
        """
        if self.origin is None:
            return (2.0 * self.gamma * self.Z).T
        ones = np.ones(len(self.centred))
        return np.vstack([2.0 * self.gamma * self.centred.T, ones, -self.norms])

    def _mend(self, X, out, norms):
        """Compute far pairs again that are so near to each other that their kernel is not zero."""
        far = np.flatnonzero(~(norms <= _NEAR)) if self.far.size else self.far
        for rows in row_batches(len(far), len(self.far)):
            places = far[rows]
            sizes = norms[places, None] + self.norms[self.far]
            surely_zero = out[np.ix_(places, self.far)] < -_UNDERFLOW - 1e-14 * sizes
            i, j = np.nonzero(~surely_zero)  # which includes what is not a number
            for pairs in row_batches(len(i), X.shape[1]):
                a, b = places[i[pairs]], self.far[j[pairs]]
                out[a, b] = -self.gamma * _squared_norms(X[a] - self.Z[b])


def _exponential(exponents):
    np.minimum(exponents, 0.0, out=exponents)  # roundoff
    return np.exp(exponents, out=exponents)


def _squared_norms(X):
    """Squared lengths of rows, dense or sparse."""
    if sparse.issparse(X):
        return np.asarray(X.multiply(X).sum(axis=1)).ravel()
    return np.einsum("ij,ij->i", X, X)
