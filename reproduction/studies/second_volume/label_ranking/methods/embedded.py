"""Kernel ridge regression and neighbours in an embedding, as in the authors' program."""

from dataclasses import dataclass

import numpy as np
from sklearn.metrics import r2_score
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.neighbors import KNeighborsRegressor

from ofer import RankingEmbedding
from reproduction.engine.table import Prediction

__all__ = ["ALPHAS", "NEIGHBORS", "Embedded", "Misread", "neighbors_by_folds", "ridge_by_folds"]

ALPHAS = tuple(factor * 10.0**-i for i in range(6) for factor in (1.0, 5.0))  # and widths
NEIGHBORS = (1, 2, 3, 4, 5, 8, 10, 15, 20, 30, 50)


def neighbors_by_folds(X, H, X_test):
    """Mean over the nearest neighbours; their number by five folds."""
    search = GridSearchCV(KNeighborsRegressor(), {"n_neighbors": NEIGHBORS}, cv=5)
    search.fit(X, H)
    return search.predict(X_test), {"k": search.best_params_["n_neighbors"]}


def ridge_by_folds(X, H, X_test):
    """Ridge regression without intercept; ridge and width by five folds.

    A grid search of scikit-learn's `KernelRidge`, with one decomposition for all ridges.
    """
    scores = np.mean(
        [
            [
                [r2_score(H[test], found) for found in _path(X[train], H[train], X[test], gamma)]
                for gamma in ALPHAS
            ]
            for train, test in KFold(5).split(X)
        ],
        axis=0,
    )
    width, ridge = np.unravel_index(scores.argmax(), scores.shape)
    gamma = ALPHAS[width]
    predicted = [*_path(X, H, X_test, gamma)][ridge]
    return predicted, {"alpha": ALPHAS[ridge], "gamma": gamma}


def _path(X, H, X_test, gamma):
    """Predictions with each ridge."""
    values, vectors = np.linalg.eigh(rbf_kernel(X, gamma=gamma))
    left, right = rbf_kernel(X_test, X, gamma=gamma) @ vectors, vectors.T @ H
    return ((left / (np.maximum(values, 0.0) + alpha)) @ right for alpha in ALPHAS)


@dataclass(frozen=True)
class Embedded:
    """Regression in an embedding of rankings, and its pre-image."""

    kind: str
    regress: object  # ``regress(X, H, X_test)`` gives predictions and what was chosen

    def __call__(self, task):
        embedding = RankingEmbedding(self.kind).fit(task.Y)
        # The program has zeros and ones for pairs, which matters without an intercept.
        shift = float(self.kind == "kemeny")
        predicted, chosen = self.regress(task.X, embedding.transform(task.Y) + shift, task.X_test)
        return Prediction(embedding.inverse_transform(predicted - shift), chosen)


@dataclass(frozen=True)
class Misread:
    """Labels in their predicted order, from the second one on, in the place of ranks.

    The program takes these for ranks when it scores the embedding by positions.
    """

    method: Embedded

    def __call__(self, task):
        ranks, chosen = self.method(task)
        return Prediction(np.roll(ranks.argsort(axis=1), -1, axis=1), chosen)
