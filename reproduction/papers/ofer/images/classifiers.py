"""Classifiers that know no names, as Tables 11, 12 and 16 share them."""

import warnings

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import StratifiedKFold
from sklearn.neural_network import MLPClassifier
from sklearn.svm import SVC

__all__ = ["CLASSIFIERS", "PARAMETERS", "Network", "OneVsRest", "make_forest"]

PARAMETERS = {
    "svm_C": [1.0, 10.0, 100.0],
    "svm_C_for_one": 100.0,
    "n_folds": 2,
    "n_trees": 25,
    "n_hidden": 256,
    "learning_rate": 3e-3,
    "n_epochs": 60,
}


class OneVsRest:
    """Linear support vector machines, one for each class.

    Parameters
    ----------
    cost : float
        Of errors, the parameter C.
    """

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

    def predict(self, X):
        """The class of the machine with the greatest answer."""
        return (X @ self._normals + self._offsets).argmax(axis=1)


class Network:
    """A network with one hidden layer.

    Parameters
    ----------
    seed : int
        Seeds weights and batches.
    """

    def __init__(self, seed):
        self._network = MLPClassifier(
            (PARAMETERS["n_hidden"],),
            learning_rate_init=PARAMETERS["learning_rate"],
            max_iter=PARAMETERS["n_epochs"],
            random_state=seed,
        )

    def fit(self, X, y):
        """Centre and scale the inputs to be of order one, as Adam likes them, and fit."""
        self._mean, self._unit = X.mean(axis=0), np.sqrt(X.shape[1])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # the number of epochs is a choice
            self._network.fit(self._unit * (X - self._mean), y)
        return self

    def predict(self, X):
        """Predict classes."""
        return self._network.predict(self._unit * (X - self._mean))


def make_forest(seed):
    """Random forest of the tables of classification.

    Parameters
    ----------
    seed : int
        Seeds the trees.

    Returns
    -------
    RandomForestClassifier
    """
    return RandomForestClassifier(PARAMETERS["n_trees"], random_state=seed)


def _svm(task):
    cost = PARAMETERS["svm_C_for_one"]
    if task.per_class > 1:
        folds = StratifiedKFold(PARAMETERS["n_folds"], shuffle=True, random_state=task.seed)
        parts = list(folds.split(task.X, task.y))

        def errors(cost):
            return sum(
                (
                    OneVsRest(cost).fit(task.X[train], task.y[train]).predict(task.X[test])
                    != task.y[test]
                ).sum()
                for train, test in parts
            )

        cost = min(PARAMETERS["svm_C"], key=errors)
    return OneVsRest(cost)


def _forest(task):
    return make_forest(task.seed)


def _mlp(task):
    return Network(task.seed)


# Each makes a classifier for a task; the cost of the SVM is chosen on its labelled part.
CLASSIFIERS = {"m-SVM": _svm, "MLP": _mlp, "m-RF": _forest}
