"""Sums over samples, from which ridge regression on kernel values is solved."""

from copy import copy
from typing import NamedTuple

import numpy as np
from scipy.linalg import eigh
from scipy.linalg.blas import dsyrk
from scipy.linalg.lapack import dpocon, dpotrf, dpotrs
from sklearn.utils import gen_batches

from ofer.ridge.leave_one_out import Ridges
from ofer.utils.scoring import units_of
from ofer.utils.warning import warn

DEARER = 1.1  # a degree of freedom costs so much: fits that leave next to nothing free lose


class CentreSums:
    """Sums of products of the columns ``[kernel values | targets | 1]``, around fixed origins.

    The origins (m,) and (p,) are subtracted first, so that few digits are lost when means are. Sums
    of disjoint sets of samples add up, in any order. They take O((m + p)^2) memory for m centres
    and p targets, whatever the number of samples, and O((m + p)^2) time per sample.
    """

    def __init__(self, kernel_origin, target_origin):
        self.origin = np.concatenate([kernel_origin, target_origin, [0.0]])
        self.n_centres, self.n_samples = len(kernel_origin), 0
        self.products = np.zeros((len(self.origin), len(self.origin)), order="F")  # upper half

    def with_samples(self, kernel, X, Y, roots, batch_size):
        """Sums with samples X (n, d), Y (n, p) more, whose weights are `roots` squared, or ones."""
        total, m, n = copy(self), self.n_centres, X.shape[0]
        total.products = self.products.copy(order="F")
        buffer = np.empty((min(n, batch_size), len(self.origin)))
        for rows in gen_batches(n, batch_size):
            batch = buffer[: rows.stop - rows.start]
            kernel.into(X[rows], batch[:, :m])
            batch[:, m:-1] = Y[rows]
            batch[:, -1] = 1.0
            batch -= self.origin
            if roots is not None:
                batch *= roots[rows, None]
            total.products = dsyrk(1.0, batch.T, beta=1.0, c=total.products, overwrite_c=True)
        total.n_samples += n if roots is None else int(np.count_nonzero(roots))
        return total

    def merged(self, other):
        """Sums with the samples of other sums, which have the same centres."""
        total, shift = copy(self), other.origin - self.origin
        total.n_samples += other.n_samples
        if not shift.any():
            total.products = self.products + other.products
            return total
        products = _whole(other.products)  # own column = other's column + shift * 1
        products += np.outer(products[:, -1], shift)
        products += np.outer(shift, products[-1])
        total.products = np.asfortranarray(self.products + np.triu(products))
        return total

    def empty(self):
        """Sums over no samples, with the same origins."""
        return CentreSums(self.origin[: self.n_centres], self.origin[self.n_centres : -1])

    def take(self, columns):
        """Sums of some of the targets, as a slice of them."""
        m, p = self.n_centres, len(self.origin) - self.n_centres - 1
        kept = np.r_[0:m, m + np.arange(p)[columns], m + p]
        few = CentreSums(self.origin[:m], self.origin[kept[m:-1]])
        few.products[...] = self.products[np.ix_(kept, kept)]
        few.n_samples = self.n_samples
        return few

    def target_units(self):
        """Standard deviations (p,) of targets, as `ofer.utils.scoring.target_units`."""
        m, total = self.n_centres, max(self.products[-1, -1], np.finfo(float).tiny)
        shifts = self.products[m:-1, -1] / total
        variances = np.diag(self.products)[m:-1] / total - np.square(shifts)
        means = self.origin[m:-1] + shifts
        return units_of(np.sqrt(np.maximum(variances, 0.0)), np.abs(means))

    def _centred(self, fit_intercept):
        """Sums around the means, these, and the sum of the weights."""
        products = _whole(self.products)
        total, mean = products[-1, -1], np.zeros(len(products) - 1)
        if fit_intercept and total > 0:
            mean = products[:-1, -1] / total
        centred = products[:-1, :-1] - np.outer(products[:-1, -1], mean)
        return centred, mean + self.origin[:-1], total

    def solve(self, gram, alpha, fit_intercept):
        """Coefficients and intercepts for one ridge parameter, much faster than `decompose`.

        None where the equations are so near to singular that few digits would be left.
        """
        centred, mean, _ = self._centred(fit_intercept)
        m = self.n_centres
        system = centred[:m, :m] + alpha * gram
        norm = np.abs(system).sum(axis=0).max()
        lower, failed = dpotrf(system.T, lower=True, overwrite_a=True)
        if failed or dpocon(lower, norm, uplo="L")[0] < 1e-14:
            return None
        coef = dpotrs(lower, centred[:m, m:], lower=True)[0]
        return coef, (mean[m:] - mean[:m] @ coef if fit_intercept else np.zeros(coef.shape[1]))

    def decompose(self, gram, fit_intercept, alphas=None):
        r"""Decompose them, with the kernel matrix K of the centres (m, m), in O(m^3) time.

        In a direction of K with eigenvalue s the roundoff of the sums S counts as :math:`\epsilon
        \|S\| / s`. Directions are left out where that is neither small beside the least of the
        ridge parameters `alphas`, the default ones if None, nor beside what the samples say: there
        s is less than the root of :math:`\epsilon`, relative to the largest.
        """
        centred, mean, total = self._centred(fit_intercept)
        m = self.n_centres
        sums, epsilon = centred[:m, :m], np.finfo(float).eps
        values, vectors = eigh(gram)
        cut = np.sqrt(epsilon) * values[-1]
        whitened = _whitened(values, vectors, cut)
        least = 1e-4 * np.sum(whitened * (sums @ whitened)) / max(1, self.n_samples)
        noise = epsilon * np.linalg.norm(sums)
        least = least if alphas is None else min(alphas)
        if noise < cut * least:
            cut = max(noise / least, m * epsilon * values[-1])
            whitened = _whitened(values, vectors, cut)
        eigenvalues, rotation = eigh(whitened.T @ sums @ whitened)
        loadings = whitened @ rotation
        return RidgePath(
            np.maximum(eigenvalues, 0.0),
            loadings,
            loadings.T @ centred[:m, m:],
            np.diag(centred)[m:],
            self.target_units(),
            mean[:m],
            mean[m:],
            self.n_samples,
            total,
            bool(fit_intercept),
        )


class RidgePath(NamedTuple):
    r"""All ridge parameters from one decomposition: features ``t = L' (k - mean)`` are orthogonal.

    Their sums of squares are the eigenvalues :math:`\omega`, and the penalty of a function with
    coefficients a of them is :math:`|a|^2`.
    """

    eigenvalues: np.ndarray  # (r,)
    loadings: np.ndarray  # L, (m, r)
    projected: np.ndarray  # sums of products of features and targets, (r, p)
    squares: np.ndarray  # of the centred targets, (p,)
    units: np.ndarray  # of the targets, (p,)
    kernel_mean: np.ndarray  # (m,)
    target_mean: np.ndarray  # (p,)
    n_samples: int
    total: float  # sum of weights
    fit_intercept: bool

    def default_alphas(self):
        """Candidates from 1e-4 to 1e4 times the mean eigenvalue of the samples' kernel matrix."""
        mean = self.eigenvalues.sum() / max(1, self.n_samples - self.fit_intercept)
        return (mean if mean > 0 else 1.0) * np.logspace(-4, 4, 25)

    def degrees_of_freedom(self, alphas):
        """What fits spend of the samples (n_alphas,), as `gcv` counts it."""
        shares = self.eigenvalues / (self.eigenvalues + np.asarray(alphas)[:, None])
        return self.fit_intercept + DEARER * shares.sum(axis=1)

    def gcv(self, alphas):
        r"""Generalised cross-validation score (n_alphas,), the mean over targets in their units.

        .. math:: \frac{R(\alpha) / \sum_i w_i}{(1 - \mathrm{df}(\alpha) / n)^2}, \quad
            R(\alpha) = \sum_i w_i y_i^2 - \sum_j b_j^2 \frac{\omega_j + 2 \alpha}
            {(\omega_j + \alpha)^2}, \quad
            \mathrm{df}(\alpha) = 1 + 1.1 \sum_j \frac{\omega_j}{\omega_j + \alpha} .
        """
        alpha, omega = np.asarray(alphas)[:, None], self.eigenvalues
        explained = (omega + 2.0 * alpha) / np.square(omega + alpha) @ np.square(self.projected)
        rest = (np.maximum(self.squares - explained, 0.0) / np.square(self.units)).mean(axis=1)
        free = self.n_samples - self.degrees_of_freedom(alphas)
        least = np.sqrt(np.finfo(float).eps) * self.n_samples  # a fit may leave nothing free
        return rest / self.total * np.square(self.n_samples / np.maximum(free, least))

    def solve(self, alpha):
        """Coefficients of the kernel values (m, p) and intercepts (p,) for a ridge."""
        coef = self.loadings @ (self.projected / (self.eigenvalues + alpha)[:, None])
        if not self.fit_intercept:
            return coef, np.zeros(coef.shape[1])
        return coef, self.target_mean - self.kernel_mean @ coef

    def features(self, values):
        """Features (k, r) of kernel values (k, m)."""
        return (values - self.kernel_mean) @ self.loadings

    def loo_residuals(self, values, Y, weights, alphas):
        """Leave-one-out residuals (n_alphas, k, p) of training samples with kernel values (k, m).

        Those of samples of weight zero are NaN.
        """
        roots, inverse = np.sqrt(weights), 1.0 / (self.eigenvalues[:, None] + alphas)
        features = roots[:, None] * self.features(values)
        shares = self.fit_intercept / self.total * weights
        ridges = Ridges(features, inverse[:, :, None], roots, shares, is_dual=False)
        centred = roots[:, None] * (Y - self.target_mean)
        with np.errstate(invalid="ignore"):  # samples of weight zero divide by zero
            return ridges.loo_residuals(centred, self.projected).transpose(1, 0, 2)


def warn_if_indefinite(gram):
    """Warn unless the centres' kernel matrix (m, m) is positive semi-definite, up to roundoff.

    The sums are of kernel values as they are. `KernelRidgeCV` centres its matrix, so some kernels
    are right there, but not here: those that are positive only where coefficients sum to zero.
    """
    size = np.abs(gram.diagonal()).max()
    shifted = np.array(gram, order="F")
    shifted[np.diag_indices_from(shifted)] += 1e-8 * size
    if not dpotrf(shifted, lower=True, overwrite_a=True)[1]:  # several times faster than `eigh`
        return
    values = eigh(gram, eigvals_only=True)
    if values[0] < -1e-8 * max(size, values[-1]):
        warn(
            f"the kernel is not positive semi-definite (smallest eigenvalue {values[0]:.3g}, "
            f"largest {values[-1]:.3g}, of the centres' kernel matrix); directions of negative "
            "eigenvalues may be left out, and predictions poor. Use a positive semi-definite "
            "kernel, or KernelRidgeCV.",
        )


def _whitened(values, vectors, cut):
    """Eigenvectors over the roots of their eigenvalues; zeros where these are not above `cut`."""
    return vectors / np.sqrt(np.where(values > cut, values, np.inf))


def _whole(upper):
    """The symmetric matrix of which the upper half is given."""
    return np.triu(upper) + np.triu(upper, 1).T
