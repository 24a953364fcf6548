"""Partial labels: real sets of candidates, of which nobody says which is the true one."""

import numpy as np
from sklearn.preprocessing import StandardScaler
from sklearn.utils import Bunch

from reproduction.datasets.tables.partial_labels import fetch_partial_labels
from reproduction.studies.second_volume.open_classes.problem import Problem

__all__ = ["PARAMETERS", "SETTINGS", "draw", "load_all"]

PARAMETERS = {"random_state": 2026, "test_share": 0.1, "most": 1700}
NAMES = ("lost", "msrcv2", "birdsong")
SETTINGS = tuple(f"{name} {kind}" for name in NAMES for kind in ("singletons", "none"))


def load_all():
    """Fetch the three sets."""
    return Bunch(**{name: fetch_partial_labels(name) for name in NAMES})


def draw(data, setting, split):
    """Draw training and test samples."""
    name, labelled = setting.split()
    X, y, still_open = data[name].X, data[name].y.astype(int), data[name].candidates
    rng = np.random.default_rng([PARAMETERS["random_state"], split])
    order = rng.permutation(len(y))[: PARAMETERS["most"] if name == "birdsong" else None]
    test, train = np.split(order, [round(PARAMETERS["test_share"] * len(order))])
    single = still_open[train].sum(axis=1) == 1
    n = single.sum() if labelled == "singletons" else 0
    train = train[np.argsort(~single, kind="stable")]
    scaler = StandardScaler().fit(X[train])
    X, X_test = scaler.transform(X[train]), scaler.transform(X[test])
    gamma = 0.5 / X.var(axis=0).sum()  # the rule of `KernelRidgeCV`
    return Problem(X, y[train], still_open[train], n, X_test, y[test], gamma=gamma, seed=split)
