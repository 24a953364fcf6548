"""OFER with weak samples, of which the membership in a mixture of the outputs is known."""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from sklearn.frozen import FrozenEstimator

from ofer import (
    GaussianMixtureEmbedding,
    KernelSystem,
    Memberships,
    OutputFisherRegressor,
)
from ofer.embeddings import CollapsedComponentWarning
from ofer.metrics import rrmse
from reproduction.engine.table import Prediction
from reproduction.methods.decomposed_ridge import DecomposedRidge
from reproduction.methods.folds import few_enough
from reproduction.methods.weak_samples import seen

__all__ = ["ImputedRidge", "WeakOfer", "WithTwoComponents"]


@dataclass(frozen=True)
class WeakOfer:
    """Our form, with the responsibilities of the weak under the mixture of the labelled.

    The number of components has the least leave-one-out error on the labelled samples.
    """

    n_weak: int
    n_components: tuple[int, ...]
    outputs_per_component: int = 5
    intercept: bool = True
    em: Mapping[str, float] = field(default_factory=dict)
    """Further options of the mixture."""

    def __call__(self, task):
        return choose(self.candidates(task))

    def candidates(self, task):
        """By number of components, the error on the labelled samples and the test outputs."""
        samples, results = seen(task, self.n_weak), {}
        systems = [
            KernelSystem.from_kernel(samples.K[:size, :size], fit_intercept=self.intercept)
            for size in {len(task.Y), len(samples.K)}
        ]
        ridge = DecomposedRidge(systems, pairwise=True)
        for count in few_enough(self.n_components, len(task.Y), self.outputs_per_component):
            mixture = GaussianMixtureEmbedding(count, random_state=task.seed, **self.em)
            with warnings.catch_warnings():
                # Ten samples for two components: the leave-one-out error punishes a collapse.
                warnings.simplefilter("ignore", CollapsedComponentWarning)
                mixture.fit(task.Y)
            left_out, outputs = self.predict(ridge, mixture, task, samples)
            results[count] = rrmse(task.Y, left_out), outputs
        return results

    def predict(self, ridge, mixture, task, samples):
        """Outputs of labelled samples without these, and those of test samples."""
        weak = None
        if self.n_weak and mixture.n_components > 1:  # weak labels of one component say nothing
            responsibilities = mixture.predict_proba(samples.Y)
            weak = Memberships(samples.K[len(task.Y) :], responsibilities, weight=1.0)
        model = OutputFisherRegressor(FrozenEstimator(mixture), ridge, block_wise=True)
        model.fit(task.X, task.Y, weak=weak)
        return model.loo_predict(), model.predict(samples.K_test[:, : model.n_features_in_])


@dataclass(frozen=True)
class ImputedRidge(WeakOfer):
    """Ridge regression, with the mean of its components as the output of a weak sample."""

    def predict(self, ridge, mixture, task, samples):
        """Outputs of labelled samples without these, and those of test samples."""
        imputed = mixture.predict_proba(samples.Y) @ mixture.means_
        model = ridge.fit(samples.K, np.vstack([task.Y, imputed]))
        return task.Y - model.loo_residuals_[: len(task.Y)], model.predict(samples.K_test)


@dataclass(frozen=True)
class WithTwoComponents:
    """A method, and beside its error the one that it has with two components."""

    method: WeakOfer

    def __call__(self, task):
        candidates = self.method.candidates(task)
        outputs, chosen = choose(candidates)
        error = rrmse(task.Y_test, candidates[2][1])
        return Prediction(outputs, {**chosen, "rrmse of two components": error})


def choose(candidates):
    """The candidate of least error."""
    # Where the largest ridge leaves a constant, sizes differ by roundoff alone: the least then.
    best = min(candidates, key=lambda count: round(candidates[count][0], 10))
    return Prediction(candidates[best][1], {"n_components": float(best)})
