"""Shapes of prediction regions, from leave-one-out predictions and residuals."""

import math
from collections.abc import Callable
from functools import partial

import numpy as np
from scipy.special import gammaln
from sklearn.covariance import ledoit_wolf
from sklearn.utils import check_array, check_consistent_length

from ofer.utils.memory import row_batches
from ofer.utils.validation import check_values

EPS, TINY = np.finfo(float).eps, np.finfo(float).tiny
ALIKE = 1e-9  # scores that differ by less, relatively, are equal


class Regions:
    """Regions of queries: what contains them, and more where they are no boxes.

    `lower` and `upper` (n_queries, D) are the ends of the coordinates. Of an ellipsoid there are
    the `centre` (n_queries, D), the `radius` (n_queries,) and the `factors` (n_queries, D, D),
    lower triangular L of the covariance ``L L'`` in whose metric the radius is. These are of the
    coordinates that are `moving`; others have their interval.
    """

    def __init__(self, lower, upper, centre=None, radius=None, factors=None, moving=slice(None)):
        self.lower, self.upper = with_ties(lower, upper)
        self._sides = np.maximum(upper - lower, 0.0)  # ends that have crossed hold nothing
        self.centre, self.radius, self.factors = centre, radius, factors
        self._moving = moving

    def contain(self, Y):
        """Whether each coordinate (n_queries, D), or the vector, is inside."""
        inside = (self.lower <= Y) & (self.upper >= Y)
        if self.centre is None:
            return inside
        lengths = norms((Y - self.centre)[:, self._moving], self.factors)
        return inside.all(axis=1) & (lengths <= self.radius * (1.0 + ALIKE))

    def log_volumes(self):
        """Logarithms (n_queries,)."""
        if self.centre is None:
            with np.errstate(divide="ignore"):  # an interval may have no length
                return np.log(self._sides).sum(axis=1)
        d = self.factors.shape[1]
        unit = d / 2 * np.log(np.pi) - gammaln(d / 2 + 1)
        diagonals = np.diagonal(self.factors, axis1=1, axis2=2)
        with np.errstate(divide="ignore"):
            axes = np.log(diagonals) + np.log(self.radius)[:, None]
            others = np.log(np.delete(self._sides, self._moving, axis=1))
            return unit + axes.sum(axis=1) + others.sum(axis=1)


class _Intervals:
    """An interval for each coordinate, in units of the leave-one-out residuals.

    The unit of a component is their root mean square, to which those of all samples count as two
    samples more. Each fit has the units (C, n, D) of the residuals of the other samples, so that
    with one component an interval has nothing but the residuals themselves. For intervals that
    hold `together` the score is the largest of the coordinates.
    """

    def __init__(self, residuals, memberships, together):
        squares, prior = np.square(residuals), 2.0
        pooled = np.maximum(squares.mean(axis=0), TINY)  # a constant output has zero
        sums = memberships.T @ squares + prior * pooled
        sizes = memberships.sum(axis=0) + prior
        weights = (memberships + prior / len(squares)).T[:, :, None]
        others = (sums[:, None] - weights * squares) / (sizes[:, None, None] - weights)
        self.variances = np.maximum(others, EPS * pooled)
        variances = np.einsum("nc,cnd->nd", memberships, self.variances)
        scores = np.sqrt(squares / variances)
        self.scores = scores.max(axis=1, keepdims=True) if together else scores

    def regions(self, predictions, centre, memberships, level):
        """Regions from predictions (n_queries, n_folds, D) of all fits."""
        reach = self.scores * np.sqrt(np.tensordot(memberships, self.variances, 1))
        upper = smallest(predictions + reach, level)
        return Regions(-smallest(reach - predictions, level), upper)


class _Ellipsoid:
    """An ellipsoid around the prediction: the score is a Mahalanobis distance.

    Components have covariances (C, D, D) of their residuals, to which that of all, shrunk, counts
    as D + 1 samples more; that of a residual is without it:
    ``r' (S - c r r')^-1 r = h / (1 - c h)`` with ``h = r' S^-1 r``. Each fit has an ellipsoid
    around its own prediction, in the metric without its sample. This metric is at most `growth`
    times that of all, so by the triangle inequality the one ellipsoid around the prediction holds
    every point that the rule of jackknife+ keeps. Coordinates that are never missed have no part
    in the ellipsoid.
    """

    def __init__(self, residuals, memberships):
        self.moving = residuals.any(axis=0)
        residuals = residuals[:, self.moving]
        prior = residuals.shape[1] + 1.0
        units = np.sqrt(np.maximum(np.square(residuals).mean(axis=0), TINY))
        pooled, shrinkage = np.zeros((0, 0)), 0.0
        if len(units):
            pooled, shrinkage = ledoit_wolf(residuals / units, assume_centered=True)
        pooled[np.diag_indices_from(pooled)] += 1e-12
        pooled *= units * units[:, None]
        parts = [(residuals.T * weights) @ residuals for weights in memberships.T]
        sizes = memberships.sum(axis=0) + prior
        self.covariances = (np.stack(parts) + prior * pooled) / sizes[:, None, None]
        others = memberships / (sizes - memberships - prior / len(residuals))
        kept = memberships + (1.0 - shrinkage) * prior / len(residuals)
        lengths = np.empty(len(residuals))
        for rows in row_batches(len(residuals), pooled.size):
            lengths[rows] = norms(residuals[rows], self._factors(others[rows] * sizes))
        remaining = 1.0 - (others * kept).sum(axis=1) * np.square(lengths)
        self.scores = lengths / np.sqrt(np.maximum(remaining, EPS))
        self.growth = (sizes / (sizes - memberships - prior / len(residuals))).max(axis=1)

    def regions(self, predictions, centre, memberships, level):
        """Regions from predictions (n_queries, n_folds, D) of all fits."""
        factors = self._factors(memberships)
        moved = norms((predictions - centre[:, None])[:, :, self.moving], factors)
        radius = smallest(self.scores * np.sqrt(self.growth) + moved, level)
        sides = np.where(np.isinf(radius), np.inf, 0.0)[:, None] * np.ones(len(self.moving))
        sides[:, self.moving] = radius[:, None] * np.linalg.norm(factors, axis=2)
        return Regions(centre - sides, centre + sides, centre, radius, factors, self.moving)

    def _factors(self, memberships):
        one_covariance = memberships.shape[1] == 1
        factors = np.linalg.cholesky(
            np.tensordot(memberships[:1] if one_covariance else memberships, self.covariances, 1)
        )
        return np.broadcast_to(factors, (len(memberships), *factors.shape[1:]))


SHAPES: dict[tuple[str, bool], Callable] = {
    ("box", False): partial(_Intervals, together=False),
    ("box", True): partial(_Intervals, together=True),
    ("ellipsoid", True): _Ellipsoid,
}


def smallest(values, level):
    """The ``ceil(level (n + 1))``-th smallest of n values along axis 1; infinite beyond n."""
    n = values.shape[1]
    if (rank := rank_of(level, n)) > n:
        return np.full(np.delete(values.shape, 1), np.inf)
    return np.partition(values, rank - 1, axis=1)[:, rank - 1]


def rank_of(level, n):
    """``ceil(level (n + 1))``, from 1 to n + 1, without the roundoff of the product."""
    return max(1, int(np.ceil(np.round(level * (n + 1), 9))))


def with_ties(lower, upper):
    """Ends of intervals that hold what equals an end up to roundoff, whatever the order of sums."""
    finite = np.isfinite(lower) & np.isfinite(upper)
    low, high = np.where(finite, lower, 0.0), np.where(finite, upper, 0.0)
    slack = ALIKE * np.abs(high - low) + 1e-3 * ALIKE * np.maximum(np.abs(low), np.abs(high))
    return lower - slack, upper + slack


def norms(vectors, factors):
    """Lengths of vectors (n, D) or (n, m, D) in the metrics of covariances ``L L'``."""
    n, *middle, d = vectors.shape
    columns = vectors.reshape(n, math.prod(middle), d).swapaxes(1, 2)
    white = np.linalg.solve(factors, columns)
    return np.linalg.norm(white, axis=1).reshape(vectors.shape[:-1])


def column_means(Y, weights):
    """Means (D,) of columns (n, D); of a constant column, exactly that.

    A weighted mean of equal numbers may miss them by roundoff; one of zeros does not.
    """
    lowest = Y.min(axis=0)
    return lowest + np.average(Y - lowest, axis=0, weights=weights)


def without_roundoff(residuals, Y):
    """Residuals (n, D), zero for a constant output that is missed by roundoff alone."""
    small = np.abs(residuals) <= 1e-3 * ALIKE * np.abs(Y)  # as the slack of `with_ties`
    return np.where((np.ptp(Y, axis=0) == 0) & small.all(axis=0), 0.0, residuals)


def check_complete(X, y, shape=None, **options):
    """Complete outputs of the inputs, float64; rows have this shape, or any."""
    y = check_values("y", y, advice="regions are of complete outputs.")
    options |= {"dtype": np.float64, "ensure_2d": False, "allow_nd": True, "input_name": "y"}
    y = check_array(y, **options)
    check_consistent_length(X, y)
    if shape not in (None, y.shape[1:]):
        raise ValueError(f"y must have rows of shape {shape}; got {y.shape[1:]}.")
    return y
