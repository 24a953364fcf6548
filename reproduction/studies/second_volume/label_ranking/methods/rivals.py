"""Rivals without an embedding: regression of the ranks, and sorting."""

from dataclasses import dataclass

import numpy as np

from reproduction.engine.table import Prediction
from reproduction.methods.forest import Forest
from reproduction.studies.second_volume.label_ranking.methods.embedded import neighbors_by_folds

__all__ = ["ForestOfRanks", "majority", "mean_rank"]


def majority(task):
    """The order of the mean ranks of the training part, for everybody."""
    order = _sort(task.Y.mean(axis=0)[None])
    return Prediction(np.repeat(order, len(task.X_test), axis=0))


def mean_rank(task):
    """Neighbours' mean ranks, sorted."""
    ranks, chosen = neighbors_by_folds(task.X, task.Y, task.X_test)
    return Prediction(_sort(ranks), chosen)


@dataclass(frozen=True)
class ForestOfRanks:
    """A forest's ranks, sorted."""

    forest: Forest

    def __call__(self, task):
        return Prediction(_sort(self.forest(task).outputs))


def _sort(values):
    """Ranks of the labels by predicted values; of equal ones the first label is first."""
    return 1.0 + values.argsort(axis=1, kind="stable").argsort(axis=1)
