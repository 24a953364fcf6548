"""Partial labels: real sets of candidates, of which nobody says which is the true one."""

import numpy as np
from sklearn.preprocessing import StandardScaler
from sklearn.utils import Bunch

from reproduction.datasets.tables.partial_labels import PARTIAL_LABELS, fetch_partial_labels
from reproduction.engine.declaration import Check, Experiment, Facts, Tolerance
from reproduction.papers.ofer.weak_classes import ridges, rivals
from reproduction.papers.ofer.weak_classes.problem import Problem, say
from reproduction.papers.ofer.weak_classes.ridges import ON_PATH, RIDGES
from reproduction.papers.ofer.weak_classes.rivals import RIVALS

__all__ = ["PARTIAL", "draw", "evaluate", "load_all"]

PARAMETERS = {"random_state": 2026, "test_share": 0.1, "most": 1700}
WHAT_IS_SAID = "weak labels"
METHODS = RIDGES | RIVALS | ON_PATH
NAMES = ("lost", "msrcv2", "birdsong")


def load_all():
    """Fetch the three sets.

    Returns
    -------
    sklearn.utils.Bunch
        By name, as from `fetch_partial_labels`.
    """
    return Bunch(**{name: fetch_partial_labels(name) for name in NAMES})


def draw(data, setting, split):
    """Draw training and test samples.

    Parameters
    ----------
    data : sklearn.utils.Bunch
        As from `load_all`.
    setting : str
        The set, and whether training samples with one candidate are called labelled ("singletons")
        or none is ("none").
    split : int
        Number of the split.

    Returns
    -------
    Problem
    """
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


def evaluate(data, method, setting, split):
    """Accuracy of one method on one split.

    Parameters
    ----------
    data : sklearn.utils.Bunch
        As from `load_all`.
    method : str
        One of the experiment's methods; "weak labels" is what they say.
    setting : str
        As in `draw`.
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


# What these do with labelled samples they do with samples of one candidate.
_WITHOUT = ("self-training, no weak label", "exact labels alone")
_NAMES = tuple(name for name in METHODS if name not in _WITHOUT)
_NONE = tuple(name for name in _NAMES if name not in ("labelled only", "self-training, restricted"))
SETTINGS = tuple(f"{name} {kind}" for name in NAMES for kind in ("singletons", "none"))
PARTIAL = Experiment(
    id="ofer-partial-labels",
    title="Partial labels: faces, segments of photographs, and songs of birds",
    load=load_all,
    evaluate=evaluate,
    methods=(*_NAMES, WHAT_IS_SAID),
    settings=SETTINGS,
    n_splits=10,
    parameters=PARAMETERS | {"ridges": ridges.PARAMETERS, "rivals": rivals.PARAMETERS},
    datasets=tuple(one.name for one in PARTIAL_LABELS.values()),
    methods_of={one: (*_NONE, WHAT_IS_SAID) for one in SETTINGS if one.endswith("none")},
    check=Check(settings=("lost singletons",), methods=("labelled only", "averaged", "gain")),
    # A sample near a border of two classes may change sides on another processor.
    tolerance=Tolerance(atol={"accuracy": 1.5}),
    facts=Facts(test_train_ratio=dict.fromkeys(SETTINGS, 1.0 / 9.0)),
)
