"""wOFER as printed, equation (14): score scaling, no intercept, the closed form (10) as it is."""

import warnings
from typing import NamedTuple

import numpy as np
from scipy.linalg import cho_solve, cholesky, solve_triangular
from sklearn.kernel_ridge import KernelRidge

from ofer import GaussianMixtureEmbedding
from ofer.embeddings import CollapsedComponentWarning
from ofer.metrics import rrmse

__all__ = ["WEAK_WEIGHTS", "Choice", "Problem", "choose", "condition", "predict_as_printed"]

WEAK_WEIGHTS = [0.01, 0.1, 1.0, 10.0]
"""Candidates for the weight of a weak sample beside a labelled one, 2 l lambda_2 in (14)."""


class Problem(NamedTuple):
    """Labelled and weak samples, with what a search for hyper-parameters may try."""

    K: np.ndarray
    """Kernel matrix of the labelled and then the weak inputs, (n + n_weak, n + n_weak)."""
    Y: np.ndarray
    """Outputs of the labelled, (n, d)."""
    Y_weak: np.ndarray
    """Outputs of the weak, (n_weak, d): only their memberships under the mixture are used."""
    n_components: list[int]
    """Sizes of the mixture."""
    alphas: list[float]
    """Ridges, 2 l lambda_0 in (14), one for both blocks."""
    seed: int
    """Seeds EM."""
    em: dict
    """Further parameters of the mixture."""


class Choice(NamedTuple):
    """What has the least cross-validated error."""

    n_components: int
    alpha: float
    weight: float


def predict_as_printed(problem, folds, K_test):
    """Choose all hyper-parameters by cross-validation, fit, and predict.

    It is `ofer.OutputFisherRegressor` with one ridge for both blocks, but for a mixture of one
    component, of which weak samples say nothing: with score scaling and no intercept even that
    is something, namely that predicted memberships are to be one.
    """
    choice = choose(problem, folds)
    mixture, n = _fit_mixture(problem, choice.n_components, problem.Y), len(problem.Y)
    H = mixture.transform(problem.Y)
    members, weights = H[:, : choice.n_components], np.ones(len(problem.K))
    if len(problem.Y_weak):
        told = mixture.encode_membership(mixture.predict_proba(problem.Y_weak))
        members, weights[n:] = np.vstack([members, told]), choice.weight
    ridge = KernelRidge(alpha=choice.alpha, kernel="precomputed")
    membership = ridge.fit(problem.K, members, sample_weight=weights).predict(K_test)
    mean = ridge.fit(problem.K[:n, :n], H[:, choice.n_components :]).predict(K_test[:, :n])
    return mixture.inverse_transform(np.hstack([membership, mean])), choice


def choose(problem, folds):
    r"""Size of the mixture, ridge and weight of weak samples by the RRMSE of held-out outputs.

    In each fold the mixture is fitted to the other folds, and weak samples are told their
    memberships under it. A weak sample of weight w is one whose membership is seen with the noise
    :math:`\alpha / w`: they are conditioned on once for each ratio, and all folds share that.
    """
    Y, n = problem.Y, len(problem.Y)
    weights = WEAK_WEIGHTS if len(problem.Y_weak) else [1.0]
    parts = [_Part(problem, *part) for part in folds.split(Y)]
    told = np.hstack([part.told for part in parts])
    pairs = [(alpha, weight) for alpha in problem.alphas for weight in weights]
    means = {alpha: [part.predict_means(alpha) for part in parts] for alpha in problem.alphas}
    errors = {}
    # Twelve digits: 0.1 / 0.1 and 1 / 1 are one noise.
    for noise in sorted({float(f"{alpha / weight:.12g}") for alpha, weight in pairs}):
        kernel, prior = condition(problem.K, n, noise, told)
        priors = np.split(prior, len(parts), axis=1)
        for alpha, weight in pairs:
            if np.isclose(alpha / weight, noise):
                for part, own, known in zip(parts, priors, means[alpha], strict=True):
                    for count, error in part.errors(kernel, own, alpha, known):
                        errors.setdefault(Choice(count, alpha, weight), []).append(error)
    return min(sorted(errors), key=lambda choice: np.mean(errors[choice]))


def condition(K, n, noise, told):
    """Kernel and mean of a Gaussian process at the first n points, given noisy values elsewhere."""
    if not len(told):
        return K, np.zeros((n, told.shape[1]))
    factor = cholesky(K[n:, n:] + noise * np.eye(len(K) - n), lower=True)
    both = solve_triangular(factor, np.hstack([K[n:, :n], told]), lower=True)
    across = both[:, :n]
    return K[:n, :n] - across.T @ across, across.T @ both[:, n:]


class _Part:
    """A fold: mixtures of the other folds, and their targets."""

    def __init__(self, problem, train, test):
        self._train, self._test, self._Y = train, test, problem.Y[test]
        self._K = problem.K[: len(problem.Y), : len(problem.Y)]
        self._mixtures = [
            _fit_mixture(problem, count, problem.Y[train]) for count in problem.n_components
        ]
        self._targets = [mixture.transform(problem.Y[train]) for mixture in self._mixtures]
        self.told = np.empty((0, sum(problem.n_components)))
        if len(problem.Y_weak):
            memberships = [mixture.predict_proba(problem.Y_weak) for mixture in self._mixtures]
            self.told = np.hstack(
                [
                    mixture.encode_membership(gamma)
                    for mixture, gamma in zip(self._mixtures, memberships, strict=True)
                ]
            )

    def predict_means(self, alpha):
        """Held-out predictions of the mean blocks, which know of no weak sample."""
        blocks = [
            targets[:, mixture.n_components :]
            for mixture, targets in zip(self._mixtures, self._targets, strict=True)
        ]
        found = self._solve(self._K, np.hstack(blocks), alpha)
        return np.split(found, len(blocks), axis=1)

    def errors(self, kernel, prior, alpha, means):
        """Size of each mixture, and its held-out error."""
        members = [
            targets[:, : mixture.n_components]
            for mixture, targets in zip(self._mixtures, self._targets, strict=True)
        ]
        found = self._solve(kernel, np.hstack(members) - prior[self._train], alpha)
        ends = np.cumsum([mixture.n_components for mixture in self._mixtures])[:-1]
        split = np.split(found + prior[self._test], ends, axis=1)
        for mixture, own, mean in zip(self._mixtures, split, means, strict=True):
            decoded = mixture.inverse_transform(np.hstack([own, mean]))
            yield mixture.n_components, rrmse(self._Y, decoded)

    def _solve(self, kernel, targets, alpha):
        inner = kernel[np.ix_(self._train, self._train)] + alpha * np.eye(len(self._train))
        across = kernel[np.ix_(self._test, self._train)]
        return across @ cho_solve((cholesky(inner, lower=True), True), targets)


def _fit_mixture(problem, n_components, Y):
    mixture = GaussianMixtureEmbedding(
        n_components, scaling="score", decoder="raw", random_state=problem.seed, **problem.em
    )
    with warnings.catch_warnings():
        # Few outputs for many components: the held-out error punishes a collapse.
        warnings.simplefilter("ignore", CollapsedComponentWarning)
        return mixture.fit(Y)
