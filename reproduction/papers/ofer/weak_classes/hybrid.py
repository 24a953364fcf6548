"""Indicators and names of classes, decided between by images that are left out class by class."""

import numpy as np
from sklearn.preprocessing import normalize

from ofer import KernelSystem
from ofer.semantic.temperature import best_temperature
from reproduction.papers.ofer.images.classification import PARAMETERS as _ridges
from reproduction.papers.ofer.images.classification import mean_rank
from reproduction.papers.ofer.weak_classes.latent import fit_latent

__all__ = ["HYBRIDS", "PARAMETERS", "choose_weight", "log_losses", "scores_by_folds"]

PARAMETERS = {
    "alphas": _ridges["alphas"],
    "alpha_for_one": _ridges["alpha_for_one"],
    "shares": [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0],
    "share_for_one": 0.1,
}


def scores_by_folds(system, targets, alpha, folds):
    """Predictions for samples by fits that leave out the fold that they are in, exactly.

    Parameters
    ----------
    system : ofer.KernelSystem
        With positive weights.
    targets : ndarray of shape (n_samples, m)
        Targets.
    alpha : float
        The ridge.
    folds : list of ndarray of int
        Samples that are left out together; other samples are in all fits.

    Returns
    -------
    ndarray of shape (n_left, m)
        In the order of the samples, which are the first ones of the system.
    """
    _, _, roots, shares = system.samples
    Z, inverse = system.coordinates, 1.0 / (system.eigenvalues + alpha)
    centred = roots[:, None] * (targets - shares @ targets)
    shrunk = inverse[:, None] * (Z.T @ centred)
    found = np.empty((sum(map(len, folds)), targets.shape[1]))
    for left in folds:
        solved, block = Z[left] @ shrunk, (Z[left] * inverse) @ Z[left].T
        if not system.is_dual:
            root = np.sqrt(shares[left])
            solved, block = centred[left] - solved, np.eye(len(left)) - np.outer(root, root) - block
        found[left] = targets[left] - np.linalg.solve(block, solved) / roots[left, None]
    return found


def log_losses(scores, y):
    """Log loss of each sample, (n,), with the temperature of the least sum.

    Parameters
    ----------
    scores : ndarray of shape (n, n_classes)
        The greater, the better.
    y : ndarray of shape (n,)
        Classes.

    Returns
    -------
    ndarray of shape (n,)
    """
    scaled = scores / best_temperature(scores, y, None)
    scaled -= scaled.max(axis=1, keepdims=True)
    return np.log(np.exp(scaled).sum(axis=1)) - scaled[np.arange(len(y)), y]


def choose_weight(by_indicators, by_names, y):
    """Share of names in the decision: the least that is no worse than the best, up to its error.

    Parameters
    ----------
    by_indicators, by_names : ndarray of shape (n, n_classes)
        Scores of images that the fits have not seen, in one unit.
    y : ndarray of shape (n,)
        Their classes.

    Returns
    -------
    float
        From 0, indicators alone, to 1, names alone.
    """
    shares = PARAMETERS["shares"]
    losses = np.array([log_losses((1 - s) * by_indicators + s * by_names, y) for s in shares])
    excess = losses - losses[losses.mean(axis=1).argmin()]
    error = excess.std(axis=1) / np.sqrt(len(y))
    return shares[int(np.flatnonzero(excess.mean(axis=1) <= error)[0])]


def _one_of_each(y):
    """Folds of one image of each class: which classes have lost one tells nothing then."""
    order = np.argsort(y, kind="stable")
    place = np.empty(len(y), dtype=int)
    sizes = np.bincount(y)
    place[order] = np.arange(len(y)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return [np.flatnonzero(place == k) for k in range(place.max() + 1)]


def _decide(task, system, names, directions, indicators, alpha, scores, share=None):
    """Classes of test images by the scores of indicators and those of names.

    `names` are targets by names, `indicators` by classes, of all samples in the system; `share` is
    that of names, None if it is to be chosen.
    """
    y, n = task.y, len(task.y)
    alphas = system.mean_eigenvalue * np.array(PARAMETERS["alphas"])
    single = [np.array([i]) for i in range(n)]
    folds = _one_of_each(y) if task.per_class > 1 else single
    paths = [scores_by_folds(system, names, one, folds) for one in alphas]
    if task.per_class > 1:
        errors = [log_losses(found @ directions.T, y).mean() for found in paths]
    else:
        errors = [np.square(found - names[:n]).mean() for found in paths]
    best = int(np.argmin(errors))
    by_indicators = scores_by_folds(system, indicators, alpha, folds)
    by_names = paths[best] @ directions.T
    unit = by_indicators.std() / by_names.std()
    if share is None and task.per_class > 1:
        share = choose_weight(by_indicators, unit * by_names, y)
    elif share is None:
        share = PARAMETERS["share_for_one"]
    of_names = system.solve(names, alphas[best]).predict(task.X_test) @ directions.T
    return ((1 - share) * scores + share * unit * of_names).argmax(axis=1)


def _hybrid(data, task, still_open):
    """Indicators and directions of class vectors of latent classes."""
    n, model = len(task.y), fit_latent(task, still_open)
    weights = np.repeat([1.0, model.weak_weight_], [n, len(still_open)])
    system = KernelSystem.from_features(np.vstack([task.X, task.X_weak]), weights)
    directions = normalize(data.vectors - data.vectors.mean(axis=0))
    indicators = np.vstack([np.eye(len(directions))[task.y], model.assignments_])
    ridge = model.regressor_
    return _decide(
        task, system, indicators @ directions, directions, indicators, ridge.alpha_,
        ridge.predict(task.X_test),
    )  # fmt: skip


def _labelled(data, task, share=None):
    """The same of labelled images alone; the ridge of indicators is that of the one-hot ridge."""
    system, y = KernelSystem.from_features(task.X), task.y
    indicators, alphas = np.eye(len(data.vectors))[y], [PARAMETERS["alpha_for_one"]]
    if task.per_class > 1:
        alphas = PARAMETERS["alphas"]
    alphas = system.mean_eigenvalue * np.array(alphas)
    ranks = [mean_rank(found, y) for found in system.path(indicators, alphas)]
    alpha = alphas[np.flatnonzero(ranks == np.min(ranks))[-1]]  # the larger of equal ones
    directions = normalize(data.vectors - data.vectors.mean(axis=0))
    scores = system.solve(indicators, alpha).predict(task.X_test)
    return _decide(task, system, directions[y], directions, indicators, alpha, scores, share)


# Each classifies the test part of a task, given the candidates of its weak images.
HYBRIDS = {
    "names, labelled only": lambda data, task, still_open: _labelled(data, task, share=1.0),
    "hybrid, labelled only": lambda data, task, still_open: _labelled(data, task),
    "hybrid": _hybrid,
}
