"""Weak labels of handwritten digits and wines: groups of classes, and two candidates."""

import numpy as np
from sklearn.datasets import load_digits, load_wine
from sklearn.preprocessing import StandardScaler
from sklearn.utils import Bunch

from reproduction.studies.second_volume.open_classes.problem import Problem

__all__ = ["KINDS", "PARAMETERS", "SETTINGS", "draw", "load_both", "test_train_ratio"]

PARAMETERS = {
    "random_state": 2026,
    "n_weak": 200,
    "n_test": {"digits": 600, "wine": 71},
    "groups": {
        "digits groups": [0, 0, 0, 1, 1, 2, 2, 2, 3, 3],
        "digits parity": [0, 1] * 5,
        "wine groups": [0, 1, 1],
    },
}
PER_CLASS = 1, 3, 10
KINDS = ("wine two", "wine groups", "digits two", "digits parity", "digits groups")
SETTINGS = tuple(f"{kind} {number}" for kind in KINDS for number in PER_CLASS)


def load_both():
    """Digits and wines."""
    return Bunch(digits=load_digits(), wine=load_wine())


def draw(data, setting, split):
    """Draw labelled, weak and test samples; the test samples are those of all settings of a set."""
    name, kind, per_class = setting.split()
    inputs, y = data[name].data, data[name].target
    rng = np.random.default_rng([PARAMETERS["random_state"], split])
    order = rng.permutation(len(y))
    test, others = np.split(order, [PARAMETERS["n_test"][name]])
    ranks = np.array([(y[others[:i]] == k).sum() for i, k in enumerate(y[others])])
    labelled = others[ranks < int(per_class)]
    weak = others[ranks >= int(per_class)][: PARAMETERS["n_weak"]]
    seen, n, indicators = np.append(labelled, weak), len(labelled), np.eye(y.max() + 1, dtype=bool)
    still_open = indicators[y[seen]]
    if kind == "two":
        steps = rng.integers(1, len(indicators), size=len(weak))
        still_open[n:] |= indicators[(y[weak] + steps) % len(indicators)]
    else:
        groups = np.array(PARAMETERS["groups"][f"{name} {kind}"])
        still_open[n:] = groups == groups[y[weak]][:, None]
    scaler = StandardScaler().fit(inputs[seen])
    X, X_test = scaler.transform(inputs[seen]), scaler.transform(inputs[test])
    gamma = 0.5 / X.var(axis=0).sum()  # the rule of `KernelRidgeCV`
    return Problem(X, y[seen], still_open, n, X_test, y[test], gamma=gamma, seed=split)


def test_train_ratio(setting):
    """Test samples over all that a method may learn from."""
    name, _, per_class = setting.split()
    n_all, n_classes = {"digits": (1797, 10), "wine": (178, 3)}[name]
    n_test, n = PARAMETERS["n_test"][name], n_classes * int(per_class)
    return n_test / (n + min(PARAMETERS["n_weak"], n_all - n_test - n))
