"""OFER with weak samples as printed, equation (14), of which folds choose all at once.

It has score scaling, no intercept, and the closed form (10) as it is.
"""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from scipy.linalg import cho_solve, cholesky, solve_triangular
from sklearn.kernel_ridge import KernelRidge
from sklearn.model_selection import KFold

from ofer import GaussianMixtureEmbedding
from ofer.embeddings import CollapsedComponentWarning
from ofer.metrics import rrmse
from reproduction.engine.table import Prediction
from reproduction.methods.folds import few_enough
from reproduction.methods.weak_samples import seen

__all__ = ["WEAK_WEIGHTS", "Choice", "WeakOferAsPrinted", "condition"]

WEAK_WEIGHTS = [0.01, 0.1, 1.0, 10.0]
"""Candidates for the weight of a weak sample beside a labelled one, 2 l lambda_2 in (14)."""


class Choice(NamedTuple):
    """What has the least cross-validated error."""

    n_components: int
    alpha: float
    weight: float


@dataclass(frozen=True)
class WeakOferAsPrinted:
    """`ofer.OutputFisherRegressor` in that form, with so many weak samples.

    A mixture of one component is an exception: weak samples say nothing of it there, but with
    score scaling and no intercept even that is something, namely that predicted memberships are
    to be one.
    """

    n_weak: int
    n_components: tuple[int, ...]
    alphas: tuple[float, ...]
    """Ridges, 2 l lambda_0 in (14), one for both blocks."""
    outputs_per_component: int = 5
    n_folds: int = 5
    em: Mapping[str, float] = field(default_factory=dict)
    """Further options of the mixture."""

    def __call__(self, task):
        samples, n = seen(task, self.n_weak), len(task.Y)
        choice = self.choose(task)
        mixture = self.fit_mixture(choice.n_components, task.Y, task.seed)
        H = mixture.transform(task.Y)
        members, means = np.split(H, [choice.n_components], axis=1)
        weights = np.repeat([1.0, choice.weight], [n, len(samples.Y)])
        memberships = np.vstack([members, _tell(mixture, samples.Y)])
        ridge = KernelRidge(alpha=choice.alpha, kernel="precomputed")
        membership = ridge.fit(samples.K, memberships, sample_weight=weights).predict(
            samples.K_test
        )
        mean = ridge.fit(task.X, means).predict(task.X_test)
        chosen = {"n_components": float(choice.n_components)}
        if self.n_weak:
            chosen["weak_weight"] = choice.weight
        return Prediction(mixture.inverse_transform(np.hstack([membership, mean])), chosen)

    def choose(self, task):
        r"""Size of the mixture, ridge and weight of weak samples by the RRMSE of held-out outputs.

        In each fold the mixture is fitted to the other folds, and weak samples are told their
        memberships under it. A weak sample of weight w is one whose membership is seen with the
        noise :math:`\alpha / w`: they are conditioned on once for each ratio, and all folds share
        that.
        """
        samples, Y = seen(task, self.n_weak), task.Y
        counts = few_enough(self.n_components, len(Y), self.outputs_per_component)
        parts = []
        for train, test in KFold(self.n_folds, shuffle=True, random_state=task.seed).split(Y):
            mixtures = [self.fit_mixture(count, Y[train], task.seed) for count in counts]
            parts.append(_Part(mixtures, task, train, test))
        memberships = np.hstack([_tell(one, samples.Y) for part in parts for one in part.mixtures])
        weights = WEAK_WEIGHTS if self.n_weak else [1.0]
        pairs = [(alpha, weight) for alpha in self.alphas for weight in weights]
        means = {alpha: [part.predict_means(alpha) for part in parts] for alpha in self.alphas}
        errors = {}
        # Twelve digits: 0.1 / 0.1 and 1 / 1 are one noise.
        for noise in sorted({float(f"{alpha / weight:.12g}") for alpha, weight in pairs}):
            kernel, prior = condition(samples.K, len(Y), noise, memberships)
            priors = np.split(prior, len(parts), axis=1)
            for alpha, weight in pairs:
                if np.isclose(alpha / weight, noise):
                    for fold, fold_prior, known in zip(parts, priors, means[alpha], strict=True):
                        for count, error in fold.errors(kernel, fold_prior, alpha, known):
                            errors.setdefault(Choice(count, alpha, weight), []).append(error)
        return min(sorted(errors), key=lambda choice: np.mean(errors[choice]))

    def fit_mixture(self, n_components, Y, seed):
        """Output model of a size."""
        mixture = GaussianMixtureEmbedding(
            n_components, scaling="score", decoder="raw", random_state=seed, **self.em
        )
        with warnings.catch_warnings():
            # Few outputs for many components: the held-out error punishes a collapse.
            warnings.simplefilter("ignore", CollapsedComponentWarning)
            return mixture.fit(Y)


def condition(K, n, noise, values):
    """Kernel and mean of a Gaussian process at the first n points, given noisy values elsewhere."""
    if not len(values):
        return K, np.zeros((n, values.shape[1]))
    factor = cholesky(K[n:, n:] + noise * np.eye(len(K) - n), lower=True)
    both = solve_triangular(factor, np.hstack([K[n:, :n], values]), lower=True)
    across = both[:, :n]
    return K[:n, :n] - across.T @ across, across.T @ both[:, n:]


def _tell(mixture, Y_weak):
    """What weak labels say: embedded memberships of their outputs, of which there may be none."""
    if not len(Y_weak):
        return np.empty((0, mixture.n_components))
    return mixture.encode_membership(mixture.predict_proba(Y_weak))


class _Part:
    """A fold: mixtures of the other folds, and their targets."""

    def __init__(self, mixtures, task, train, test):
        self.mixtures, self._K = mixtures, task.X
        self._train, self._test, self._Y = train, test, task.Y[test]
        self._sizes = [mixture.n_components for mixture in mixtures]
        targets = [mixture.transform(task.Y[train]) for mixture in mixtures]
        blocks = [np.split(H, [n], axis=1) for H, n in zip(targets, self._sizes, strict=True)]
        self._members, self._means = (np.hstack(block) for block in zip(*blocks, strict=True))

    def predict_means(self, alpha):
        """Held-out predictions of the mean blocks, which know of no weak sample."""
        return np.split(self._solve(self._K, self._means, alpha), len(self.mixtures), axis=1)

    def errors(self, kernel, prior, alpha, means):
        """Size of each mixture, and its held-out error."""
        predicted = self._solve(kernel, self._members - prior[self._train], alpha)
        split = np.split(predicted + prior[self._test], np.cumsum(self._sizes)[:-1], axis=1)
        for mixture, members, mean in zip(self.mixtures, split, means, strict=True):
            decoded = mixture.inverse_transform(np.hstack([members, mean]))
            yield mixture.n_components, rrmse(self._Y, decoded)

    def _solve(self, kernel, targets, alpha):
        inner = kernel[np.ix_(self._train, self._train)] + alpha * np.eye(len(self._train))
        across = kernel[np.ix_(self._test, self._train)]
        return across @ cho_solve((cholesky(inner, lower=True), True), targets)
