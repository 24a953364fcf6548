"""Tables 1 to 5 under other definitions of the error (section 6.2).

The list was declared before any of it was computed, as a referee would write it down who suspects
one definition behind all levels. Data, methods and choices are those of our tables.
"""

import warnings

import numpy as np
from numpy.linalg import norm
from sklearn.exceptions import ConvergenceWarning

from ofer import (
    FullFisherEmbedding,
    GaussianEmbedding,
    GaussianMixtureEmbedding,
    OutputFisherRegressor,
)
from ofer.embeddings import CollapsedComponentWarning
from ofer.kernels import median_bandwidth
from reproduction.methods.squared_error_ridge import squared_error_ridge
from reproduction.statistics.splits import random_split
from reproduction.studies.synthetic import d1, d2
from reproduction.studies.time_series import simulated_series

__all__ = ["DEFINITIONS", "METHODS", "PARAMETERS", "evaluate", "load"]

PARAMETERS = {"D1": d1.PARAMETERS, "D2": d2.PARAMETERS, "series": simulated_series.PARAMETERS}
# Methods by printed table, in the paper's form.
METHODS = {
    "Table 1": ("full", "reduced"),
    "Table 3": ("full", "reduced"),
    "Table 4": ("m-KRR", *(f"OFER {C}-GMM as printed" for C in (1, 2, 3))),
    "Table 5": ("m-KRR", "m-RF", "IOKR-GAK", "OFER-GSSM as printed"),
}
# Of errors E of outputs Y: their size, and what it is relative to. A definition that divides by
# another constant differs from one of these by a factor, which a comparison may leave free.
DEFINITIONS = {
    "relative": "norm of all errors, over that of the outputs",
    "centred": "the same, over that of the outputs about their mean",
    "centred in training": "the same, over that of the outputs about the mean of training",
    "relative, squared": "square of the first",
    "centred, squared": "square of the second",
    "absolute": "sum of absolute errors, over that of the outputs",
    "each output": "the first for each output; then the mean",
    "each output, centred": "the second for each output; then the mean",
    "each output, squared": "square of the second for each output; then the mean",
    "each sample": "the first for each sample; then the mean",
    "each sample, squared": "square of the first for each sample; then the mean",
    "ranges": "root mean square over the range, for each output; then the mean",
    "lengths": "mean norm of a sample's error, in the unit of the outputs",
    "root mean square": "of all errors, in the unit of the outputs",
    "mean square": "of all errors, in the square of this unit",
    "of training": "the first, of the training samples",
}


def load():
    """The data of our tables."""
    return {"D1": d1.load_d1(), "D2": d2.load_d2(), "series": simulated_series.load_repetitions()}


def evaluate(data, method, setting, split):
    """Errors of one method by all definitions."""
    table, cell = setting.split(", ")
    predict = {"Table 4": _of_d2, "Table 5": _of_series}.get(table, _of_d1)
    train, test = predict(data, method, cell, split)
    return errors(*test, train[0]) | {"of training": _relative(*train)}


def errors(Y, predicted, Y_train):
    """Errors of predictions (n, d) of outputs (n, d) by all definitions but the last."""
    E, centred = predicted - Y, Y - Y.mean(axis=0)
    to_output = norm(E, axis=0) / norm(centred, axis=0)
    to_sample = norm(E, axis=1) / norm(Y, axis=1)
    root_mean_square = np.sqrt(np.square(E).mean(axis=0))
    return {
        "relative": _relative(Y, predicted),
        "centred": norm(E) / norm(centred),
        "centred in training": norm(E) / norm(Y - Y_train.mean(axis=0)),
        "relative, squared": _relative(Y, predicted) ** 2,
        "centred, squared": (norm(E) / norm(centred)) ** 2,
        "absolute": np.abs(E).sum() / np.abs(Y).sum(),
        "each output": (norm(E, axis=0) / norm(Y, axis=0)).mean(),
        "each output, centred": to_output.mean(),
        "each output, squared": np.square(to_output).mean(),
        "each sample": to_sample.mean(),
        "each sample, squared": np.square(to_sample).mean(),
        "ranges": (root_mean_square / np.ptp(Y, axis=0)).mean(),
        "lengths": norm(E, axis=1).mean(),
        "root mean square": np.sqrt(np.square(E).mean()),
        "mean square": np.square(E).mean(),
    }


def _relative(Y, predicted):
    return norm(predicted - Y) / norm(Y)


def _of_d1(data, method, cell, split):
    """Outputs and predictions, of the training part and of the test part."""
    *mixture, n_train = cell.split()
    X, Y = data["D1"].X, data["D1"].Y
    parts = random_split(len(Y), split, **d1.SPLITS)
    train = parts.train(int(n_train))
    embedding = GaussianEmbedding()
    if mixture:
        size = int(mixture[0].removesuffix("-GMM"))
        embedding = GaussianMixtureEmbedding(
            size, scaling="score", decoder="raw", random_state=split
        )
    if method == "full":
        embedding = FullFisherEmbedding(embedding)
    gamma = 1 / (2 * median_bandwidth(X[train]) ** 2)
    ridge = squared_error_ridge(kernel="rbf", gamma=gamma, fit_intercept=False)
    model = OutputFisherRegressor(embedding, ridge, block_wise=False)
    with warnings.catch_warnings():
        # As in our tables: as many components as outputs, or clusters that overlap.
        warnings.simplefilter("ignore", CollapsedComponentWarning)
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(X[train], Y[train])

    def predict(X):
        if method != "full":
            return model.predict(X)
        return model.embedding_.pre_images(model.predict_embedding(X)).outputs

    return [(Y[part], predict(X[part])) for part in (train, parts.test)]


def _of_d2(data, method, cell, split):
    X, Y = data["D2"].X, data["D2"].Y
    parts = random_split(len(Y), split, **d2.SPLITS)
    train = parts.train(int(cell))
    model = d2.select(method, X[train], Y[train], seed=split)
    return [(Y[part], model.predict(X[part])) for part in (train, parts.test)]


def _of_series(data, method, cell, split):
    series, n_train = data["series"][split], int(cell)
    first = simulated_series.PARAMETERS["n_train"]
    rows = np.r_[:n_train, first : len(series.X)]
    predicted = simulated_series.forecast(method, series, n_train, series.X[rows], seed=split)
    Y, predicted = (
        values.reshape(len(rows), -1) for values in (series.Y[rows], predicted.observed)
    )
    return [(Y[:n_train], predicted[:n_train]), (Y[n_train:], predicted[n_train:])]
