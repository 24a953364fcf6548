"""Input output kernel regression."""

from dataclasses import dataclass

import numpy as np
from sklearn.kernel_ridge import KernelRidge

from ofer import InputOutputKernelRegressor
from ofer.kernels import median_bandwidth
from reproduction.engine.table import Prediction
from reproduction.methods.folds import fit_by_folds

__all__ = ["GaussianIokr", "IokrByFolds"]


@dataclass(frozen=True)
class IokrByFolds:
    """IOKR as printed: a linear output kernel, no intercept, and folds choose the ridge."""

    alphas: tuple[float, ...]
    n_folds: int = 5

    def __call__(self, task):
        # With a linear output kernel it is ridge regression, which is quicker on the folds.
        grid = {"alpha": list(self.alphas)}
        ridge = fit_by_folds(KernelRidge(kernel="precomputed"), grid, task, self.n_folds)
        model = InputOutputKernelRegressor(
            [ridge.alpha],
            kernel="precomputed",
            fit_intercept=False,
            output_kernel="linear",
            preimage="gradient",
        )
        return Prediction(model.fit(task.X, task.Y).predict(task.X_test))


@dataclass(frozen=True)
class GaussianIokr:
    """IOKR with a Gaussian output kernel; folds choose its width, leave-one-out the ridge."""

    widths: tuple[float, ...]
    """Widths of the output kernel in units of the median distance."""
    n_folds: int = 5

    def __call__(self, task):
        median = median_bandwidth(task.Y)
        widths = median * np.array(self.widths)
        model = InputOutputKernelRegressor(kernel="precomputed", preimage="gradient")
        model = fit_by_folds(model, {"output_gamma": 1.0 / (2.0 * widths**2)}, task, self.n_folds)
        width = 1.0 / np.sqrt(2.0 * model.output_gamma_)
        return Prediction(model.predict(task.X_test), {"output_width": width / median})
