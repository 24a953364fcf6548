"""What becomes of missing labels on two moons, and of the objective along the algorithm."""

import numpy as np
import pandas as pd
from sklearn.datasets import make_moons

from ofer.companions import LocalStructuredPredictor
from reproduction.studies.second_volume.local_predictors.algorithm_1 import iterate_primal

__all__ = ["few_labels", "learn_missing", "objective_by_halves"]


def objective_by_halves(model, X, given):
    """Objective P(9) after each half of an iteration: the predictors, then the outputs.

    It is of two classes with the 0/1 loss, and begins with predictors that are zero.
    """
    rows = np.column_stack([X, np.ones(len(X))])  # the constant of fit_intercept
    near, y = model.neighbors_, model.initial_transduction_
    etas = [model.eta0 / (1 + model.eta0 * model.C * t) for t in range(model.n_iter)]
    values = [_objective(np.zeros((len(X), rows.shape[1], 2)), y, rows, near, model.C)]
    setting = near, model.outputs_, y, np.flatnonzero(given < 0), etas, model.C, model.y_step
    for W, _, learnt in iterate_primal(rows, np.ones(len(X), int), *setting):
        values += [_objective(W, labels, rows, near, model.C) for labels in (y, learnt)]
        y = learnt
    return values


def _objective(W, y, rows, near, C):
    values, right = rows[near] @ W, np.eye(2)[y[near]]
    bounds = (values + 1 - right).max(axis=2) - (values * right).sum(axis=2)
    return bounds.mean(axis=1).sum() + C / 2 * np.square(W).sum()


def few_labels(seed, n_given=24):
    """Two hundred points of two moons, their labels, and a few of these; -1 is a missing one."""
    X, y = make_moons(200, noise=0.1, random_state=seed)
    draw = np.random.default_rng(seed)
    chosen = [draw.choice(np.flatnonzero(y == c), n_given // 2, replace=False) for c in (0, 1)]
    given = np.full(200, -1)
    given[np.hstack(chosen)] = y[np.hstack(chosen)]
    return X, y, given


def learn_missing(n_draws):
    """Errors of missing labels in percent, by start and step, and the models of the first draw."""
    errors, of_first = [], {}
    for draw in range(n_draws):
        X, truth, given = few_labels(draw)
        hidden = given < 0
        for y_init in ("neighbors", "random"):
            for y_step in ("upper_bound", "literal"):
                params = {"n_neighbors": 20, "C": 0.1, "eta0": 1.0, "n_iter": 50}
                params |= {"fit_intercept": True, "random_state": draw}
                model = LocalStructuredPredictor(y_init=y_init, y_step=y_step, **params)
                model.fit(X, given)
                if draw == 0:
                    of_first[y_init, y_step] = model
                ends = {"start": model.initial_transduction_, y_step: model.transduction_}
                for name, labels in ends.items():
                    error = 100 * np.mean(labels[hidden] != truth[hidden])
                    errors.append((y_init, name, draw, error))
    return pd.DataFrame(errors, columns=["y_init", "labels", "draw", "error"]), of_first
