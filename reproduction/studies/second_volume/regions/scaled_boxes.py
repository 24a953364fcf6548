"""Not in the paper: boxes in units of the calibration samples and the query, beside our box.

Two recent methods make boxes around any regression from the sizes of its errors on samples that it
has not seen, `errors` (n, d). Both put the query among these samples when they choose the units of
the coordinates, so that all n + 1 errors have the same units, whatever the query's error is.
"""

import warnings
from functools import partial

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from ofer import FullConformalRegressor
from reproduction.methods.squared_error_ridge import squared_error_ridge
from reproduction.studies.second_volume.regions import coverage
from reproduction.studies.second_volume.regions.coverage import (
    best_width,
    fit_half,
    judge,
    regions_of,
)

__all__ = ["METHODS", "evaluate", "scaled", "standardised"]


def scaled(errors, level):
    """Half sides (d,) of the outer box of the scaling score (SCO) of Rousseau and Messoudi.

    The unit of a coordinate is the quantile of this level of the n + 1 errors. It is one of two
    neighbours among the n; scores take the smaller one, and the box the larger one. A coordinate
    nearly all of whose errors are zero has no side.
    """
    n = len(errors)
    place = np.clip(_rank(level, n), 2, n)
    smaller, larger = np.partition(errors, [place - 2, place - 1], axis=0)[[place - 2, place - 1]]
    with np.errstate(divide="ignore", invalid="ignore"):
        scores = np.where(errors > 0, errors / smaller, 0.0)
        factor = _smallest(scores.max(axis=1), level)
        return np.where(np.isinf(factor), np.inf, factor * larger)


def standardised(errors, level):
    """Half sides (d,) of the box of Fan and Sesia (TSCP, in the form that they recommend).

    Errors are standardised by mean and standard deviation of the n + 1. An error x of the query
    moves both, and with them the scores of all. A bound of the scores for every x gives a first
    box; bounds for the x between neighbouring errors of one coordinate, a better one.
    """
    n, d = errors.shape
    mean, deviation = errors.mean(axis=0), errors.std(axis=0)

    def moments(x):
        """Mean and standard deviation of a coordinate's n + 1 errors, x among them."""
        new = (n * mean + x) / (n + 1)
        return new, np.sqrt(np.square(deviation) + np.square(x - mean) / (n + 1))

    def reach(bound):
        """The error of the query whose standardised size is this number."""
        room = n**2 / (n + 1) - np.square(bound)
        with np.errstate(divide="ignore", invalid="ignore"):
            x = mean + deviation * bound * np.sqrt((n + 1) / room)
        return np.where(room > 0, np.maximum(x, 0.0), np.where(bound > 0, np.inf, 0.0))

    away, at_zero = errors - mean, moments(0.0)
    # A score has its maximum where x is zero, or infinite, or deviation^2 / away below the mean.
    most = np.maximum((errors - at_zero[0]) / at_zero[1], -1 / np.sqrt(n + 1))
    within = (away > 0) & (mean * away >= np.square(deviation))
    most[within] = np.sqrt(np.square(away / deviation) + 1 / (n + 1))[within]
    first = reach(_smallest(most.max(axis=1), level))

    with np.errstate(invalid="ignore"):
        at_end = np.divide(*moments(first))
    at_end = np.where(np.isfinite(first), at_end, 1 / np.sqrt(n + 1))
    least = np.minimum(np.divide(*at_zero), at_end)  # of what is subtracted, in this box
    scores, sides = errors / deviation - least, np.zeros(d)
    for k in range(d):
        ends = np.concatenate([[0.0], np.sort(errors[:, k]), [np.inf]])
        nearest = np.clip(mean[k], ends[:-1], ends[1:])
        score = errors[:, k] / moments(nearest[:, None])[1][:, [k]] - least[k]
        others = np.delete(scores, k, axis=1).max(axis=1, initial=-np.inf)
        bounds = _smallest(np.maximum(score, others), level)
        x = reach(bounds[:, None])[:, k]
        sides[k] = np.where(x >= ends[:-1], np.minimum(x, ends[1:]), 0.0).max()
    return np.minimum(sides, first)


def _rank(level, n):
    return int(np.ceil(np.round(level * (n + 1), 9)))


def _smallest(values, level):
    """The ``ceil(level (n + 1))``-th smallest of n values along the last axis; infinite past n."""
    n, rank = values.shape[-1], _rank(level, values.shape[-1])
    if rank > n:
        return np.full(values.shape[:-1], np.inf)
    return np.partition(values, rank - 1, axis=-1)[..., rank - 1]


def _around_a_half(task, half_sides):
    """Boxes around a ridge fitted to one half, from its errors on the other."""
    _, missed, missed_in_test = fit_half(task)

    def regions(level):
        sides = half_sides(missed, level)
        inside = (missed_in_test <= sides).all(axis=1)
        with np.errstate(divide="ignore"):  # a box may be flat
            return inside, np.full(len(inside), np.log(2.0 * sides).sum())

    return regions


def _full_conformal(task):
    """Full conformal boxes; width and ridge parameter are chosen once."""
    ridge = squared_error_ridge(kernel="rbf", gamma=best_width(task.X, task.Y))
    return regions_of(FullConformalRegressor(ridge, shape="box").fit(task.X, task.Y), task)


METHODS = {
    "split conformal, SCO": partial(_around_a_half, half_sides=scaled),
    "split conformal, TSCP": partial(_around_a_half, half_sides=standardised),
    "full conformal, box": _full_conformal,
}


def evaluate(data, method, setting, split):
    """Coverage and size of the boxes of one method on one split of one set."""
    task = coverage.take_split(data[setting], split)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.filterwarnings("ignore", "alphas should have")  # outputs almost without noise
        return judge(task, METHODS[method](task), split)
