"""Objects as vectors by generative models, and the classifiers that these are given to."""

import warnings
from typing import NamedTuple

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedShuffleSplit
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from ofer.companions import (
    FisherKernelLearner,
    LargeMarginNearestNeighbor,
    PairwiseMRF,
    PairwiseMRFClassifier,
)

__all__ = ["PARAMETERS", "REPRESENTATIONS", "Vectors", "classify", "represent"]

PARAMETERS = {
    "max_iter": 30,
    "tol": 1e-4,
    "learner_max_iter": 40,
    "learner_tol": 1e-5,
    "C": [0.01, 0.1, 1.0, 10.0],
    "held_out": 0.2,
    "n_neighbors": 3,
    "margin_dimensions": 30,
    "margin_max_iter": 30,
}


class Vectors(NamedTuple):
    """Training and test objects as vectors."""

    train: np.ndarray
    """Of shape (n_train, p)."""
    test: np.ndarray
    """Of shape (n_test, p)."""
    predicted: np.ndarray | None = None
    """Classes by Bayes' rule, where there is a model for each class."""
    objective: float | None = None
    """What Fisher kernel learning has reached."""


def represent(method, n_states, train, y, test, *, model, seed):
    """Turn objects into vectors.

    Parameters
    ----------
    method : str
        One of `REPRESENTATIONS`.
    n_states : int
        Hidden states of a model.
    train, test : list
        Objects, see `ofer.companions.PairwiseMRF`.
    y : ndarray of shape (n_train,)
        Classes of the training objects.
    model : dict
        Options of the models: emissions, symmetry.
    seed : int
        Seeds their starts.

    Returns
    -------
    Vectors
    """
    with warnings.catch_warnings():
        # The number of iterations is a choice, and damped propagation may stop short of a digit.
        warnings.simplefilter("ignore", ConvergenceWarning)
        return REPRESENTATIONS[method](n_states, train, y, test, {**model, "random_state": seed})


def _likelihoods(n_states, train, y, test, options):
    """Log-likelihoods under a model for each class."""
    fitted = PairwiseMRFClassifier(_likely(n_states, options)).fit(train, y)
    return Vectors(fitted.transform(train), fitted.transform(test), fitted.predict(test))


def _scores(n_states, train, y, test, options):
    """Scores under one model for all."""
    fitted = _likely(n_states, options).fit(train)
    return Vectors(fitted.score_vectors(train), fitted.score_vectors(test))


def _learned(n_states, train, y, test, options):
    return _learn(n_states, train, y, test, options | {"init_max_iter": PARAMETERS["max_iter"]})


def _learned_as_printed(n_states, train, y, test, options):
    """From a random start, by alternation."""
    return _learn(
        n_states, train, y, test, options | {"init": "random", "optimizer": "alternating"}
    )


def _learn(n_states, train, y, test, options):
    budget = {"max_iter": PARAMETERS["learner_max_iter"], "tol": PARAMETERS["learner_tol"]}
    learner = FisherKernelLearner(n_states, **budget, **options).fit(train, y)
    vectors = (learner.transform(train), learner.transform(test))
    return Vectors(*vectors, objective=learner.objectives_.max())


def _likely(n_states, options):
    return PairwiseMRF(n_states, max_iter=PARAMETERS["max_iter"], tol=PARAMETERS["tol"], **options)


REPRESENTATIONS = {
    "likelihood": _likelihoods,
    "Fisher": _scores,
    "FKL": _learned,
    "FKL as printed": _learned_as_printed,
}


def classify(vectors, y, *, seed):
    """Classify test vectors in several ways.

    Softmax and SVM choose their regularisation on a part of the training set that is held out;
    vectors are standardised for them and for LMNN. Plain nearest neighbours see them as they are.

    Parameters
    ----------
    vectors : Vectors
        Training and test set.
    y : ndarray of shape (n_train,)
        Training classes.
    seed : int
        Seeds the held-out part.

    Returns
    -------
    dict of str to ndarray of shape (n_test,)
        Classes by "softmax", "SVM", "LMNN", "1-NN" and, where there is a model a class, "Bayes".
    """
    held_out = StratifiedShuffleSplit(1, test_size=PARAMETERS["held_out"], random_state=seed)
    found = {} if vectors.predicted is None else {"Bayes": vectors.predicted}
    linear = {
        "softmax": LogisticRegression(max_iter=300, tol=1e-3),
        "SVM": LinearSVC(max_iter=2000, random_state=seed),
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # of little regularisation
        for name, classifier in linear.items():
            grid = {f"{type(classifier).__name__.lower()}__C": PARAMETERS["C"]}
            search = GridSearchCV(make_pipeline(StandardScaler(), classifier), grid, cv=held_out)
            found[name] = search.fit(vectors.train, y).predict(vectors.test)
    neighbours = {"LMNN": _large_margin(vectors), "1-NN": KNeighborsClassifier(1)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        for name, classifier in neighbours.items():
            found[name] = classifier.fit(vectors.train, y).predict(vectors.test)
    return found


def _large_margin(vectors):
    metric = LargeMarginNearestNeighbor(
        PARAMETERS["n_neighbors"],
        n_components=min(PARAMETERS["margin_dimensions"], *vectors.train.shape),
        max_iter=PARAMETERS["margin_max_iter"],
    )
    return make_pipeline(StandardScaler(), metric, KNeighborsClassifier(PARAMETERS["n_neighbors"]))
