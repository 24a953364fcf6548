"""One eigendecomposition that answers every ridge parameter, with exact leave-one-out."""

import warnings
from typing import NamedTuple

import numpy as np

__all__ = ["Spectrum", "decompose"]


class Spectrum(NamedTuple):
    r"""Eigenvectors of the weighted kernel on the space that the intercept leaves free.

    With :math:`s = \sqrt{w}` the square roots of the sample weights, the dual problem of kernel
    ridge regression with an unpenalised intercept is the bordered system

    .. math::

        \begin{pmatrix} S K S + \alpha I & s \\ s^\top & 0 \end{pmatrix}
        \begin{pmatrix} c \\ b \end{pmatrix} = \begin{pmatrix} S y \\ 0 \end{pmatrix} .

    Its first equation lives on the complement of :math:`s`, where
    :math:`S K S = V \mathrm{diag}(\omega) V^\top`; the upper left block of the inverse is
    :math:`V \mathrm{diag}(1 / (\omega + \alpha)) V^\top` for every :math:`\alpha`.
    Without an intercept the border is absent and the complement is the whole space.

    Attributes
    ----------
    root_weights : ndarray of shape (n_samples,)
        :math:`s`.
    values : ndarray of shape (rank,)
        :math:`\omega \ge 0`; the rank is n_samples - 1 with an intercept, n_samples without.
    vectors : ndarray of shape (n_samples, rank)
        :math:`V`.
    """

    root_weights: np.ndarray
    values: np.ndarray
    vectors: np.ndarray

    def project(self, y):
        """Coordinates of the weighted targets, shape (rank, n_targets)."""
        return self.vectors.T @ (self.root_weights[:, None] * y)

    def dual(self, projected, alpha):
        """Dual coefficients for one alpha, or one alpha a target: (n_samples, n_targets)."""
        shrunk = projected / (self.values[:, None] + alpha)
        return self.root_weights[:, None] * (self.vectors @ shrunk)

    def loo_residuals(self, projected, alphas):
        """Residuals ``y_i - f_{-i}(x_i)`` of the fits without sample i, one alpha after the other.

        Deleting row and column i of the bordered system gives ``c_i / (inverse)_ii``. Several
        alphas share one matrix product, as many as keep its result within 8 MB.

        Parameters
        ----------
        projected : ndarray of shape (rank, n_targets)
            As from `project`.
        alphas : ndarray of shape (n_alphas,)
            Ridges.

        Yields
        ------
        ndarray of shape (n_samples, n_targets)
        """
        n_samples, n_targets = len(self.root_weights), projected.shape[1]
        step = max(1, 2**20 // (n_samples * n_targets))
        squared = np.square(self.vectors)
        for start in range(0, len(alphas), step):
            inverse = 1.0 / (self.values[:, None] + alphas[start : start + step])
            diagonals = squared @ inverse * self.root_weights[:, None]
            shrunk = (inverse[:, :, None] * projected[:, None, :]).reshape(len(inverse), -1)
            solved = (self.vectors @ shrunk).reshape(n_samples, -1, n_targets)
            yield from (solved / diagonals[:, :, None]).transpose(1, 0, 2)


def decompose(K, sample_weight, fit_intercept):
    """Eigendecompose a kernel matrix for `Spectrum`, in O(n^3) time and O(n^2) memory.

    Parameters
    ----------
    K : ndarray of shape (n_samples, n_samples)
        The kernel matrix, symmetric and positive semi-definite. Not changed.
    sample_weight : ndarray of shape (n_samples,)
        Positive weights.
    fit_intercept : bool
        Whether an unpenalised intercept is fitted too.

    Returns
    -------
    Spectrum
    """
    # numpy's eigh, not scipy's: each brings its own BLAS, and the threads of one that has just
    # been used are in the way of the other.
    s = np.sqrt(sample_weight)
    A = K * np.outer(s, s)
    size = np.abs(np.diag(A)).max()
    if not fit_intercept:
        values, vectors = np.linalg.eigh(A)
        return Spectrum(s, _without_roundoff(values, size), vectors)

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
    return Spectrum(s, _without_roundoff(values, size), vectors)


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
            stacklevel=5,
        )
    return np.where(values > roundoff, values, 0.0)
