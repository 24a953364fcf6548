"""Medians of values with weights, where integers are repetitions."""

import numpy as np
from numpy.typing import NDArray


def weighted_median(values: NDArray, weights: NDArray) -> float:
    """Median of values that count as often as their weights say: half of them is on either side.

    Of an even number of repetitions it is the mean of the two in the middle, as of `numpy.median`.
    """
    order = np.argsort(values, kind="stable")
    values, below = values[order], np.cumsum(weights[order])
    half = 0.5 * below[-1]
    place = np.searchsorted(below, half * (1.0 - 1e-12))
    if place + 1 < len(values) and below[place] <= half * (1.0 + 1e-12):
        return float(0.5 * (values[place] + values[place + 1]))
    return float(values[place])


def column_medians(Y: NDArray, weights: NDArray | None) -> NDArray:
    """Medians of columns (d,) over the rows of positive weight: an origin that no row drags."""
    if weights is not None:
        Y, weights = Y[weights > 0], weights[weights > 0]
    if weights is None or np.ptp(weights) == 0:
        return np.median(Y, axis=0)
    return np.array([weighted_median(column, weights) for column in Y.T])
