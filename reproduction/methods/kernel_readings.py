"""Methods on a kernel and on the Gaussian of its distances, with an intercept and without.

One protocol for all: folds choose what a method has to choose, on inputs that are decomposed once
for all outputs.
"""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import NamedTuple

import numpy as np
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import KFold

from ofer import (
    GaussianMixtureEmbedding,
    InputOutputKernelRegressor,
    KernelSystem,
    OutputFisherRegressor,
)
from ofer.embeddings import CollapsedComponentWarning
from ofer.metrics import rrmse
from reproduction.engine.table import Prediction
from reproduction.methods.decomposed_ridge import DecomposedRidge
from reproduction.methods.folds import few_enough

__all__ = ["IokrReading", "MixtureReading", "RidgeReading", "gaussian"]


class Choice(NamedTuple):
    """Hyper-parameters; None where a method or a kernel has no such."""

    width: float | None
    n_components: int | None
    alpha: float | None


@dataclass(frozen=True)
class RidgeReading:
    """Ridge regression of the outputs."""

    intercept: bool
    widths: tuple[float | None, ...] = (None,)
    """Of the Gaussian in units of the median distance; None is the kernel as it is."""
    alphas: tuple[float | None, ...] = (None,)
    n_folds: int = 5

    def __call__(self, task):
        choice = self.choose(task)
        K_test, K = kernels(task.X_test, task.X, choice.width)
        chosen = {name: float(v) for name, v in choice._asdict().items() if v is not None}
        return Prediction(self.fit_and_predict(choice, K, task.Y, K_test, task.seed), chosen)

    def choose(self, task):
        """Hyper-parameters of the least mean error over folds of the training part."""
        K, Y, counts = task.X, task.Y, self.counts(len(task.Y))
        choices = [Choice(*choice) for choice in product(self.widths, counts, self.alphas)]
        errors = {choice: [] for choice in choices}
        folds = KFold(self.n_folds, shuffle=True, random_state=task.seed)
        for train, test in folds.split(Y):
            embeddings = {count: self.embed(count, Y[train], task.seed) for count in counts}
            for width in self.widths:
                inputs = kernels(K[np.ix_(test, train)], K[np.ix_(train, train)], width)
                system = self.decompose(inputs[1])
                for choice in choices:
                    if choice.width == width:
                        embedding = embeddings[choice.n_components]
                        predicted = self.predict(choice, system, embedding, Y[train], *inputs)
                        errors[choice].append(rrmse(Y[test], predicted))
        return min(errors, key=lambda choice: np.mean(errors[choice]))

    def fit_and_predict(self, choice, K, Y, K_test, seed):
        """Outputs of test samples."""
        embedding = self.embed(choice.n_components, Y, seed)
        return self.predict(choice, self.decompose(K), embedding, Y, K_test, K)

    def decompose(self, K):
        """Inputs of the ridge regressions."""
        return KernelSystem.from_kernel(K, fit_intercept=self.intercept)

    def counts(self, n_train):
        """Numbers of components to try; ridge regression has none."""
        return [None]

    def embed(self, n_components, Y, seed):
        """Output model; ridge regression has none."""

    def predict(self, choice, system, embedding, Y, K_test, K):
        """Outputs of test samples, on inputs that are decomposed."""
        return system.solve(Y, choice.alpha).predict(K_test)


@dataclass(frozen=True)
class IokrReading(RidgeReading):
    """IOKR with a linear output kernel: it predicts what ridge regression does, and chooses so."""

    def fit_and_predict(self, choice, K, Y, K_test, seed):
        """Outputs of test samples, by the estimator itself."""
        model = InputOutputKernelRegressor(
            [choice.alpha],
            kernel="precomputed",
            fit_intercept=self.intercept,
            output_kernel="linear",
            preimage="gradient",
        )
        return model.fit(K, Y).predict(K_test)


@dataclass(frozen=True, kw_only=True)
class MixtureReading(RidgeReading):
    """OFER: as printed with one ridge that folds choose, or with one a block by leave-one-out."""

    n_components: tuple[int, ...]
    outputs_per_component: int = 5
    em: Mapping[str, float] = field(default_factory=dict)
    """Further options of the mixture."""

    def counts(self, n_train):
        """Numbers of components that leave each enough outputs on average."""
        return few_enough(self.n_components, n_train, self.outputs_per_component)

    def embed(self, n_components, Y, seed):
        """The mixture of the outputs; in the form as printed with scores as they are."""
        options = {"random_state": seed, **self.em}
        if self.alphas != (None,):
            options |= {"scaling": "score", "decoder": "raw"}
        with warnings.catch_warnings():
            # Ten samples for two components: a collapse is what the folds are there to punish.
            warnings.simplefilter("ignore", CollapsedComponentWarning)
            return GaussianMixtureEmbedding(n_components, **options).fit(Y)

    def predict(self, choice, system, embedding, Y, K_test, K):
        """Outputs of test samples, on inputs that are decomposed."""
        if choice.alpha is not None:
            solution = system.solve(embedding.transform(Y), choice.alpha)
            return embedding.inverse_transform(solution.predict(K_test))
        ridge = DecomposedRidge([system], pairwise=True)
        model = OutputFisherRegressor(FrozenEstimator(embedding), ridge, block_wise=True)
        return model.fit(K, Y).predict(K_test)


def kernels(K_test, K, width):
    """Kernel matrices as they are, or the Gaussian of their distances."""
    if width is None:
        return K_test, K
    return gaussian(K_test, K, width), gaussian(K, K, width)


def gaussian(K, K_train, width):
    r"""Gaussian kernel of the distances that belong to a normalised kernel.

    With :math:`k(x, x) = 1` the distance in feature space is :math:`d^2 = 2 - 2 k(x, x')`, and the
    result is :math:`\exp(-d^2 / (2 w^2 m))` with m the median of d^2 over training samples.
    """
    apart = 2.0 - 2.0 * K_train[np.triu_indices(len(K_train), 1)]
    return np.exp(-(1.0 - K) / (width**2 * np.median(apart[apart > 0])))
