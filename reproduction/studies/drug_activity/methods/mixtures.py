"""OFER with a Gaussian mixture of the outputs; folds choose the number of components."""

from dataclasses import dataclass

from ofer import GaussianMixtureEmbedding, OutputFisherRegressor
from reproduction.engine.table import Prediction
from reproduction.methods.folds import few_enough, fit_by_folds
from reproduction.methods.squared_error_ridge import squared_error_ridge

__all__ = ["OferByFolds"]


@dataclass(frozen=True)
class OferByFolds:
    """Our form: intercepts, and exact leave-one-out chooses a ridge parameter for each block."""

    n_components: tuple[int, ...]
    outputs_per_component: int = 5
    n_folds: int = 5

    def __call__(self, task):
        model = OutputFisherRegressor(
            GaussianMixtureEmbedding(random_state=task.seed),
            squared_error_ridge(kernel="precomputed"),
            block_wise=True,
        )
        counts = few_enough(self.n_components, len(task.Y), self.outputs_per_component)
        grid = {"embedding__n_components": counts}
        model = fit_by_folds(model, grid, task, self.n_folds)
        n_components = float(model.embedding_.n_components)
        return Prediction(model.predict(task.X_test), {"n_components": n_components})
