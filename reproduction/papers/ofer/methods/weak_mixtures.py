"""OFER with weak samples, of which the membership in a mixture of the outputs is known."""

import warnings
from dataclasses import dataclass

import numpy as np

from ofer import GaussianMixtureEmbedding, OutputFisherRegressor
from ofer.embeddings import CollapsedComponentWarning
from ofer.metrics import rrmse
from reproduction.engine.table import Prediction
from reproduction.papers.ofer.methods.folds import few_enough
from reproduction.papers.ofer.ridge import squared_error_ridge

__all__ = ["ImputedRidge", "WeakOfer"]


@dataclass(frozen=True)
class WeakOfer:
    """Our form, with the responsibilities of the weak under the mixture of the labelled.

    The number of components has the least leave-one-out error on the labelled samples.
    """

    n_weak: int
    n_components: tuple[int, ...]
    outputs_per_component: int = 5

    def __call__(self, task):
        samples, found = task.weak.first(self.n_weak), []
        for count in few_enough(self.n_components, len(task.Y), self.outputs_per_component):
            mixture = GaussianMixtureEmbedding(count, random_state=task.seed)
            with warnings.catch_warnings():
                # Ten samples for two components: the leave-one-out error punishes a collapse.
                warnings.simplefilter("ignore", CollapsedComponentWarning)
                model, left_out = self.fit(mixture, task, samples)
            found.append((rrmse(task.Y, left_out), count, model))
        _, count, model = min(found, key=lambda one: one[0])
        outputs = model.predict(samples.K_test[:, : model.n_features_in_])
        return Prediction(outputs, {"n_components": float(count)})

    def fit(self, mixture, task, samples):
        """The model with this mixture, and its predictions of labelled samples without these."""
        model = OutputFisherRegressor(
            mixture, squared_error_ridge(kernel="precomputed"), block_wise=True
        )
        weak = {}
        if self.n_weak and mixture.n_components > 1:  # weak labels of one component say nothing
            mixture.fit(task.Y)
            weak["X_weak"] = samples.K[len(task.Y) :]
            weak["membership_weak"] = mixture.predict_proba(samples.Y)
        model.fit(task.X, task.Y, weak_weight=1.0, **weak)
        return model, model.loo_predict()


@dataclass(frozen=True)
class ImputedRidge(WeakOfer):
    """Ridge regression, with the mean of its components as the output of a weak sample."""

    def fit(self, mixture, task, samples):
        """The ridge with this mixture, and its predictions of labelled samples without these."""
        imputed = mixture.fit(task.Y).predict_proba(samples.Y) @ mixture.means_
        model = squared_error_ridge(kernel="precomputed")
        model.fit(samples.K, np.vstack([task.Y, imputed]))
        return model, task.Y - model.loo_residuals_[: len(task.Y)]
