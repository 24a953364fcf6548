"""Not in the paper: outputs below a detection limit, where labelled samples are those above."""

import numpy as np
from sklearn.impute import SimpleImputer
from sklearn.utils import Bunch

from ofer import Bounds, GaussianMixtureEmbedding, OutputFisherRegressor
from reproduction.studies.second_volume.bounds.bounds import load

__all__ = [
    "BOUNDED", "CLIPPED", "DETECTED", "HALF", "KNOWN", "LIMIT", "PARAMETERS", "RATES", "evaluate",
    "load_positive",
]  # fmt: skip

PARAMETERS = {"n_train": 200, "n_test": 400, "n_outputs": 4, "n_values": 40, "random_state": 2031}
RATES = (0.2, 0.4)
DETECTED, LIMIT, HALF = "detected only", "limit put in", "half the limit"
CLIPPED, BOUNDED, KNOWN = "clip and refit", "OFER, bounds", "all known"


def load_positive():
    """Inputs `X` and the first outputs `Y` that are positive and of many values, by set."""
    found = {"concentrations": _concentrations()}
    for name, data in load().items():
        values = [len(np.unique(column)) for column in data.Y.T]
        many = np.array(values) > PARAMETERS["n_values"]
        columns = np.flatnonzero((data.Y > 0).all(axis=0) & many)
        if columns.size:
            found[name] = Bunch(X=data.X, Y=data.Y[:, columns[: PARAMETERS["n_outputs"]]])
    return found


def _concentrations():
    """Outputs whose logarithms follow the inputs, as concentrations do: many are near zero."""
    rng = np.random.default_rng(PARAMETERS["random_state"])
    X = rng.normal(size=(600, 4))
    logs = 1.5 * np.tanh(X @ rng.normal(size=(4, 3))) + 0.3 * rng.normal(size=(600, 3))
    return Bunch(X=X, Y=np.exp(logs))


def evaluate(data, method, setting, split):
    """Mean error over outputs, each with its own limit, relative to that of the training mean."""
    name, rate = setting.rsplit(", ", 1)
    task = _draw(data[name], split)
    errors = []
    for y, y_test in zip(task.Y.T, task.Y_test.T, strict=True):
        limit = np.quantile(y, float(rate.rstrip(" %")) / 100)
        predicted = _fit(task.X, y, limit, method).predict(task.X_test)
        trivial = np.square(y_test - y.mean()).sum()
        errors.append(np.sqrt(np.square(predicted - y_test).sum() / trivial))
    return {"arrmse": float(np.mean(errors))}


def _draw(data, split):
    rng = np.random.default_rng([PARAMETERS["random_state"], split])
    order = rng.permutation(len(data.X))
    n = min(PARAMETERS["n_train"], len(order) // 2)
    train, test = order[:n], order[n : n + PARAMETERS["n_test"]]
    X = SimpleImputer(keep_empty_features=True).fit(data.X[train]).transform(data.X)
    return Bunch(X=X[train], Y=data.Y[train], X_test=X[test], Y_test=data.Y[test])


def _fit(X, y, limit, method):
    """A fitted model; all are one regressor, and differ in what they are told below the limit."""
    model = OutputFisherRegressor(GaussianMixtureEmbedding(1))
    below = y <= limit
    if method == BOUNDED:
        return model.fit(X[~below], y[~below], weak=Bounds(X[below], 0.0, limit))
    if method == DETECTED:
        return model.fit(X[~below], y[~below])
    filled = {LIMIT: limit, HALF: limit / 2, KNOWN: y[below]}
    if method == CLIPPED:
        alone = model.fit(X[~below], y[~below]).predict(X[below])
        filled[CLIPPED] = np.clip(alone, 0.0, limit)
    known = y.copy()
    known[below] = filled[method]
    return model.fit(X, known)
