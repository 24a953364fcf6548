"""Local structured predictors and simple methods on the small digits, few of which have labels."""

import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import normalize
from sklearn.utils import Bunch

from ofer.companions import LocalStructuredPredictor
from reproduction.studies.second_volume.local_predictors.baselines.comparison import (
    semi_supervised_baselines,
)

__all__ = [
    "NEIGHBORS",
    "PARAMETERS",
    "SIMPLE",
    "STEPS",
    "TUNED",
    "evaluate",
    "load_unit_digits",
    "split_digits",
]

SIMPLE = (
    "majority",
    "linear SVM",
    "k-NN",
    "self-training",
    "label spreading",
    "structured perceptron",
    "Laplacian ridge",
)  # not the Laplacian SVM: another processor may choose another penalty for it
STEPS = {
    f"{start}, {step or 'none'}": {"y_init": start, "y_step": step}
    for start in ("neighbors", "random")
    for step in (None, "literal", "upper_bound")
}
PARAMETERS = {
    "n_train": 600,
    "n_test": 300,
    "labelled": 0.3,
    "n_folds": 2,  # that choose the parameters of simple methods
    "local": {"C": 0.1, "eta0": 1.0},
    "steps": STEPS,
}
NEIGHBORS = {"10 neighbours": 10, "30 neighbours": 30}
TUNED = "simple methods"


def load_unit_digits():
    """Digits of scikit-learn, as rows of unit length, which suit a step size of one."""
    X, y = load_digits(return_X_y=True)
    return Bunch(X=normalize(X), y=y)


def split_digits(data, split):
    """Draw a training and a test part, and the training labels that are given."""
    n = PARAMETERS["n_train"]
    X, X_test, y, y_test = train_test_split(
        data.X, data.y, train_size=n, test_size=PARAMETERS["n_test"], stratify=data.y,
        random_state=split,
    )  # fmt: skip
    labelled = np.random.default_rng(split).random(n) < PARAMETERS["labelled"]
    return X, y, np.where(labelled, y, -1), X_test, y_test


def evaluate(data, method, setting, split):
    """Errors of one method on one split, in per cent."""
    X, truth, given, X_test, y_test = split_digits(data, split)
    if setting == TUNED:
        models = semi_supervised_baselines(n_splits=PARAMETERS["n_folds"], random_state=0)
        return {"test error": 100.0 * (1.0 - models[method].fit(X, given).score(X_test, y_test))}
    options = PARAMETERS["local"] | STEPS[method] | {"n_neighbors": NEIGHBORS[setting]}
    model = LocalStructuredPredictor(random_state=0, **options).fit(X, given)
    hidden = given < 0
    return {
        "unlabelled": 100.0 * np.mean(model.transduction_[hidden] != truth[hidden]),
        "test error": 100.0 * (1.0 - model.score(X_test, y_test)),
    }
