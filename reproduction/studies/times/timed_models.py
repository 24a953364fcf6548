"""The methods of the tables with given hyper-parameters, as objects to be timed."""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from sklearn.ensemble import RandomForestRegressor
from sklearn.frozen import FrozenEstimator
from sklearn.kernel_ridge import KernelRidge
from sklearn.metrics.pairwise import linear_kernel

from ofer import (
    GaussianMixtureEmbedding,
    InputOutputKernelRegressor,
    OutputFisherRegressor,
    SemanticClassifier,
    StateSpaceEmbedding,
)
from ofer.kernels import dtw_kernel, gak_bandwidth, global_alignment_kernel, median_bandwidth
from reproduction.methods import classifiers
from reproduction.methods.squared_error_ridge import squared_error_ridge
from reproduction.studies.images import tasks

__all__ = ["MODELS", "OnKernel", "Problem"]

N_TREES = 100
EM = {"max_iter": 500, "tol": 1e-5, "fit_offset": False}  # as in their table
FLOOR = {name: tasks.PARAMETERS[name] for name in ("reg_covar", "n_init")}
AS_PRINTED = {"scaling": "score", "decoder": "raw"}
ON_ROWS = ("m-RF", "m-SVM", "MLP")


class Problem(NamedTuple):
    """One split of one task."""

    X: Any
    """Training inputs of kernels."""
    X_test: Any
    """Test inputs of kernels."""
    rows: Any
    """Training inputs of trees and networks."""
    rows_test: Any
    """Their test inputs."""
    y: np.ndarray
    """Training outputs: vectors, series of one variable, or classes."""
    seed: int
    """Seeds EM, trees and networks."""
    kernel: Callable = partial(linear_kernel, dense_output=True)
    """Kernel matrix of two sets of inputs."""
    n_components: int = 1
    """Size of mixtures."""
    vectors: np.ndarray | None = None
    """Vectors of the classes."""

    def inputs(self, method):
        """Inputs that a method takes, of the training and the test set."""
        return (self.rows, self.rows_test) if method in ON_ROWS else (self.X, self.X_test)


class OnKernel:
    """A model of kernel matrices, on inputs of any kind; an axis can be added to outputs."""

    def __init__(self, problem, model, *, of_series=False):
        self._kernel, self._model, self._of_series = problem.kernel, model, of_series

    def fit(self, X, y):
        """Compute the kernel matrix, and fit the model."""
        self._X = X
        self._model.fit(self._kernel(X, X), y[..., None] if self._of_series else y)

    def predict(self, X):
        """Compute the kernel matrix, and predict."""
        predicted = self._model.predict(self._kernel(X, self._X))
        return predicted[..., 0] if self._of_series else predicted


class OfClasses:
    """A classifier of named classes with a mixture of their vectors, each vector taken once."""

    def __init__(self, problem, regressor, *, mixture, classifier, block_wise=True):
        self._vectors = problem.vectors
        self._mixture = _mixture(problem, **FLOOR, **mixture)
        self._regressor, self._block_wise, self._options = regressor, block_wise, classifier

    def fit(self, X, y):
        """Fit the mixture to the vectors, and the classifier to the inputs."""
        mixture = FrozenEstimator(self._mixture.fit(self._vectors))
        model = OutputFisherRegressor(mixture, self._regressor, block_wise=self._block_wise)
        self._model = SemanticClassifier(model, self._vectors, **self._options).fit(X, y)

    def predict(self, X):
        """Answer with classes."""
        return self._model.predict(X)


def _mixture(problem, **options):
    return GaussianMixtureEmbedding(problem.n_components, random_state=problem.seed, **options)


def _ridge_as_printed(kernel="precomputed"):
    return KernelRidge(1.0, kernel=kernel)


def _iokr(problem, output_kernel, **options):
    model = InputOutputKernelRegressor(
        [1.0], kernel="precomputed", fit_intercept=False, output_kernel=output_kernel, **options
    )
    return OnKernel(problem, model)


def _iokr_dtw(problem):
    width = np.sqrt(problem.y.shape[1]) * median_bandwidth(problem.y[:, :1])
    return _iokr(problem, dtw_kernel, output_kernel_params={"bandwidth": width})


def _iokr_gak(problem):
    width = gak_bandwidth(problem.y, random_state=problem.seed)
    return _iokr(problem, global_alignment_kernel, output_kernel_params={"bandwidth": width})


def _forest(problem):
    if problem.vectors is not None:
        return classifiers.make_forest(problem.seed)
    return RandomForestRegressor(N_TREES, max_features="sqrt", random_state=problem.seed)


def _series_as_printed(problem):
    embedding = StateSpaceEmbedding(1, scaling="score", **EM)
    model = OutputFisherRegressor(embedding, _ridge_as_printed(), block_wise=False)
    return OnKernel(problem, model, of_series=True)


def _series(problem):
    model = OutputFisherRegressor(
        StateSpaceEmbedding(1, **EM), squared_error_ridge(kernel="precomputed"), block_wise=True
    )
    return OnKernel(problem, model, of_series=True)


def _mixture_as_printed(problem):
    if problem.vectors is not None:
        return OfClasses(
            problem,
            _ridge_as_printed("linear"),
            mixture=AS_PRINTED,
            classifier={"decode": "output"},
            block_wise=False,
        )
    embedding = _mixture(problem, **AS_PRINTED)
    model = OutputFisherRegressor(embedding, _ridge_as_printed(), block_wise=False)
    return OnKernel(problem, model)


def _mixture_by_default(problem):
    if problem.vectors is not None:
        return OfClasses(
            problem, squared_error_ridge(), mixture={}, classifier={"metric": "cosine"}
        )
    model = OutputFisherRegressor(
        _mixture(problem), squared_error_ridge(kernel="precomputed"), block_wise=True
    )
    return OnKernel(problem, model)


MODELS = {
    "m-KRR": lambda p: OnKernel(p, _ridge_as_printed()),
    "m-KRR centred": lambda p: OnKernel(p, squared_error_ridge(kernel="precomputed")),
    "IOKR": lambda p: _iokr(p, "linear", preimage="gradient"),
    "IOKR rbf": lambda p: _iokr(p, "rbf", preimage="gradient"),
    "IOKR-Gaussian": lambda p: _iokr(p, "rbf"),
    "IOKR-DTW": _iokr_dtw,
    "IOKR-GAK": _iokr_gak,
    "m-RF": _forest,
    "OFER-GSSM as printed": _series_as_printed,
    "OFER-GSSM": _series,
    "OFER-GMM as printed": _mixture_as_printed,
    "OFER-GMM": _mixture_by_default,
    "m-SVM": lambda p: classifiers.OneVsRest(classifiers.PARAMETERS["svm_C_for_one"]),
    "MLP": lambda p: classifiers.Network(p.seed),
    "one-hot ridge": lambda p: SemanticClassifier(squared_error_ridge()),
    "Sem-IOKR": lambda p: SemanticClassifier(
        InputOutputKernelRegressor(fit_intercept=False), p.vectors
    ),
    "Sem-KRR": lambda p: SemanticClassifier(squared_error_ridge(fit_intercept=False), p.vectors),
}
