"""Statements of section 2 that a computation decides, by listing all outputs."""

from itertools import product

import numpy as np
from sklearn.datasets import make_moons

from ofer.companions import LocalStructuredPredictor
from reproduction.studies.second_volume.local_predictors.algorithm_1 import iterate_primal

__all__ = ["PARAMETERS", "STEPS", "evaluate"]

PARAMETERS = {
    "n_cases": 50,
    "n_features": 3,
    "n_classes": 4,
    "parents": (-1, 0, 0, 1, 1, 2, 2, 5, 5),  # a tree with the leaves 3, 4, 6, 7 and 8
    "n_labels": 3,
    "n_steps": 4,
    "step": 1e-6,
    "C": 0.1,
    "moons": {
        "n_samples": 60,
        "noise": 0.1,
        "every": 5,  # sample is labelled
        "n_neighbors": 10,
        "eta0": 1.0,
        "n_iter": 20,
    },
}
STEPS = {"step (16)": "literal", "upper-bound step": "upper_bound"}


def evaluate(data, method, setting, split):
    """One statement in random cases, or along a run of the algorithm."""
    if setting == "two moons":
        return {"rises": _rises(STEPS[method], split)}
    rng = np.random.default_rng([split, *map(ord, setting)])
    outputs, losses, features = _space(setting)
    values = [
        (_violation if method == "bound (6)" else _deviation)(rng, outputs, losses, features)
        for _ in range(PARAMETERS["n_cases"])
    ]
    return {"violation" if method == "bound (6)" else "deviation": max(values)}


def _space(setting):
    """All outputs, the losses of all pairs, and the joint representation of an input with each."""
    if setting == "classes":
        n = PARAMETERS["n_classes"]
        return range(n), 1.0 - np.eye(n), lambda x: np.kron(np.eye(n), x)
    if setting == "tree":
        return _tree()
    n, length = PARAMETERS["n_labels"], PARAMETERS["n_steps"]
    outputs = list(product(range(n), repeat=length))

    def features(x):  # counts of transitions, and the sum of the features of each label
        x = x.reshape(length, -1)
        rows = []
        for labels in outputs:
            moves = np.zeros((n, n))
            np.add.at(moves, (labels[:-1], labels[1:]), 1)
            rows.append(np.concatenate([moves.ravel(), (np.eye(n)[list(labels)].T @ x).ravel()]))
        return np.array(rows)

    return outputs, 1.0 - np.eye(len(outputs)), features


def _tree():
    """Leaves; the loss is the height of the first common ancestor."""
    parents = PARAMETERS["parents"]
    above = [{node} for node in range(len(parents))]
    for node, parent in enumerate(parents):
        if parent >= 0:
            above[node] |= above[parent]
    leaves = [node for node in range(len(parents)) if node not in parents]
    depths = [len(nodes) for nodes in above]
    heights = [max(depths[leaf] - depths[n] for leaf in leaves if n in above[leaf]) for n in
               range(len(parents))]  # fmt: skip
    losses = np.array([[min(heights[n] for n in above[a] & above[b]) for b in leaves] for a in
                       leaves], dtype=float)  # fmt: skip
    codes = np.array([[node in above[leaf] for node in range(len(parents))] for leaf in leaves])
    return leaves, losses, lambda x: np.array([np.kron(code, x) for code in codes.astype(float)])


def _draw(rng, outputs, features):
    """An input with all outputs, weights, and the number of an output."""
    size = PARAMETERS["n_features"] * (
        PARAMETERS["n_steps"] if isinstance(outputs[0], tuple) else 1
    )
    joint = features(rng.normal(size=size))
    scale = 10.0 ** rng.uniform(-2, 2)
    return joint, scale * rng.normal(size=joint.shape[1]), int(rng.integers(len(outputs)))


def _violation(rng, outputs, losses, features):
    """How far the loss of the prediction (2) is above (6)."""
    joint, w, y = _draw(rng, outputs, features)
    scores = joint @ w
    bound = (scores - scores[y] + losses[y]).max()
    return max(0.0, losses[y, scores.argmax()] - bound)


def _deviation(rng, outputs, losses, features):
    """The sub-gradient of one neighbourhood of three against differences of its objective (10)."""
    draws = [_draw(rng, outputs, features) for _ in range(3)]
    w, C = draws[0][1] / np.abs(draws[0][1]).max(), PARAMETERS["C"]

    def objective(w):
        hinges = [(joint @ w - joint[y] @ w + losses[y]).max() for joint, _, y in draws]
        return np.mean(hinges) + C / 2 * w @ w

    chosen = [(joint @ w + losses[y]).argmax() for joint, _, y in draws]
    moves = [joint[z] - joint[y] for (joint, _, y), z in zip(draws, chosen, strict=True)]
    printed = np.mean(moves, axis=0) + C * w
    steps = PARAMETERS["step"] * np.eye(len(w))
    numerical = [(objective(w + s) - objective(w - s)) / (2 * PARAMETERS["step"]) for s in steps]
    return np.abs(printed - numerical).max() / np.abs(printed).max()


def _rises(y_step, split):
    """Share of the updates of outputs that raise the objective, on two moons."""
    given, C = PARAMETERS["moons"], PARAMETERS["C"]
    n = given["n_samples"]
    X, y_true = make_moons(n, noise=given["noise"], random_state=split)
    labels = np.where(np.arange(n) % given["every"] == 0, y_true, -1)
    rows = np.column_stack([X, np.ones(n)])  # the constant of fit_intercept
    options = {name: given[name] for name in ("n_neighbors", "eta0", "n_iter")}
    start = {"y_init": "random", "random_state": split, "fit_intercept": True, "C": C}
    model = LocalStructuredPredictor(y_step=y_step, **options, **start).fit(X, labels)
    near, y = model.neighbors_, model.initial_transduction_

    def objective(W, y):  # (9), two classes with the 0/1 loss
        values, right = rows[near] @ W, np.eye(2)[y[near]]
        bounds = (values + 1 - right).max(axis=2) - (values * right).sum(axis=2)
        return bounds.mean(axis=1).sum() + C / 2 * np.square(W).sum()

    etas = [given["eta0"] / (1 + given["eta0"] * C * t) for t in range(given["n_iter"])]
    steps = (near, model.outputs_, y, np.flatnonzero(labels < 0), etas, C, y_step)
    rises = []
    for W, _, learnt in iterate_primal(rows, np.ones(n, int), *steps):
        rises.append(objective(W, learnt) > objective(W, y) + 1e-9)
        y = learnt
    return float(np.mean(rises))
