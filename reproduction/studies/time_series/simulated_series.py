"""Table 5: the second half of simulated series from the first (section 6.2)."""

import warnings
from functools import partial
from typing import NamedTuple

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.kernel_ridge import KernelRidge
from sklearn.metrics import make_scorer
from sklearn.model_selection import GridSearchCV, KFold

from ofer import (
    InputOutputKernelRegressor,
    LinearGaussianSSM,
    OutputFisherRegressor,
    StateSpaceEmbedding,
)
from ofer.kernels import gak_bandwidth, global_alignment_kernel
from ofer.metrics import rrmse
from reproduction.datasets.generated.state_space_series import make_state_space_series
from reproduction.methods.squared_error_ridge import squared_error_ridge
from reproduction.statistics.selection import select_by_folds, select_forest

__all__ = ["METHODS", "N_REPETITIONS", "PARAMETERS", "evaluate", "forecast", "load_repetitions"]

PARAMETERS = {
    "n_train": 1000,
    "n_test": 1000,
    "random_state": 2018,
    "n_folds": 5,
    "alphas": np.logspace(-3, 4, 15).tolist(),
    "n_trees": 100,
    "max_features": ["sqrt", 1 / 3, 1.0],
    "bandwidth_factors": [0.3, 1.0, 3.0],
    "n_states": [1, 2, 3],
    "max_iter": 200,
}
# The series have mean zero, as the model of the paper, which has no offsets; fitting them would
# add noise: 0.2 % to the errors at twenty series.
MODEL = {"fit_offset": False}
N_REPETITIONS = 10


class Forecast(NamedTuple):
    """What a method says of the second half of some series."""

    observed: np.ndarray
    """Series, (n, T, p)."""
    states: np.ndarray | None
    """Paths behind them, (n, T, d); None where a method knows nothing of the true states."""


def load_repetitions():
    """Series of all repetitions, generated anew for each."""
    first, n_samples = PARAMETERS["random_state"], PARAMETERS["n_train"] + PARAMETERS["n_test"]
    return [
        make_state_space_series(n_samples, random_state=first + k) for k in range(N_REPETITIONS)
    ]


def evaluate(data, method, setting, split):
    """Errors of one method in one repetition with one training size."""
    series, test = data[split], slice(PARAMETERS["n_train"], None)
    predicted = forecast(method, series, int(setting), series.X[test], seed=split)
    errors = {"rrmse observed": _series_rrmse(series.Y[test], predicted.observed)}
    if predicted.states is not None:
        errors["rrmse latent"] = _series_rrmse(series.states[test], predicted.states)
    return errors


def forecast(method, data, n_train, X, *, seed):
    """Fit a method to the first series and forecast others.

    All choices see the training series alone. The forms as printed choose by cross-validation in
    five folds; ours choose ridges by exact leave-one-out, and what else there is by the same
    folds; the forest chooses its features by out-of-bag error.
    """
    training = (data[name][:n_train] for name in _Training._fields[:-1])
    return METHODS[method](_Training(*training, data.model), X, seed)


class _Training(NamedTuple):
    """Training part of a data set, by its names; the true model is for `_forecast_best` alone."""

    X: np.ndarray
    Y: np.ndarray
    states: np.ndarray
    series: np.ndarray
    paths: np.ndarray
    model: LinearGaussianSSM


def _forecast_as_vectors(learn, train, X, seed):
    """Two regressions that know nothing of time: of the series, and of the paths."""
    predictions = []
    for target in (train.Y, train.states):
        model = learn(train.X, target.reshape(len(target), -1), seed)
        predictions.append(model.predict(X).reshape(-1, *target.shape[1:]))
    return Forecast(*predictions)


def _learn_ridge_as_printed(X, Y, seed):
    grid = {"alpha": PARAMETERS["alphas"]}
    return select_by_folds(KernelRidge(kernel="linear"), grid, X, Y, _folds(seed))


def _learn_centred_ridge(X, Y, seed):
    return squared_error_ridge().fit(X, Y)


def _learn_forest(X, Y, seed):
    return select_forest(
        X, Y, n_trees=PARAMETERS["n_trees"], max_features=PARAMETERS["max_features"], seed=seed
    )


def _forecast_iokr(train, X, seed):
    """The nearest training output in the feature space of alignments; its path comes along."""
    first = gak_bandwidth(train.Y, random_state=seed)
    grams = [
        global_alignment_kernel(train.Y, bandwidth=factor * first)
        for factor in PARAMETERS["bandwidth_factors"]
    ]
    best = min(grams, key=lambda gram: _iokr_error(gram, train, seed))
    chosen = _choose_outputs(best, train.X, X)
    return Forecast(train.Y[chosen], train.states[chosen])


def _iokr_error(gram, train, seed):
    """Cross-validated RRMSE; the Gram matrix is cut into folds, since alignments are costly."""
    errors = []
    for kept, left in _folds(seed).split(train.X):
        chosen = _choose_outputs(gram[np.ix_(kept, kept)], train.X[kept], train.X[left])
        errors.append(_series_rrmse(train.Y[left], train.Y[kept][chosen]))
    return np.mean(errors)


def _choose_outputs(gram, X_train, X):
    """Indices of training outputs."""
    model = InputOutputKernelRegressor(PARAMETERS["alphas"], output_kernel="precomputed")
    return model.fit(X_train, gram).predict(X)


def _forecast_ofer_as_printed(train, X, seed):
    model = OutputFisherRegressor(
        StateSpaceEmbedding(2, scaling="score", **MODEL),
        KernelRidge(kernel="linear"),
        block_wise=False,
    )
    grid = {"regressor__alpha": PARAMETERS["alphas"]}
    return _decode(_select(model, grid, train, seed, states=train.states), X)


def _forecast_ofer(train, X, seed):
    model = OutputFisherRegressor(
        StateSpaceEmbedding(2, **MODEL), squared_error_ridge(), block_wise=True
    )
    return _decode(model.fit(train.X, train.Y, states=train.states), X)


def _forecast_ofer_smoothed(train, X, seed):
    """The states stay hidden: those of EM are true ones up to a linear map only."""
    embedding = StateSpaceEmbedding(max_iter=PARAMETERS["max_iter"], **MODEL)
    model = OutputFisherRegressor(embedding, squared_error_ridge(), block_wise=True)
    with warnings.catch_warnings():
        # Twenty series for three states: the likelihood may creep, and the folds will judge.
        warnings.simplefilter("ignore", ConvergenceWarning)
        grid = {"embedding__n_states": PARAMETERS["n_states"]}
        model = _select(model, grid, train, seed)
    return Forecast(model.predict(X), None)


def _forecast_kalman(train, X, seed):
    """No regression at all: the model of whole series, and its own forecast."""
    model = LinearGaussianSSM(2, **MODEL).fit(train.series, train.paths)
    return _go_on(model, train, X)


def _forecast_best(train, X, seed):
    return _go_on(train.model, train, X)


def _go_on(model, train, X):
    future = model.forecast(X.reshape(len(X), -1, train.Y.shape[2]), train.Y.shape[1])
    return Forecast(future.means, future.state_means)


def _decode(model, X):
    return Forecast(model.predict(X), model.predict_states(X))


def _select(model, grid, train, seed, **states):
    """Fit with the values of the grid that have the least cross-validated RRMSE."""
    scoring = make_scorer(_series_rrmse, greater_is_better=False)
    search = GridSearchCV(model, grid, cv=_folds(seed), scoring=scoring, error_score="raise")
    # States are cut into folds along with the samples.
    return search.fit(train.X, train.Y, **states).best_estimator_


def _folds(seed):
    return KFold(PARAMETERS["n_folds"], shuffle=True, random_state=seed)


def _series_rrmse(Y, predicted):
    return rrmse(Y.reshape(len(Y), -1), predicted.reshape(len(Y), -1))


METHODS = {
    "m-KRR": partial(_forecast_as_vectors, _learn_ridge_as_printed),
    "m-KRR centred": partial(_forecast_as_vectors, _learn_centred_ridge),
    "m-RF": partial(_forecast_as_vectors, _learn_forest),
    "IOKR-GAK": _forecast_iokr,
    "OFER-GSSM as printed": _forecast_ofer_as_printed,
    "OFER-GSSM": _forecast_ofer,
    "OFER-GSSM smoothed": _forecast_ofer_smoothed,
    "Kalman fitted": _forecast_kalman,
    "Bayes": _forecast_best,
}
