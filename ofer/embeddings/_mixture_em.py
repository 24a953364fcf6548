"""EM for Gaussian mixtures of outputs in batches, with weights and missing entries.

It is imported where it is needed: complete outputs that weigh the same have scikit-learn's EM.
"""

from collections.abc import Callable
from copy import copy
from functools import reduce
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp, softmax
from sklearn.cluster import KMeans
from sklearn.mixture import GaussianMixture
from sklearn.utils import check_random_state

from ofer.embeddings.covariances import full_precisions
from ofer.utils.memory import row_batches


class MixtureSums(NamedTuple):
    """Sums over outputs for an M-step, around the present means; those of batches add up."""

    loglikelihood: float
    sizes: np.ndarray  # (C,)
    first: np.ndarray  # (C, d)
    second: np.ndarray  # (C, d) or (C, d, d)

    def plus(self, other: "MixtureSums") -> "MixtureSums":
        """Of the outputs of both."""
        return MixtureSums(*map(np.add, self, other))


def fit_from_clusters(mixture, Z, sample_weight):
    """Fit copies of a `GaussianMixture` to outputs on a standard scale; returns the most likely.

    The starts, the steps and the rule to stop are those of its own `fit`, but outputs (n_samples,
    d) have weights (n_samples,), and are NaN where missing: without missing entries, integer
    weights are repetitions.
    """
    C, rng = mixture.n_components, check_random_state(mixture.random_state)
    completed, fitted = np.where(np.isnan(Z), np.nanmean(Z, axis=0), Z), []
    for _ in range(mixture.n_init):
        clusters = KMeans(C, n_init=1, random_state=rng).fit(completed, sample_weight=sample_weight)
        start = copy(mixture)
        start.means_ = clusters.cluster_centers_
        shares = np.eye(C)[clusters.labels_].T * sample_weight
        sums = _sums(start.covariance_type, shares, completed - start.means_[:, None])
        _maximise(start, sums, mixture.reg_covar)
        _check_positive(start)
        fitted.append(run_em(start, lambda: [(Z, sample_weight)], mixture.reg_covar))
    return max(fitted, key=lambda model: model.lower_bound_)


def run_em(mixture: GaussianMixture, batches: Callable, floor: float) -> GaussianMixture:
    """Go on with EM from a mixture's weights, means and covariances, as scikit-learn's `fit` does.

    `batches()` goes once through pairs of outputs (n, d), NaN where missing, and their weights (n,)
    or 1. The floor is added to the variances; LinAlgError is raised where a component collapses
    without one. A missing entry is integrated out: an iteration takes O(n C d) time (spherical,
    diag), or O(C (n d^2 + P d^3)) for P patterns of missing entries.
    """
    bound, mixture.n_iter_, mixture.converged_ = -np.inf, 0, False
    while mixture.n_iter_ < mixture.max_iter and not mixture.converged_:
        total = reduce(MixtureSums.plus, (_expect(mixture, Y, weights) for Y, weights in batches()))
        _maximise(mixture, total, floor)
        _check_positive(mixture)
        previous, bound = bound, total.loglikelihood / total.sizes.sum()
        mixture.n_iter_ += 1
        mixture.converged_ = abs(bound - previous) < mixture.tol
    mixture.lower_bound_, mixture.lower_bounds_ = bound, [bound]
    mixture.n_features_in_ = mixture.means_.shape[1]
    if mixture.covariance_type in ("spherical", "diag"):
        mixture.precisions_cholesky_ = 1.0 / np.sqrt(mixture.covariances_)
        mixture.precisions_ = 1.0 / mixture.covariances_
    else:
        # The transposed inverse of the lower factor: upper triangular, P = R R^T.
        eye = np.broadcast_to(np.eye(mixture.n_features_in_), mixture.covariances_.shape)
        roots = np.linalg.solve(np.linalg.cholesky(mixture.covariances_), eye).mT
        mixture.precisions_cholesky_, mixture.precisions_ = roots, roots @ roots.mT
    return mixture


def joint_log_densities(mixture: GaussianMixture, Y: NDArray) -> NDArray:
    """Log-density of the observed part of outputs under each component, times its weight: (n, C).

    Their exponentials sum to the density over components, and share it as the responsibilities do.
    Residuals are taken from each mean, so none loses digits, however far the others are.
    """
    batches = row_batches(len(Y), mixture.means_.size)
    return np.concatenate([_condition(mixture, Y[rows])[0] for rows in batches])


def conditional_means(mixture: GaussianMixture, Y: NDArray) -> NDArray:
    """Outputs (n, d) with their means, given what is observed, where they are NaN."""
    logs, residuals, _ = _condition(mixture, Y)
    shares = softmax(logs, axis=1)
    means = shares @ mixture.means_ + np.einsum("nc,cnd->nd", shares, residuals)
    return np.where(np.isnan(Y), means, Y)


def _expect(mixture: GaussianMixture, Y: NDArray, weights: NDArray | float) -> MixtureSums:
    """Sums of a batch under the present mixture (E-step)."""
    logs, residuals, spread = _condition(mixture, Y)
    norms = logsumexp(logs, axis=1)
    shares = np.exp(logs - norms[:, None]).T * weights
    return _sums(mixture.covariance_type, shares, residuals, spread, np.sum(weights * norms))


def _sums(covariance_type, shares, residuals, spread=(), loglikelihood=0.0):
    """Sums of outputs with shares (C, n) and residuals (C, n, d); `spread` is of `_condition`."""
    if covariance_type in ("spherical", "diag"):
        second = np.einsum("cn,cnd->cd", shares, np.square(residuals))
        for missing, variances in spread:
            second += (shares @ missing) * variances
    else:
        second = (shares[:, :, None] * residuals).mT @ residuals
        for rows, left in spread:
            second += shares[:, rows].sum(axis=1)[:, None, None] * left
    first = np.einsum("cn,cnd->cd", shares, residuals)
    return MixtureSums(loglikelihood, shares.sum(axis=1), first, second)


def _maximise(mixture: GaussianMixture, sums: MixtureSums, floor: float) -> None:
    """Give a mixture the weights, means and covariances that the sums ask for (M-step)."""
    sizes = sums.sizes + 10 * np.finfo(float).eps
    shift = sums.first / sizes[:, None]
    mixture.weights_, mixture.means_ = sizes / sizes.sum(), mixture.means_ + shift
    if mixture.covariance_type in ("spherical", "diag"):
        covariances = sums.second / sizes[:, None] - np.square(shift) + floor
        spherical = mixture.covariance_type == "spherical"
        mixture.covariances_ = covariances.mean(axis=1) if spherical else covariances
        return
    covariances = sums.second / sizes[:, None, None] - shift[:, :, None] * shift[:, None, :]
    if mixture.covariance_type == "tied":
        covariances = np.tensordot(mixture.weights_, covariances, 1)
    mixture.covariances_ = covariances + floor * np.eye(shift.shape[1])


def _check_positive(mixture: GaussianMixture) -> None:
    """Raise LinAlgError if a variance is not positive, as without a floor; EM cannot go on."""
    variances = mixture.covariances_
    if mixture.covariance_type not in ("spherical", "diag"):
        variances = np.diagonal(variances, axis1=-2, axis2=-1)
    if not (variances > 0).all():
        raise np.linalg.LinAlgError("A variance is not positive.")


def _condition(mixture, Z):
    """Conditional moments of outputs (n, d), NaN where missing, in each component.

    Returns the log-densities of the observed parts under each component, times its weight (n, C);
    the outputs, or their conditional means where missing, minus the component's mean (C, n, d); and
    the conditional covariances of what is missing: a list of one pair, where that is (n, d) and the
    variances (C, d), for spherical and diag, else of pairs of rows and (C, d, d) by pattern.
    """
    seen, weights, means = ~np.isnan(Z), mixture.weights_, mixture.means_
    if mixture.covariance_type in ("spherical", "diag"):
        variances = np.broadcast_to(mixture.covariances_.reshape(len(means), -1), means.shape)
        residuals = np.where(seen, Z - means[:, None], 0.0)
        distances = np.einsum("cnd,cd->nc", np.square(residuals), 1 / variances)
        logs = np.log(weights) - 0.5 * (distances + seen @ np.log(2 * np.pi * variances).T)
        return logs, residuals, [(~seen, variances)]
    full = full_precisions(mixture.covariances_, mixture.covariance_type, *means.shape)
    logs, residuals, spread = np.empty((len(Z), len(means))), Z - means[:, None], []
    patterns, which = np.unique(seen, axis=0, return_inverse=True)
    for i, pattern in enumerate(patterns):
        rows = np.flatnonzero(which.ravel() == i)
        o, u = np.flatnonzero(pattern), np.flatnonzero(~pattern)
        roots = np.linalg.cholesky(full[:, o[:, None], o])
        white = np.linalg.solve(roots, residuals[:, rows[:, None], o].mT)
        scale = np.log(np.diagonal(roots, axis1=1, axis2=2)).sum(axis=1)
        size = 0.5 * np.square(white).sum(axis=1) + scale[:, None]
        logs[rows] = np.log(weights) - size.T - 0.5 * len(o) * np.log(2 * np.pi)
        if len(u):
            gains = np.linalg.solve(roots, full[:, o[:, None], u])
            residuals[:, rows[:, None], u] = white.mT @ gains
            left = np.zeros_like(full)
            left[:, u[:, None], u] = full[:, u[:, None], u] - gains.mT @ gains
            spread.append((rows, left))
    return logs, residuals, spread
