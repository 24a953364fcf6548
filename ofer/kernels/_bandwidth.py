"""Rules for the widths of kernels of vectors."""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial.distance import pdist
from sklearn.utils import check_array, check_random_state

from ofer.utils.absent import present
from ofer.utils.medians import weighted_median
from ofer.utils.products import quiet
from ofer.utils.sklearn_private import num_samples, safe_indexing
from ofer.utils.typing import Seed
from ofer.utils.validation import check_entries, check_real, check_weights


@quiet
def median_bandwidth(
    X: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    max_samples: int = 1000,
    random_state: Seed = None,
) -> float:
    r"""Median distance between samples, the usual rule for the width of a kernel.

    For the Gaussian kernel :math:`\exp(-\gamma \|x - z\|^2)` take
    ``gamma = 1 / (2 * median_bandwidth(X) ** 2)``.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Samples, at least two of them different.
    sample_weight : float or array-like of shape (n_samples,), default=None
        Weights, not negative. A pair counts as often as the product of its weights says: integers
        are repetitions, and samples of weight zero are absent.
    max_samples : int, default=1000
        Larger sets are represented by this many random rows: O(max_samples^2) time and memory.
    random_state : int, RandomState instance or None, default=None
        Draws those rows.

    Returns
    -------
    float
        The median of the positive Euclidean distances between different rows, in the unit of `X`.

    Examples
    --------
    >>> from ofer.kernels import median_bandwidth
    >>> median_bandwidth([[0.0], [1.0], [3.0]])
    2.0
    """
    weights = check_weights(sample_weight, X)
    check_entries("X", X)
    # Drawn first: the samples may be a map of a large file.
    seen = np.arange(num_samples(X))[present(weights)]
    rows = seen[some_rows(len(seen), max_samples, random_state)]
    drawn = X if len(rows) == num_samples(X) else safe_indexing(X, rows)
    X = check_array(drawn, dtype=np.float64, ensure_min_samples=2, input_name="X")
    distances = pdist(X)
    different = distances > 0
    if not different.any():
        raise ValueError("X must have at least two different rows; all rows are equal.")
    if weights is None or np.ptp(weights[rows]) == 0:
        return float(np.median(distances[different]))
    shares = weights[rows] / weights[rows].max()
    first, second = np.triu_indices(len(X), 1)  # the order of pdist
    return weighted_median(distances[different], (shares[first] * shares[second])[different])


@quiet
def median_gamma(
    X: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    max_samples: int = 1000,
    random_state: Seed = 0,
) -> float:
    r"""Width parameter of the Gaussian kernel :math:`\exp(-\gamma \|x - z\|^2)` by the median rule.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Samples.
    sample_weight : float or array-like of shape (n_samples,), default=None
        As in `median_bandwidth`.
    max_samples : int, default=1000
        As in `median_bandwidth`.
    random_state : int, RandomState instance or None, default=0
        As in `median_bandwidth`.

    Returns
    -------
    float
        ``1 / (2 * median_bandwidth(X) ** 2)``; 0.5 for samples that are all equal, which have no
        scale: any width gives the same kernel.

    Examples
    --------
    >>> from ofer.kernels import median_gamma
    >>> median_gamma([[0.0], [1.0], [3.0]])
    0.125
    """
    weights = check_weights(sample_weight, X)
    check_entries("X", X)
    X = check_array(X, dtype=None, input_name="X")
    if weights is not None and not weights.all():
        rows = np.flatnonzero(weights)
        X, weights = safe_indexing(X, rows), weights[rows]
    if not np.ptp(X, axis=0).any():
        return 0.5
    options = {"max_samples": max_samples, "random_state": random_state}
    return 0.5 / median_bandwidth(X, sample_weight=weights, **options) ** 2


def some_rows(n: int, max_samples: int, random_state: Seed) -> slice | NDArray:
    """All of n rows, or `max_samples` drawn ones of more."""
    check_real("max_samples", max_samples, at_least=2, integer=True)
    if n <= max_samples:
        return slice(None)
    return check_random_state(random_state).choice(n, max_samples, replace=False)
