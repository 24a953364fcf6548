"""Classifiers of images that see labelled images alone; the last two know names of classes."""

import warnings

import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.preprocessing import normalize

__all__ = ["LABELLED_ONLY", "PARAMETERS", "fit_logistic", "in_units"]

PARAMETERS = {
    "costs": [1.0, 10.0, 100.0],
    "cost_for_one": 10.0,
    "ridges": [0.01, 0.1, 1.0, 10.0, 100.0],
    "n_folds": 2,
}


def in_units(task, n_dimensions=256):
    """Inputs around the mean of labelled and weak ones, on their principal axes, of unit size.

    Parameters
    ----------
    task : Task
        As from `reproduction.papers.ofer.images.tasks.take`.
    n_dimensions : int, default=256
        Most axes.

    Returns
    -------
    labelled, weak, test : ndarray
        Their inputs, of which the rows have mean square one.
    """
    seen = np.vstack([task.X, task.X_weak])
    mean = seen.mean(axis=0)
    centred = seen - mean
    _, axes = np.linalg.eigh(centred.T @ centred)
    axes = axes[:, ::-1][:, :n_dimensions]
    unit = np.sqrt(np.square(centred @ axes).sum(axis=1).mean())
    return [(part - mean) @ axes / unit for part in (task.X, task.X_weak, task.X_test)]


def fit_logistic(X, y, cost):
    """Multinomial logistic regression.

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
    LogisticRegression
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of few images a class, and of the number of iterations
        return LogisticRegression(C=cost, tol=1e-3, max_iter=60).fit(X, y)


def best_cost(fit, X, y, seed, per_class):
    """The cost of the fewest errors in two folds of labelled images.

    Parameters
    ----------
    fit : callable
        ``fit(X, y, cost)`` gives a classifier.
    X, y : ndarray
        Labelled images and their classes.
    seed : int
        Seeds the folds.
    per_class : int
        Images a class; with one there is nothing to choose by, and the cost is fixed.

    Returns
    -------
    float
    """
    if per_class == 1:
        return PARAMETERS["cost_for_one"]
    folds = list(
        StratifiedKFold(PARAMETERS["n_folds"], shuffle=True, random_state=seed).split(X, y)
    )
    return min(
        PARAMETERS["costs"],
        key=lambda cost: sum(
            (fit(X[train], y[train], cost).predict(X[test]) != y[test]).sum()
            for train, test in folds
        ),
    )


def _logistic(data, task):
    X, _, X_test = in_units(task)
    cost = best_cost(fit_logistic, X, task.y, task.seed, task.per_class)
    return fit_logistic(X, task.y, cost).predict(X_test)


def _discriminant(data, task):
    """Linear discriminant analysis; the shrinkage is Ledoit and Wolf's."""
    X, _, X_test = in_units(task)
    model = LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto")
    return model.fit(X, task.y).predict(X_test)


def _class_means(data, task):
    """The nearest mean of centred and then normalised inputs of a class."""
    mean = task.X.mean(axis=0)
    X, X_test = normalize(task.X - mean), normalize(task.X_test - mean)
    means = np.stack([X[task.y == k].mean(axis=0) for k in range(len(data.vectors))])
    return (X_test @ normalize(means).T).argmax(axis=1)


def _by_ranks(task, predict):
    """Answer with the two ridges of the least mean rank of true classes in two folds."""
    folds = KFold(PARAMETERS["n_folds"], shuffle=True, random_state=task.seed)
    total = 0.0
    for train, test in folds.split(task.X):
        scores = predict(task.X[train], task.y[train], task.X[test])
        true = np.take_along_axis(scores, task.y[test][None, :, None], axis=2)
        total = total + (scores > true).sum(axis=(1, 2))
    (scores,) = predict(task.X, task.y, task.X_test, [int(np.argmin(total))])
    return scores.argmax(axis=1)


def _eszsl(data, task):
    """Romera-Paredes and Torr (2015): a bilinear form of inputs and signatures, ridges for both."""
    S = normalize(data.vectors - data.vectors.mean(axis=0))
    values, axes = np.linalg.eigh(S.T @ S)

    def predict(X, y, queries, chosen=None):
        mean = X.mean(axis=0)
        K, Q = (X - mean) @ (X - mean).T, (queries - mean) @ (X - mean).T
        unit = np.trace(K) / len(K)
        signs = 2.0 * np.eye(len(S))[y] - 1.0
        pairs = [(a, b) for a in PARAMETERS["ridges"] for b in PARAMETERS["ridges"]]
        answers, lefts = [], {}
        for a, b in pairs if chosen is None else [pairs[i] for i in chosen]:
            if a not in lefts:
                lefts[a] = Q @ np.linalg.solve(K + a * unit * np.eye(len(K)), signs @ S)
            answers.append(lefts[a] @ axes / (values + b) @ axes.T @ S.T)
        return np.stack(answers)

    return _by_ranks(task, predict)


def _sae(data, task):
    """Kodirov, Xiang and Gong (2017): a linear encoder of inputs whose transpose decodes."""
    S = normalize(data.vectors - data.vectors.mean(axis=0))

    def predict(X, y, queries, chosen=None):
        mean = X.mean(axis=0)
        X, queries, signatures = X - mean, queries - mean, S[y]
        a, P = np.linalg.eigh(signatures.T @ signatures)
        b, Q = np.linalg.eigh(X.T @ X)
        cross, rotated = P.T @ (signatures.T @ X) @ Q, queries @ Q
        ridges = PARAMETERS["ridges"]
        answers = []
        for c in ridges if chosen is None else [ridges[i] for i in chosen]:
            # The Sylvester equation (S'S) W + c W (X'X) = (1 + c) S'X, both sides diagonal.
            encoder = (1.0 + c) * cross / (np.maximum(a[:, None] + c * b, 0.0) + 1e-9)
            answers.append(normalize(rotated @ encoder.T @ P.T) @ S.T)
        return np.stack(answers)

    return _by_ranks(task, predict)


# Each classifies the test part of a task.
LABELLED_ONLY = {
    "logistic regression": _logistic,
    "shrinkage LDA": _discriminant,
    "nearest class mean": _class_means,
    "ESZSL": _eszsl,
    "SAE": _sae,
}
