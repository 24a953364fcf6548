"""Random forests."""

from dataclasses import dataclass

from reproduction.engine.table import Prediction
from reproduction.statistics.selection import select_forest

__all__ = ["Forest"]


@dataclass(frozen=True)
class Forest:
    """A random forest on features; its out-of-bag error chooses how many a split may look at."""

    n_trees: int
    max_features: tuple[str | float, ...]

    def __call__(self, task):
        options = {"n_trees": self.n_trees, "max_features": self.max_features, "seed": task.seed}
        return Prediction(select_forest(task.X, task.Y, **options).predict(task.X_test))
