"""Classifiers of images that are told the same of weak ones: which classes a label leaves open."""

import warnings

import numpy as np
from scipy import sparse
from sklearn.model_selection import KFold
from sklearn.neighbors import NearestNeighbors
from sklearn.svm import LinearSVC

from reproduction.papers.ofer.weak_classes.labelled_only import best_cost, fit_logistic, in_units

__all__ = ["PARAMETERS", "SAME_LABELS", "fit_svm"]

PARAMETERS = {"n_rounds": 2, "neighbours": [5, 10, 20, 40], "clamping": 0.8, "n_steps": 10}


def fit_svm(X, y, cost):
    """Linear support vector machine, one class against the others.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Inputs of order one.
    y : ndarray of shape (n,)
        Classes.
    cost : float
        The parameter C.

    Returns
    -------
    LinearSVC
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the number of iterations
        return LinearSVC(C=cost, dual=True, tol=0.1, max_iter=100, random_state=0).fit(X, y)


def _self_training(fit):
    """Classify weak images among the candidates, learn these classes too, and so on."""

    def predict(task, still_open):
        X, X_weak, X_test = in_units(task)
        cost = best_cost(fit, X, task.y, task.seed, task.per_class)
        model, both = fit(X, task.y, cost), np.vstack([X, X_weak])
        for _ in range(PARAMETERS["n_rounds"]):
            scores = np.where(still_open, model.decision_function(X_weak), -np.inf)
            model = fit(both, np.append(task.y, scores.argmax(axis=1)), cost)
        return model.predict(X_test)

    return predict


def _neighbours(task, still_open):
    """PL-kNN (Hüllermeier and Beringer, 2006): neighbours vote for all of their candidates."""
    votes, n = _votes(task, still_open), len(task.y)

    def scores(known, queries, k):
        found = NearestNeighbors(n_neighbors=k).fit(known[0]).kneighbors(queries)
        return (known[1][found[1]] * (1.0 / (found[0] + 1e-9))[:, :, None]).sum(axis=1)

    inputs = np.vstack([task.X, task.X_weak])
    chosen = _choose(
        task,
        PARAMETERS["neighbours"],
        lambda kept, left, k: scores((inputs[kept], votes[kept]), task.X[left], k),
        n,
        len(inputs),
    )
    return scores((inputs, votes), task.X_test, chosen).argmax(axis=1)


def _spreading(task, still_open):
    """Label spreading (Zhou et al., 2004) over neighbours, within the candidates."""
    votes, n = _votes(task, still_open), len(task.y)
    inputs = np.vstack([task.X, task.X_weak])
    allowed = np.vstack([np.ones((n, votes.shape[1]), dtype=bool), still_open])
    clamping = PARAMETERS["clamping"]

    def spread(start, k):
        graph = NearestNeighbors(n_neighbors=k).fit(inputs).kneighbors_graph()
        graph = graph.maximum(graph.T)
        root = sparse.diags(1.0 / np.sqrt(np.asarray(graph.sum(axis=1)).ravel()))
        graph, F = root @ graph @ root, start
        for _ in range(PARAMETERS["n_steps"]):
            F = np.where(allowed, clamping * (graph @ F) + (1.0 - clamping) * start, 0.0)
        return F

    def left_out(kept, left, k):
        start = votes.copy()
        start[left] = 0.0
        return spread(start, k)[left]

    k = _choose(task, PARAMETERS["neighbours"][:2], left_out, n, len(inputs))
    F = spread(votes, k)
    found = NearestNeighbors(n_neighbors=k).fit(inputs).kneighbors(task.X_test)
    F /= np.maximum(F.sum(axis=1, keepdims=True), 1e-12)
    return (F[found[1]] * (1.0 / (found[0] + 1e-9))[:, :, None]).sum(axis=1).argmax(axis=1)


def _votes(task, still_open):
    """Shares of the classes in what is known of labelled and weak images."""
    labelled = np.eye(still_open.shape[1])[task.y]
    return np.vstack([labelled, still_open / still_open.sum(axis=1, keepdims=True)])


def _choose(task, candidates, scores, n, n_all):
    """The candidate of the most right answers for labelled images left out, in two folds."""
    folds = list(KFold(2, shuffle=True, random_state=task.seed).split(np.arange(n)))

    def right(candidate):
        return sum(
            (
                scores(np.append(train, np.arange(n, n_all)), test, candidate).argmax(axis=1)
                == task.y[test]
            ).sum()
            for train, test in folds
        )

    return max(candidates, key=right)


# Each classifies the test part of a task, told the candidates of the weak images.
SAME_LABELS = {
    "self-training SVM, candidates": _self_training(fit_svm),
    "self-training logistic, candidates": _self_training(fit_logistic),
    "PL-kNN": _neighbours,
    "label spreading, candidates": _spreading,
}
