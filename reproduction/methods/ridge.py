"""Ridge regression of the outputs."""

from dataclasses import dataclass

import numpy as np
from sklearn.kernel_ridge import KernelRidge

from reproduction.engine.table import Prediction
from reproduction.methods.folds import fit_by_folds
from reproduction.methods.squared_error_ridge import squared_error_ridge

__all__ = ["RidgeByFolds", "centred_ridge", "known_outputs"]


@dataclass(frozen=True)
class RidgeByFolds:
    """m-KRR as printed: no intercept, and folds choose the ridge parameter."""

    alphas: tuple[float, ...]
    n_folds: int = 5

    def __call__(self, task):
        grid = {"alpha": list(self.alphas)}
        model = fit_by_folds(KernelRidge(kernel="precomputed"), grid, task, self.n_folds)
        return Prediction(model.predict(task.X_test))


def centred_ridge(task):
    """Ridge regression with an intercept; leave-one-out chooses the ridge parameter."""
    model = squared_error_ridge(kernel="precomputed").fit(task.X, task.Y)
    return Prediction(model.predict(task.X_test))


def known_outputs(task):
    """The same with the outputs of all weak samples, which nobody knows: a bound for others."""
    model = squared_error_ridge(kernel="precomputed")
    model.fit(task.weak.K, np.vstack([task.Y, task.weak.Y]))
    return Prediction(model.predict(task.weak.K_test))
