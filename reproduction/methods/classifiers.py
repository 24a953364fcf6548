"""Classifiers that know no names, as Tables 11, 12 and 16 share them."""

import warnings
from functools import partial
from itertools import product

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import StratifiedKFold
from sklearn.neural_network import MLPClassifier
from sklearn.svm import SVC

from reproduction.methods.mean_rank import mean_rank

__all__ = ["CHOICES", "CLASSIFIERS", "PARAMETERS", "Network", "OneVsRest", "make_forest"]

PARAMETERS = {
    "svm_C": [1.0, 10.0, 100.0],  # where the search for a cost begins
    "svm_C_for_one": 100.0,  # no sample of one image per class reaches it: the hard margin
    "n_folds": 2,
    "n_trees": 25,
    "n_hidden": 256,
    "learning_rate": 3e-3,
    "n_epochs": 60,
}
# What Tables 11 and 12 choose from. Of one image per class nothing can be left out: there the
# network has the width and the rate of scikit-learn.
CHOICES = {
    "least_and_greatest_cost": [1e-3, 1e4],
    "n_trees": 500,
    "max_features": ["log2", "sqrt"],
    "n_hidden": [64, 256],
    "learning_rate": [1e-3, 1e-2],
    "n_epochs": 10_000,  # none comes near: it ends when the loss no longer falls
    "for_one": {"n_hidden": 100, "learning_rate": 1e-3},
}


class OneVsRest:
    """Linear support vector machines, one for each class."""

    def __init__(self, cost):
        self._cost = cost

    def fit(self, X, y):
        """Fit a machine for each class."""
        K = X @ X.T
        self._normals, self._offsets = np.empty((X.shape[1], y.max() + 1)), np.empty(y.max() + 1)
        for label in range(y.max() + 1):
            machine = SVC(kernel="precomputed", C=self._cost).fit(K, y == label)
            # scikit-learn's own decision function takes as long as everything else together.
            self._normals[:, label] = machine.dual_coef_[0] @ X[machine.support_]
            self._offsets[label] = machine.intercept_[0]
        return self

    def decision_function(self, X):
        """Answers of the machines."""
        return X @ self._normals + self._offsets

    def predict(self, X):
        """The class of the machine with the greatest answer."""
        return self.decision_function(X).argmax(axis=1)


class Network:
    """A network with one hidden layer."""

    def __init__(self, seed, *, n_hidden=None, learning_rate=None, n_epochs=None):
        self._network = MLPClassifier(
            (n_hidden or PARAMETERS["n_hidden"],),
            learning_rate_init=learning_rate or PARAMETERS["learning_rate"],
            max_iter=n_epochs or PARAMETERS["n_epochs"],
            random_state=seed,
        )

    def fit(self, X, y):
        """Centre and scale the inputs to be of order one, as Adam likes them, and fit."""
        self._mean, self._unit = X.mean(axis=0), np.sqrt(X.shape[1])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # the number of epochs is a choice
            self._network.fit(self._unit * (X - self._mean), y)
        return self

    def decision_function(self, X):
        """Probabilities of the classes."""
        return self._network.predict_proba(self._unit * (X - self._mean))

    def predict(self, X):
        """Predict classes."""
        return self._network.predict(self._unit * (X - self._mean))


def make_forest(seed):
    """Random forest with nothing chosen."""
    return RandomForestClassifier(PARAMETERS["n_trees"], random_state=seed)


def _svm(task):
    """The best cost; where it lies at an end, one more decade is tried there."""
    ranks, least_greatest = {}, CHOICES["least_and_greatest_cost"]
    if task.per_class == 1:
        return OneVsRest(PARAMETERS["svm_C_for_one"]), {}
    wanted = PARAMETERS["svm_C"]
    while wanted:
        ranks |= {cost: _left_out(partial(OneVsRest, cost), task) for cost in wanted}
        best = min(ranks, key=ranks.get)
        beyond = {min(ranks): best / 10, max(ranks): best * 10}.get(best)
        wanted = [beyond] if beyond and best not in least_greatest else []
    return OneVsRest(best), {"cost": best, "rank": ranks[best]}


def _forest(task):
    """The share of inputs that is tried at a split, by predictions out of bag."""

    def make(**options):
        return make_forest(task.seed).set_params(n_estimators=CHOICES["n_trees"], **options)

    if task.per_class == 1:
        return make(), {}
    candidates = []
    for max_features in CHOICES["max_features"]:
        forest = make(max_features=max_features, oob_score=_no_score)
        votes = np.nan_to_num(forest.fit(task.X, task.y).oob_decision_function_)
        candidates.append((mean_rank(votes, task.y), forest))
    rank, best = min(candidates, key=lambda candidate: candidate[0])
    share = best.estimators_[0].max_features_ / task.X.shape[1]
    return FrozenEstimator(best), {"features tried": share, "rank": rank}


def _no_score(y, predicted):
    """Votes out of bag are wanted, and nothing that is made of them."""
    return 0.0


def _mlp(task):
    """The width and the rate."""
    make = partial(Network, task.seed, n_epochs=CHOICES["n_epochs"])
    if task.per_class == 1:
        return make(**CHOICES["for_one"]), {}
    grid = [
        {"n_hidden": width, "learning_rate": rate}
        for width, rate in product(CHOICES["n_hidden"], CHOICES["learning_rate"])
    ]
    ranks = [_left_out(partial(make, **options), task) for options in grid]
    best = grid[int(np.argmin(ranks))]
    return make(**best), {**best, "rank": min(ranks)}


def _left_out(make, task):
    """Mean rank of the true class among predictions for a fold by a fit without it."""
    folds = StratifiedKFold(PARAMETERS["n_folds"], shuffle=True, random_state=task.seed)
    scores = np.empty((len(task.y), task.y.max() + 1))
    for kept, held in folds.split(task.X, task.y):
        fitted = make().fit(task.X[kept], task.y[kept])
        scores[held] = fitted.decision_function(task.X[held])
    return mean_rank(scores, task.y)


# Each makes a classifier for a task, and says what it has chosen on its labelled part.
CLASSIFIERS = {"m-SVM": _svm, "MLP": _mlp, "m-RF": _forest}
