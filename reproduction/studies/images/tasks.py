"""Images with few examples a class, and vectors of their classes, as Tables 11 to 16 share them."""

import warnings
from copy import deepcopy
from typing import NamedTuple

import numpy as np
from sklearn.preprocessing import normalize
from sklearn.utils import Bunch

from ofer import GaussianMixtureEmbedding
from ofer.embeddings import CollapsedComponentWarning

__all__ = ["PARAMETERS", "Task", "describe", "draw", "take"]

PARAMETERS = {
    "random_state": 2018,
    "n_components": list(range(1, 11)),
    "reg_covar": 0.1,
    "n_init": 10,
    "most_weak": 2500,
}


class Task(NamedTuple):
    """One split with one training size."""

    X: np.ndarray
    """Labelled inputs, (n, d)."""
    y: np.ndarray
    """Their classes."""
    X_weak: np.ndarray
    """Inputs of which a method may be told the component, in random order."""
    y_weak: np.ndarray
    """Their classes."""
    X_test: np.ndarray
    """Test inputs."""
    y_test: np.ndarray
    """Their classes."""
    per_class: int
    """Labelled images a class."""
    seed: int
    """Seeds folds, trees and networks."""


def describe(features, labels, vectors, n_components, *, largest, n_test):
    """Everything about a data set that no split changes.

    The output models are among it: they see the vectors of the classes, and no image.
    """
    options = {"reg_covar": PARAMETERS["reg_covar"], "n_init": PARAMETERS["n_init"]}
    natural, printed = {}, {}
    with warnings.catch_warnings():
        # A component for a single class is what a mixture of class vectors comes to.
        warnings.simplefilter("ignore", CollapsedComponentWarning)
        for size in n_components:
            mixture = GaussianMixtureEmbedding(size, random_state=0, **options)
            natural[size] = mixture.fit(vectors)
            if size in PARAMETERS["n_components"]:
                # Neither has a part in the fit.
                printed[size] = deepcopy(mixture).set_params(scaling="score", decoder="raw")
    return Bunch(
        X=normalize(features.astype(np.float64)),
        y=labels,
        vectors=vectors,
        natural=natural,
        printed=printed,
        largest=largest,
        n_test=n_test,
    )


def draw(y, *, largest, n_test, split, random_state):
    """Draw a test set, and an order of the other images."""
    order = np.random.default_rng([random_state, split]).permutation(len(y))
    kept = _first_of_each_class(y[order], largest)
    test = order[~kept][:n_test]
    return test, order[~np.isin(order, test)]


def _first_of_each_class(y, count):
    """Mask of the first `count` members of each class."""
    by_class = np.argsort(y, kind="stable")
    sizes = np.bincount(y)
    rank = np.empty(len(y), dtype=int)
    rank[by_class] = np.arange(len(y)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return rank < count


def take(data, per_class, split):
    """Draw a task: nested training sets with as many images of each class."""
    test, others = draw(
        data.y,
        largest=data.largest,
        n_test=data.n_test,
        split=split,
        random_state=PARAMETERS["random_state"],
    )
    labelled = _first_of_each_class(data.y[others], per_class)
    train, weak = others[labelled], others[~labelled][: PARAMETERS["most_weak"]]
    parts = [part for rows in (train, weak, test) for part in (data.X[rows], data.y[rows])]
    return Task(*parts, per_class=per_class, seed=split)
