"""EM for Gaussian mixtures of weighted outputs, with missing entries."""

from typing import NamedTuple

import numpy as np
from scipy.special import logsumexp
from sklearn.cluster import KMeans
from sklearn.utils import check_random_state

from ofer.embeddings._covariances import full_precisions

__all__ = ["Sums", "advance", "collect", "fit_em", "joint_log_densities"]


def fit_em(Z, sample_weight, mixture):
    """Fit a `GaussianMixture` to outputs (n_samples, d), NaN where missing, with weights.

    The starts, the steps and the rule to stop are those of its own `fit`: without missing entries,
    integer weights are repetitions. A missing entry is integrated out: an EM iteration takes
    O(n C d) time (spherical, diag), or O(C (n d^2 + P d^3)) for P patterns of missing entries.
    """
    C, rng = mixture.n_components, check_random_state(mixture.random_state)
    start, best = np.where(np.isnan(Z), np.nanmean(Z, axis=0), Z), None
    for _ in range(mixture.n_init):
        clusters = KMeans(C, n_init=1, random_state=rng).fit(start, sample_weight=sample_weight)
        found = _climb(mixture, Z, start, np.eye(C)[clusters.labels_], sample_weight)
        best = found if best is None or found[0] > best[0] else best
    mixture.lower_bound_, parameters, mixture.n_iter_, mixture.converged_ = best
    mixture.lower_bounds_ = [mixture.lower_bound_]
    return _set(mixture, *parameters)


def _climb(mixture, Z, start, responsibilities, sample_weight):
    """Mean log-likelihood, parameters, iterations and whether they were enough, from one start."""
    completed = np.broadcast_to(start, (mixture.n_components, *Z.shape))
    parameters = _maximise(mixture, responsibilities, completed, None, sample_weight)
    bound, n_iter, converged = -np.inf, 0, False
    while n_iter < mixture.max_iter and not converged:
        logs, completed, spread = _expect(Z, mixture.covariance_type, *parameters)
        norms = logsumexp(logs, axis=1)
        responsibilities = np.exp(logs - norms[:, None])
        parameters = _maximise(mixture, responsibilities, completed, spread, sample_weight)
        previous, bound = bound, sample_weight @ norms / sample_weight.sum()
        n_iter, converged = n_iter + 1, abs(bound - previous) < mixture.tol
    return bound, parameters, n_iter, converged


def joint_log_densities(mixture, Y):
    """Log-density of the observed part of outputs under each component, times its weight: (n, C).

    Their exponentials sum to the density over components, and share it as the responsibilities do.
    """
    parameters = mixture.weights_, mixture.means_, mixture.covariances_
    return _expect(Y, mixture.covariance_type, *parameters)[0]


def _expect(Z, covariance_type, weights, means, covariances):
    """What the mixture knows of outputs (n, d) that are NaN where missing.

    Returns the log-densities of the observed parts under each component, times its weight (n, C);
    the outputs completed by their conditional means (C, n, d); and the conditional covariances
    of what is missing: the variances (C, n, d) for spherical and diag, or a list of pairs of rows
    and (C, d, d) by pattern.
    """
    seen = ~np.isnan(Z)
    if covariance_type in ("spherical", "diag"):
        variances = np.broadcast_to(covariances.reshape(len(means), 1, -1), (len(means), *Z.shape))
        residuals = np.where(seen, Z - means[:, None], 0.0)
        terms = np.square(residuals) / variances + seen * np.log(2 * np.pi * variances)
        logs = np.log(weights) - 0.5 * terms.sum(axis=2).T
        return logs, means[:, None] + residuals, np.where(seen, 0.0, variances)
    full = full_precisions(covariances, covariance_type, *means.shape)
    logs, completed, spread = np.empty((len(Z), len(means))), np.empty((len(means), *Z.shape)), []
    patterns, which = np.unique(seen, axis=0, return_inverse=True)
    for i, pattern in enumerate(patterns):
        rows = np.flatnonzero(which.ravel() == i)
        o, u = np.flatnonzero(pattern), np.flatnonzero(~pattern)
        roots = np.linalg.cholesky(full[:, o[:, None], o])
        residuals = Z[np.ix_(rows, o)] - means[:, None, o]
        white = np.linalg.solve(roots, residuals.transpose(0, 2, 1))
        scale = np.log(np.diagonal(roots, axis1=1, axis2=2)).sum(axis=1)
        size = 0.5 * np.square(white).sum(axis=1) + scale[:, None]
        logs[rows] = np.log(weights) - size.T - 0.5 * len(o) * np.log(2 * np.pi)
        completed[:, rows] = Z[rows]
        if len(u):
            gains = np.linalg.solve(roots, full[:, o[:, None], u])
            guess = means[:, None, u] + white.transpose(0, 2, 1) @ gains
            completed[:, rows[:, None], u] = guess
            left = np.zeros_like(full)
            left[:, u[:, None], u] = full[:, u[:, None], u] - gains.transpose(0, 2, 1) @ gains
            spread.append((rows, left))
    return logs, completed, spread


def _maximise(mixture, responsibilities, completed, spread, sample_weight):
    """Weights, means and covariances of the most likely mixture, given the completed outputs."""
    shares = (responsibilities * sample_weight[:, None]).T  # (C, n)
    sizes = shares.sum(axis=1) + 10 * np.finfo(float).eps
    means = np.einsum("cn,cnd->cd", shares, completed) / sizes[:, None]
    scatter = _scatter(mixture, shares, completed - means[:, None], spread)
    return sizes / sizes.sum(), means, _covariances(mixture, sizes, scatter, mixture.reg_covar)


def _scatter(mixture, shares, residuals, spread):
    """Sums of squares of residuals by component, or of their products: (C, d) or (C, d, d)."""
    if mixture.covariance_type in ("spherical", "diag"):
        squares = np.square(residuals)
        if spread is not None:
            squares += spread
        return np.einsum("cn,cnd->cd", shares, squares)
    scatter = (shares[:, :, None] * residuals).transpose(0, 2, 1) @ residuals
    for rows, left in spread or ():
        scatter += shares[:, rows].sum(axis=1)[:, None, None] * left
    return scatter


def _covariances(mixture, sizes, scatter, floor):
    """Covariances of the mixture's type from sums around the means; a floor is added."""
    kind = mixture.covariance_type
    if kind in ("spherical", "diag"):
        covariances = scatter / sizes[:, None] + floor
        return covariances.mean(axis=1) if kind == "spherical" else covariances
    ridge = floor * np.eye(scatter.shape[1])
    if kind == "tied":
        return scatter.sum(axis=0) / sizes.sum() + ridge
    return scatter / sizes[:, None, None] + ridge


class Sums(NamedTuple):
    """What EM asks of outputs, around the present means; blocks of outputs add up in any order."""

    loglikelihood: float
    sizes: np.ndarray  # (C,)
    first: np.ndarray  # (C, d)
    second: np.ndarray  # (C, d) or (C, d, d)

    def plus(self, other):
        """Of the outputs of both."""
        return Sums(*map(np.add, self, other))


def collect(mixture, Y):
    """Sums of a block of outputs (n, d)."""
    parameters = mixture.weights_, mixture.means_, mixture.covariances_
    logs, completed, spread = _expect(Y, mixture.covariance_type, *parameters)
    norms = logsumexp(logs, axis=1)
    shares = np.exp(logs - norms[:, None]).T
    residuals = completed - mixture.means_[:, None]
    first = np.einsum("cn,cnd->cd", shares, residuals)
    second = _scatter(mixture, shares, residuals, spread)
    return Sums(norms.sum(), shares.sum(axis=1), first, second)


def advance(mixture, sums):
    """Give a mixture the parameters that the sums ask for; returns the floor of its variances."""
    sizes = sums.sizes + 10 * np.finfo(float).eps
    shift = sums.first / sizes[:, None]
    means, by_axis = mixture.means_ + shift, sums.second.ndim == 2
    outer = np.square(shift) if by_axis else shift[:, :, None] * shift[:, None, :]
    scatter = sums.second - sizes.reshape(-1, *[1] * (outer.ndim - 1)) * outer
    # What the floor is relative to: the mean variance of all outputs, whatever the components.
    within = scatter.sum(axis=0) if by_axis else np.diagonal(scatter.sum(axis=0))
    between = sizes @ np.square(means - sizes @ means / sizes.sum())
    floor = mixture.reg_covar * np.mean(within + between) / sizes.sum()
    _set(mixture, sizes / sizes.sum(), means, _covariances(mixture, sizes, scatter, floor))
    return floor


def _set(mixture, weights, means, covariances):
    """Store the parameters as scikit-learn does."""
    mixture.weights_, mixture.means_, mixture.covariances_ = weights, means, covariances
    if mixture.covariance_type in ("spherical", "diag"):
        mixture.precisions_cholesky_ = 1.0 / np.sqrt(covariances)
        mixture.precisions_ = 1.0 / covariances
    else:
        # The transposed inverse of the lower factor: upper triangular, P = R R^T.
        eye = np.broadcast_to(np.eye(means.shape[1]), covariances.shape)
        roots = np.linalg.solve(np.linalg.cholesky(covariances), eye).swapaxes(-1, -2)
        mixture.precisions_cholesky_ = roots
        mixture.precisions_ = roots @ roots.swapaxes(-1, -2)
    mixture.n_features_in_ = means.shape[1]
    return mixture
