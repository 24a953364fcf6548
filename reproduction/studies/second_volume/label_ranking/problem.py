"""The label-ranking benchmark: its sets, the folds of the authors' program, and the score."""

import numpy as np
from sklearn.model_selection import RepeatedKFold

from reproduction.datasets.tables.label_ranking import fetch_label_ranking
from reproduction.engine.scores import Score
from reproduction.engine.table import Task

__all__ = ["FOLDS", "KINDS", "RELEASED", "SETS", "TAU", "draw", "load_sets", "mean_tau"]

# Embeddings of rankings by name, and the one that the authors' program reads in another way.
KINDS = {"Kemeny": "kemeny", "Hamming": "hamming", "Lehmer": "lehmer"}
RELEASED = "kNN Hamming as released"

# The first six are those of the authors' main comparison.
SETS = ("iris", "wine", "glass", "vowel", "authorship", "vehicle")
SETS += ("wisconsin", "bodyfat", "housing")
FOLDS = {"n_splits": 10, "n_repeats": 5, "random_state": 1234}


def load_sets():
    """Inputs `X` and `ranks` by set."""
    return {name: fetch_label_ranking(name) for name in SETS}


def draw(data, setting, split):
    """A fold of the authors' five times ten."""
    X, Y = data[setting].X, data[setting].ranks
    train, test = [*RepeatedKFold(**FOLDS).split(X)][split]
    return Task(X[train], Y[train], X[test], Y[test], split)


def mean_tau(Y_test, outputs, Y):
    """Mean of Kendall's tau between true and predicted rankings, none of which has ties."""
    first, second = np.triu_indices(Y_test.shape[1], k=1)
    signs = (np.sign(ranks[:, first] - ranks[:, second]) for ranks in (Y_test, outputs))
    return float(np.prod([*signs], axis=0).mean())


TAU = Score("tau", mean_tau, low=-1, high=1)
