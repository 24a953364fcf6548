"""Scores of classes as probabilities."""

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import logsumexp


def best_temperature(scores, y, sample_weight):
    """Temperature T for which ``softmax(scores / T)`` has the least log loss.

    The scores (n_samples, n_classes) belong to samples of the classes y (n_samples,); rows with
    NaN have no part. In 1 / T the loss is convex. T is at most e^10 times as large or as small as
    the typical difference of scores. Without errors none is small enough: there T is one below
    which the loss falls by less than a billionth, and not where roundoff hides that it falls.
    """
    weights = np.ones(len(y)) if sample_weight is None else sample_weight
    rows = np.flatnonzero((weights > 0) & ~np.isnan(scores).any(axis=1))
    weights, y, scores = weights[rows], y[rows], scores[rows]
    excess = scores - scores[np.arange(len(y)), y][:, None]
    unit = np.average(np.abs(excess).mean(axis=1), weights=weights)
    if unit == 0:
        return 1.0  # any will do

    shares = weights / weights.sum()

    def loss(log_inverse):
        costs = logsumexp(np.exp(log_inverse) / unit * excess, axis=1)
        return shares @ costs + 1e-9 * (log_inverse / 10.0) ** 2

    result = minimize_scalar(loss, bounds=(-10, 10), method="bounded", options={"xatol": 1e-10})
    return float(unit * np.exp(-result.x))
