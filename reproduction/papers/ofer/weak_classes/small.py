"""Weak labels of handwritten digits and wines: groups of classes, and two candidates."""

import numpy as np
from sklearn.datasets import load_digits, load_wine
from sklearn.preprocessing import StandardScaler
from sklearn.utils import Bunch

from reproduction.engine.declaration import Check, Experiment, Facts, Tolerance
from reproduction.papers.ofer.weak_classes import ridges, rivals
from reproduction.papers.ofer.weak_classes.problem import Problem, say
from reproduction.papers.ofer.weak_classes.ridges import RIDGES
from reproduction.papers.ofer.weak_classes.rivals import RIVALS

__all__ = ["SMALL", "draw", "evaluate", "load_both"]

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
PER_CLASS, WHAT_IS_SAID = (1, 3, 10), "weak labels"
KINDS = ("wine two", "wine groups", "digits two", "digits parity", "digits groups")
METHODS = {name: method for name, method in (RIDGES | RIVALS).items() if name[:5] != "exact"}


def load_both():
    """Digits and wines.

    Returns
    -------
    sklearn.utils.Bunch
        `digits` and `wine`, each with `data` and `target`.
    """
    return Bunch(digits=load_digits(), wine=load_wine())


def draw(data, setting, split):
    """Draw labelled, weak and test samples; the test samples are those of all settings of a set.

    Parameters
    ----------
    data : sklearn.utils.Bunch
        As from `load_both`.
    setting : str
        The set, the kind of label, and the number of labelled samples a class.
    split : int
        Number of the split.

    Returns
    -------
    Problem
    """
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


def evaluate(data, method, setting, split):
    """Accuracy of one method on one split.

    Parameters
    ----------
    data : sklearn.utils.Bunch
        As from `load_both`.
    method : str
        One of the experiment's methods; "weak labels" is what they say.
    setting : str
        The set, the kind of label, and the number of labelled samples a class.
    split : int
        Number of the split.

    Returns
    -------
    dict of str to float
        The metric "accuracy" in percent; of the weak labels "open classes" and "exact".
    """
    problem = draw(data, setting, split)
    if method == WHAT_IS_SAID:
        return say(problem)
    return {"accuracy": 100.0 * np.mean(METHODS[method](problem) == problem.y_test)}


def _test_train_ratio(setting):
    """Test samples over all that a method may learn from."""
    name, _, per_class = setting.split()
    n_all, n_classes = {"digits": (1797, 10), "wine": (178, 3)}[name]
    n_test, n = PARAMETERS["n_test"][name], n_classes * int(per_class)
    return n_test / (n + min(PARAMETERS["n_weak"], n_all - n_test - n))


SETTINGS = tuple(f"{kind} {number}" for kind in KINDS for number in PER_CLASS)
SMALL = Experiment(
    id="ofer-weak-small",
    title="Classes that weak labels leave open: handwritten digits and wines",
    load=load_both,
    evaluate=evaluate,
    methods=(*METHODS, WHAT_IS_SAID),
    settings=SETTINGS,
    n_splits=10,
    parameters=PARAMETERS | {"ridges": ridges.PARAMETERS, "rivals": rivals.PARAMETERS},
    check=Check(settings=("wine groups 1", "digits groups 3")),
    # A sample near a border of two classes may change sides on another processor.
    tolerance=Tolerance(atol={"accuracy": 1.5}),
    facts=Facts(
        test_train_ratio={one: _test_train_ratio(one) for one in SETTINGS},
        origin=dict.fromkeys(SETTINGS, "substitute"),  # of scikit-learn
    ),
)
