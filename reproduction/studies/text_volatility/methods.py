"""From words to a series: regressions, an output kernel of series, and a state-space model.

The forms as printed follow the paper's protocol, cross-validation in five folds; these keep the
calls of a company together. Ours choose ridges by exact leave-one-out and the number of states by
the likelihood of held-out companies.
"""

import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.linalg import solve
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import LinearRegression
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GroupKFold

from ofer import (
    InputOutputKernelRegressor,
    LinearGaussianSSM,
    OutputFisherRegressor,
    StateSpaceEmbedding,
)
from ofer.kernels import dtw_distance, gak_bandwidth, global_alignment_kernel, median_bandwidth
from ofer.metrics import rrmse
from reproduction.engine.table import Prediction
from reproduction.methods.squared_error_ridge import squared_error_ridge
from reproduction.statistics.selection import select_by_folds

__all__ = [
    "SeriesIokr",
    "alignment_grams",
    "gaussian_grams",
    "ofer",
    "ofer_as_printed",
    "past",
    "past_and_text",
    "ridge_as_printed",
    "warping_grams",
]

ALPHAS = np.logspace(-1, 1.5, 6).tolist()
WIDTH_FACTORS = (1.0, 3.0, 10.0)
N_STATES = (1, 2)
# The model of the paper, without offsets; the initial mean and a slow state hold the level. An
# offset changes our errors by 0.2 % at most.
MODEL = {"fit_offset": False, "max_iter": 500, "tol": 1e-5}


def past(task):
    """Log-volatility goes on: least squares on the one before the call, without the text."""
    fold = task.weak
    return Prediction(LinearRegression().fit(fold.past, fold.Y).predict(fold.past_test))


def past_and_text(task):
    """The text explains what the past leaves over."""
    fold = task.weak
    before = LinearRegression().fit(fold.past, fold.Y)
    ridge = squared_error_ridge(kernel="precomputed")
    ridge.fit(task.X, fold.Y - before.predict(fold.past))
    return Prediction(before.predict(fold.past_test) + ridge.predict(task.X_test))


def ridge_as_printed(task):
    """m-KRR as printed: no intercept, and folds choose the ridge parameter."""
    model, grid = KernelRidge(kernel="precomputed"), {"alpha": ALPHAS}
    options = {"groups": task.weak.company}
    model = select_by_folds(model, grid, task.X, task.Y, _folds(task), **options)
    return Prediction(model.predict(task.X_test))


@dataclass(frozen=True)
class SeriesIokr:
    """The series of the training part that is nearest in the feature space of an output kernel.

    Width and ridge are chosen together by the error of predictions: leave-one-out errors in the
    feature spaces of two widths cannot be compared. The weights of the training series in the
    predictions hang on the ridge alone.
    """

    gram_matrices: Callable
    """``gram_matrices(Y, seed)`` gives one for each factor of the width."""

    def __call__(self, task):
        grams = self.gram_matrices(task.Y, task.seed)

        def candidates(train, test):
            K, K_test = task.X[np.ix_(train, train)], task.X[np.ix_(train, test)]
            inner = {factor: gram[np.ix_(train, train)] for factor, gram in grams.items()}
            for alpha in ALPHAS:
                weights = solve(K + alpha * np.eye(len(K)), K_test, assume_a="pos").T
                for factor, gram in inner.items():
                    nearest = (np.diag(gram) - 2.0 * weights @ gram).argmin(axis=1)
                    yield (factor, alpha), task.Y[train][nearest]

        factor, alpha = choose_by_folds(candidates, task)
        model = InputOutputKernelRegressor(
            [alpha], kernel="precomputed", output_kernel="precomputed", fit_intercept=False
        )
        with warnings.catch_warnings():
            # Time warping gives no positive semi-definite kernel; its ridge is chosen without that.
            warnings.filterwarnings("ignore", "output_kernel is not positive semi-definite")
            model.fit(task.X, grams[factor])
            return Prediction(task.Y[model.predict(task.X_test)])


def gaussian_grams(Y, seed):
    """Gaussian kernel of the series as vectors, a matrix a factor of the median width."""
    width = median_bandwidth(Y, random_state=seed)
    return {f: rbf_kernel(Y, gamma=1.0 / (2.0 * (f * width) ** 2)) for f in WIDTH_FACTORS}


def warping_grams(Y, seed):
    """Gaussian of the time warping distance, by the same rule; a function of Y alone."""
    distances = dtw_distance(Y)
    width = np.median(distances[distances > 0])
    return {f: np.exp(-np.square(distances / (f * width)) / 2.0) for f in WIDTH_FACTORS}


def alignment_grams(Y, seed):
    """Global alignment kernel, with the rule of its author."""
    width = gak_bandwidth(Y, random_state=seed)
    return {f: global_alignment_kernel(Y, bandwidth=f * width) for f in WIDTH_FACTORS}


def ofer_as_printed(task):
    """Score scaling, one ridge for all blocks, no intercept."""

    def candidates(train, test):
        K, K_test = task.X[np.ix_(train, train)], task.X[np.ix_(test, train)]
        for n_states in N_STATES:
            embedding = StateSpaceEmbedding(n_states, scaling="score", **MODEL)
            frozen = FrozenEstimator(embedding.fit(task.Y[train, :, None]))
            for alpha in ALPHAS:
                model = _fit(frozen, KernelRidge(alpha, kernel="precomputed"), K, task.Y[train])
                yield (n_states, alpha), model.predict(K_test)[:, :, 0]

    n_states, alpha = choose_by_folds(candidates, task)
    embedding = StateSpaceEmbedding(n_states, scaling="score", **MODEL)
    model = _fit(embedding, KernelRidge(alpha, kernel="precomputed"), task.X, task.Y)
    return Prediction(model.predict(task.X_test)[:, :, 0], {"n_states": float(n_states)})


def ofer(task):
    """Natural scaling, a ridge and an intercept a block."""
    n_states = _choose_states(task)
    embedding, ridge = StateSpaceEmbedding(n_states, **MODEL), squared_error_ridge
    model = _fit(embedding, ridge(kernel="precomputed"), task.X, task.Y, block_wise=True)
    return Prediction(model.predict(task.X_test)[:, :, 0], {"n_states": float(n_states)})


def _fit(embedding, ridge, K, Y, *, block_wise=False):
    return OutputFisherRegressor(embedding, ridge, block_wise=block_wise).fit(K, Y[:, :, None])


def _choose_states(task):
    """Number of states under which series of held-out companies are most likely."""
    series = task.Y[:, :, None]
    folds = list(_folds(task).split(series, groups=task.weak.company))

    def held_out(n_states):
        model = LinearGaussianSSM(n_states, **MODEL)
        return sum(
            clone(model).fit(series[train]).loglikelihood(series[test]).sum()
            for train, test in folds
        )

    return max(N_STATES, key=held_out)


def choose_by_folds(candidates, task):
    """Choice with the least mean RRMSE over inner folds.

    `candidates(train, test)` yields pairs of a choice and its predictions.
    """
    errors = {}
    for train, test in _folds(task).split(task.Y, groups=task.weak.company):
        for choice, predicted in candidates(train, test):
            errors.setdefault(choice, []).append(rrmse(task.Y[test], predicted))
    return min(errors, key=lambda choice: np.mean(errors[choice]))


def _folds(task):
    return GroupKFold(5, shuffle=True, random_state=task.seed)
