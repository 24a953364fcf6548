"""Objects as vectors by generative models, and the classifiers that these are given to."""

import warnings
from functools import partial
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.special import softmax
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import euclidean_distances
from sklearn.model_selection import GridSearchCV, StratifiedShuffleSplit
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.svm import LinearSVC

from ofer.companions import (
    FisherKernelLearner,
    PairwiseMRF,
    nca_objective,
)
from reproduction.studies.second_volume.fisher_kernels.large_margin import (
    LargeMarginNearestNeighbor,
)
from reproduction.studies.second_volume.fisher_kernels.pairwise_mrf_classifier import (
    PairwiseMRFClassifier,
)

__all__ = ["PARAMETERS", "REPRESENTATIONS", "Vectors", "classify", "represent", "share"]

# All learning goes on until it rests, by its tolerances.
PARAMETERS = {
    "max_iter": 1000,
    "tol": 1e-4,
    "full_gradient_max_iter": 1000,
    "learner_max_iter": 1000,  # of the paper's alternation, and of weights alone
    "learner_tol": 1e-5,
    "C": [0.01, 0.1, 1.0, 10.0],
    "held_out": 0.2,
    "n_neighbors": 3,
    "margin_dimensions": 30,
    "margin_max_iter": 500,
}


class Vectors(NamedTuple):
    """Training and test objects as vectors."""

    train: np.ndarray
    """Of shape (n_train, p)."""
    test: np.ndarray
    """Of shape (n_test, p)."""
    predicted: np.ndarray | None = None
    """Classes by Bayes' rule, where there is a model for each class."""
    history: np.ndarray | None = None
    """Where distances are learned: the objective at the start and after each iteration."""
    gradient_norm: float | None = None
    """Where model and weights are learned: the length of the full gradient at the end."""
    n_iter: int | None = None
    """Likewise: iterations."""
    rescaled: bool = False
    """Whether other vectors differ from these in the scales of coordinates alone."""


def represent(method, n_states, train, y, test, *, model, seed, parameters=PARAMETERS):
    """Turn objects into vectors."""
    with warnings.catch_warnings():
        # The number of iterations is a choice, and damped propagation may stop short of a digit.
        warnings.simplefilter("ignore", ConvergenceWarning)
        options = {**model, "random_state": seed}
        return (REPRESENTATIONS | CONTROLS)[method](n_states, train, y, test, options, parameters)


def _likelihoods(n_states, train, y, test, options, parameters):
    """Log-likelihoods under a model for each class."""
    fitted = PairwiseMRFClassifier(_likely(n_states, options, parameters)).fit(train, y)
    return Vectors(fitted.transform(train), fitted.transform(test), fitted.predict(test))


def _scores(n_states, train, y, test, options, parameters):
    """Scores under one model for all."""
    fitted = _likely(n_states, options, parameters).fit(train)
    return Vectors(fitted.score_vectors(train), fitted.score_vectors(test))


def _random_scores(n_states, train, y, test, options, parameters):
    """Scores under the model that `_learned_as_printed` starts from."""
    fitted = PairwiseMRF(n_states, init="random", max_iter=0, **options).fit(train)
    return Vectors(fitted.score_vectors(train), fitted.score_vectors(test))


def _weighted(n_states, train, y, test, options, parameters):
    """The same scores, with weights that raise the objective of Fisher kernel learning."""
    scores = _scores(n_states, train, y, test, options, parameters)
    scale = 1 / np.sqrt(np.maximum(np.mean(scores.train**2, axis=0), np.finfo(float).tiny))

    def minus(v):
        value, gradient, _ = nca_objective(scores.train, scale * v, y)
        return -value / len(y), -scale * gradient / len(y)

    start, options = np.ones_like(scale), {"maxiter": parameters["learner_max_iter"]}
    optimum = minimize(minus, start, jac=True, method="L-BFGS-B", options=options)
    w, history = scale * optimum.x, -np.array([minus(start)[0], optimum.fun])
    return Vectors(scores.train * w, scores.test * w, history=history, rescaled=True)


def _learned(n_states, train, y, test, options, parameters):
    """From the model of `_scores`, by the full gradient."""
    start = _likely(n_states, options, parameters)
    return _by_learning(start, train, y, test, "lbfgs", parameters)


def _learned_as_printed(n_states, train, y, test, options, parameters):
    """From a random start, by alternation."""
    start = PairwiseMRF(n_states, init="random", max_iter=0, **options)
    return _by_learning(start, train, y, test, "alternating", parameters)


def _learned_by_logarithms(n_states, train, y, test, options, parameters):
    """The same, to maximise the sum of logarithms that the paper found to work less well."""
    start = PairwiseMRF(n_states, init="random", max_iter=0, **options)
    vectors = _by_learning(start, train, y, test, "alternating", parameters, objective="log")
    return vectors._replace(history=None)  # which is not of shares


def _by_learning(start, train, y, test, optimizer, parameters, objective="expected"):
    cap = parameters["full_gradient_max_iter" if optimizer == "lbfgs" else "learner_max_iter"]
    learner = FisherKernelLearner(
        start,
        optimizer=optimizer,
        objective=objective,
        max_iter=cap,
        tol=parameters["learner_tol"],
    )
    learner.fit(train, y)
    return Vectors(
        learner.transform(train),
        learner.transform(test),
        history=learner.objectives_,
        gradient_norm=learner.gradient_norm_,
        n_iter=learner.n_iter_,
    )


def _likely(n_states, options, parameters):
    return PairwiseMRF(n_states, max_iter=parameters["max_iter"], tol=parameters["tol"], **options)


REPRESENTATIONS = {
    "likelihood": _likelihoods,
    "Fisher": _scores,
    "weights alone": _weighted,
    "FKL": _learned,
    "FKL as printed": _learned_as_printed,
}

CONTROLS = {
    "random model": _random_scores,
    "FKL as printed, logarithms": _learned_by_logarithms,
}
"""Representations that are in none of the paper's tables."""


def classify(vectors, y, *, seed, standardise=True, margin_max_iter=500):
    """Classify test vectors in several ways.

    Softmax and SVM choose their regularisation on a part of the training set that is held out;
    vectors are standardised for them and for LMNN, and, unless distances are learned, for plain
    nearest neighbours. These alone are asked about rescaled vectors.
    """
    train, test = _scaled(vectors) if standardise else (vectors.train, vectors.test)
    neighbours = {"1-NN": KNeighborsClassifier(1).fit(train, y).predict(test)}
    if vectors.rescaled:
        return neighbours, None
    held_out = StratifiedShuffleSplit(1, test_size=PARAMETERS["held_out"], random_state=seed)
    answers = {} if vectors.predicted is None else {"Bayes": vectors.predicted}
    linear = {
        "softmax": LogisticRegression(max_iter=300, tol=1e-3),
        "SVM": LinearSVC(max_iter=2000, tol=1e-3, random_state=seed),
    }
    fitted = {}
    with warnings.catch_warnings():
        # Of little regularisation; and the iterations of LMNN are a choice.
        warnings.simplefilter("ignore", ConvergenceWarning)
        for name, classifier in linear.items():
            grid = {f"{type(classifier).__name__.lower()}__C": PARAMETERS["C"]}
            model = make_pipeline(_scaler(standardise), classifier)
            search = GridSearchCV(model, grid, cv=held_out)
            fitted[name] = search.fit(vectors.train, y)
        fitted["LMNN"] = _large_margin(vectors, standardise, margin_max_iter).fit(vectors.train, y)
    answers |= {name: classifier.predict(vectors.test) for name, classifier in fitted.items()}
    return answers | neighbours, fitted["softmax"].predict(vectors.train)


def _scaler(standardise):
    return StandardScaler() if standardise else FunctionTransformer()


def _large_margin(vectors, standardise, max_iter):
    metric = LargeMarginNearestNeighbor(
        PARAMETERS["n_neighbors"],
        n_components=min(PARAMETERS["margin_dimensions"], *vectors.train.shape),
        max_iter=max_iter,
    )
    scaler = _scaler(standardise)
    if not standardise:  # margins are 1: one number for all coordinates lets the map start near
        scaler.set_params(func=partial(np.multiply, 1 / np.sqrt(np.mean(vectors.train**2))))
    return make_pipeline(scaler, metric, KNeighborsClassifier(PARAMETERS["n_neighbors"]))


def share(vectors, y, y_test):
    """Expected shares of training and of test objects that a stochastic neighbour classifies.

    Neighbours are training objects, equation (3) of the paper; a training object is not its own.
    Unless distances are learned, vectors are standardised.
    """
    train, test = _scaled(vectors)
    value, _, _ = nca_objective(train, np.ones(train.shape[1]), y)
    p = softmax(-euclidean_distances(test, train, squared=True), axis=1)
    return value / len(y), np.mean((p * (y_test[:, None] == y)).sum(axis=1))


def _scaled(vectors):
    """Training and test vectors for distances."""
    if vectors.history is not None:
        return vectors.train, vectors.test
    scaler = StandardScaler().fit(vectors.train)
    return scaler.transform(vectors.train), scaler.transform(vectors.test)
