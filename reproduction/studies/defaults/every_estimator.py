"""Not in the paper: every estimator at its defaults, beside the simplest one."""

import inspect
import warnings

import numpy as np
from sklearn.base import ClassifierMixin, RegressorMixin, clone
from sklearn.linear_model import LogisticRegression, RidgeCV
from sklearn.metrics import f1_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import get_tags

import ofer
from ofer import companions
from reproduction.studies.defaults.real_sets import (
    LABELLED,
    squared_errors,
    take_part,
)

__all__ = ["CLASSIFIERS", "PARAMETERS", "REGRESSORS", "SETS", "evaluate"]

SETS = ("diabetes", "andro", "edm", "enb", *LABELLED)
PARAMETERS = {
    "n_train": 300,
    "ridges": np.logspace(-3, 3, 13).tolist(),
    "max_iter": 1000,
    "slow": ["TwinGaussianProcessCV"],  # 27 x 13 candidates, five folds of each
    "for_slow": ["andro", "edm", "iris", "wine"],
}


def exported(kind):
    """Estimators of a kind among what the package exports, by what is fitted."""
    estimators = {}
    for package in (ofer, companions):
        for name in package.__all__:
            candidate = getattr(package, name)
            if inspect.isclass(candidate) and issubclass(candidate, kind):
                estimators[name] = candidate()
                if estimators[name].get_params(deep=False).get("kernel") == "linear":
                    estimators[f"{name}, rbf"] = candidate(kernel="rbf")
    return estimators


_LOGISTIC = LogisticRegression(max_iter=PARAMETERS["max_iter"])
REGRESSORS = {
    "RidgeCV": make_pipeline(StandardScaler(), RidgeCV(PARAMETERS["ridges"])),
    **exported(RegressorMixin),
}
CLASSIFIERS = {
    "LogisticRegression": make_pipeline(StandardScaler(), _LOGISTIC),
    **exported(ClassifierMixin),
}


def evaluate(data, method, setting, split):
    """How well an estimator at its defaults predicts one set, and whether it warned."""
    name, form = setting.split(", ")
    task = take_part(data[name], form, split, n_train=PARAMETERS["n_train"])
    model = (REGRESSORS | CLASSIFIERS)[method]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        if method in REGRESSORS:
            predicted = _predict(model, task.X, task.Y, task.X_test, split)
            score = {"r2": float(1.0 - squared_errors(task, predicted).mean())}
        else:
            score = {"accuracy": _accuracy(model, task, split)}
    warned = any(issubclass(one.category, UserWarning) for one in caught)
    return score | {"warned": float(warned)}


def _predict(model, X, y, X_test, seed):
    model = clone(model)
    seeds = [key for key in model.get_params() if key.endswith("random_state")]
    predicted = model.set_params(**dict.fromkeys(seeds, seed)).fit(X, y).predict(X_test)
    return predicted.reshape(len(X_test), *y.shape[1:])


def _accuracy(model, task, seed):
    if not get_tags(model).classifier_tags.multi_label:
        predicted = _predict(model, task.X, task.labels, task.X_test, seed)
        return float(np.mean(predicted == task.labels_test))
    predicted = _predict(model, task.X, task.Y.astype(int), task.X_test, seed)
    return f1_score(task.Y_test, predicted, average="samples", zero_division=0.0)
