"""The kernel matrices of twin Gaussian processes, factorised once for all queries."""

from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.linalg import lapack
from scipy.linalg.blas import dtrmm
from scipy.spatial.distance import cdist

from ofer.companions._distances import middle

FAR = 1e4  # squared distance from the middle, in widths, beyond which products cost digits


class Queries(NamedTuple):
    """Kernel values of the queries, as the costs need them."""

    kernel: np.ndarray  # (n_queries, N), K_X^x
    weights: np.ndarray  # (n_queries, N), u_x = K_X^-1 K_X^x
    eta: np.ndarray  # (n_queries,), the variance of x given the training inputs


class ScaledPoints:
    """Points (N, d) in units of a kernel's width, around their middle: differences keep digits.

    Those that are far from the middle are compared with others by differences.
    """

    def __init__(self, points, bandwidth):
        self._origin, self._far = middle(points, 1.0 / bandwidth, FAR)
        self._bandwidth, self._far_away = bandwidth, points[self._far]
        self.points = self.scale(points)
        # So that one product makes the exponents of the kernel, and another all sums of `pull`.
        ones, halves = np.ones(len(points)), 0.5 * dots(self.points, self.points)
        self._extended = np.column_stack([self.points, ones, -halves])

    def scale(self, points):
        """Points (m, d) in these units."""
        return (points - self._origin) / self._bandwidth

    def unscale(self, points):
        """The inverse of `scale`."""
        return self._origin + self._bandwidth * points

    def kernel(self, points):
        """Kernel (m, N), without the checks that would cost more than a few rows do."""
        extended = np.column_stack([points, -0.5 * dots(points, points), np.ones(len(points))])
        exponents = extended @ self._extended.T
        if self._far.size:
            far = self.points[self._far]
            exponents[:, self._far] = -0.5 * cdist(points, far, "sqeuclidean")
        return np.exp(np.minimum(exponents, 0.0, out=exponents), out=exponents)

    def kernel_of(self, points):
        """Kernel (m, N) of points that are not in these units yet."""
        K = self.kernel(self.scale(points))
        if self._far.size:
            # Scaling would round what is between two points that are far.
            weights = np.broadcast_to(1.0 / np.square(self._bandwidth), self._origin.shape)
            squares = cdist(points, self._far_away, "sqeuclidean", w=weights)
            K[:, self._far] = np.exp(-0.5 * squares)
        return K

    def pull(self, slopes, points):
        """Sums (m, d) of the differences from given points (m, d), weighted by slopes (m, N)."""
        if self._far.size:
            slopes, far = slopes.copy(), slopes[:, self._far]
            slopes[:, self._far] = 0.0
        sums = slopes @ self._extended[:, :-1]
        pulls = sums[:, :-1] - sums[:, -1:] * points
        if self._far.size:
            for t, column in enumerate(self.points[self._far].T):
                pulls[:, t] += (far * (column - points[:, t, None])).sum(axis=1)
        return pulls


class Factor:
    """Cholesky factor of a positive definite matrix, inverted: products are quicker than solves.

    An inverse of the matrix itself would save nothing, because products with triangles take half
    the operations; and its quadratic forms would lose twice as many digits.
    """

    def __init__(self, matrix, message):
        L, failed = lapack.dpotrf(matrix, lower=True)
        if failed or np.square(np.diag(L)).min() < 10 * len(L) * np.finfo(float).eps:
            raise ValueError(message)
        self.logdet = 2.0 * np.log(np.diag(L)).sum()
        self.inverse = lapack.dtrtri(L, lower=True)[0]

    def whiten(self, rows):
        """Rows z = L^-1 k of shape (m, N), of the squared length k' K^-1 k."""
        return dtrmm(1.0, self.inverse, rows.T, lower=True).T

    def unwhiten(self, rows):
        """Rows L^-T z of shape (m, N), in the place of the given ones; of whitened rows K^-1 k."""
        return dtrmm(1.0, self.inverse, rows.T, lower=True, trans_a=True, overwrite_b=True).T


class TwinKernels:
    """Kernel matrices of training inputs X (N, d_x) and outputs Y (N, d_y), and their factors.

    Gaussian kernels with widths, and a ridge parameter on the diagonal.
    """

    def __init__(self, X, Y, *, bandwidth_x, bandwidth_y, ridge_x, ridge_y):
        self.ridge_x, self.ridge_y = ridge_x, ridge_y
        self.inputs = ScaledPoints(X, bandwidth_x)
        self.outputs = ScaledPoints(Y, bandwidth_y)
        self.K_x, self.K_y = _gram(self.inputs, X, ridge_x), _gram(self.outputs, Y, ridge_y)
        self.factor_x = Factor(self.K_x, _singular("ridge_x", "inputs", ridge_x))
        self.factor_y = Factor(self.K_y, _singular("ridge_y", "outputs", ridge_y))
        self._mixed = {}

    def factor_mixed(self, alpha):
        """Factor of (1 - alpha) K_X + alpha K_Y; that of the last alpha is kept."""
        factor = self._mixed.get(alpha)  # another thread may ask for another alpha meanwhile
        if factor is None:
            mixed = (1.0 - alpha) * self.K_x + alpha * self.K_y
            factor = Factor(mixed, "the kernel matrices are numerically singular.")
            self._mixed = {alpha: factor}
        return factor

    @cached_property
    def inverses(self):
        """K_X^-1 and K_Y^-1, which the cubic cost is made of."""
        return tuple(W.T @ W for W in (self.factor_x.inverse, self.factor_y.inverse))

    def query(self, X):
        """Kernels of new inputs (n_queries, d_x) with those of the training set."""
        kernel = self.inputs.kernel_of(X)
        whitened = self.factor_x.whiten(kernel)
        eta = variances(whitened, self.ridge_x)
        return Queries(kernel, self.factor_x.unwhiten(whitened), eta)


def variances(whitened, ridge):
    """Variance 1 + ridge - k' K^-1 k of a point given the others; `ridge` is a bound."""
    return np.maximum(1.0 + ridge - dots(whitened, whitened), max(ridge, np.finfo(float).eps))


def dots(a, b):
    """Products of rows with each other (m,)."""
    return np.einsum("ij,ij->i", a, b)


def _gram(scaled, points, ridge):
    K = scaled.kernel_of(points)
    K[np.diag_indices_from(K)] = 1.0 + ridge
    return K


def _singular(name, noun, ridge):
    return (
        f"{name} must be greater than {ridge:g} for these training {noun}, some of which are "
        "equal or nearly so at this bandwidth: their kernel matrix is numerically singular."
    )
