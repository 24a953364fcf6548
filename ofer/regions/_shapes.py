"""What a prediction region looks like: from leave-one-out predictions and residuals."""

import numpy as np
from scipy.linalg import solve_triangular
from scipy.special import gammaln
from sklearn.covariance import ledoit_wolf

__all__ = ["SHAPES", "Regions", "smallest"]


class Regions:
    """Regions of queries: what contains them, and more where they are no boxes.

    `lower` and `upper` (n_queries, D) are the ends of the coordinates. Of an ellipsoid there are
    the `centre` (n_queries, D), the `radius` (n_queries,) and the `factors` (n_queries, D, D),
    lower triangular L of the covariance ``L L'`` in whose metric the radius is.
    """

    def __init__(self, lower, upper, centre=None, radius=None, factors=None):
        self.lower, self.upper = lower, upper
        self.centre, self.radius, self.factors = centre, radius, factors

    def contain(self, Y):
        """Whether each coordinate (n_queries, D), or the vector, is inside."""
        if self.centre is None:
            return (self.lower <= Y) & (self.upper >= Y)
        return norms(Y - self.centre, self.factors) <= self.radius

    def log_volumes(self):
        """Logarithms (n_queries,)."""
        if self.centre is None:
            with np.errstate(divide="ignore"):  # intervals of no length
                return np.log(self.upper - self.lower).sum(axis=1)
        d = self.centre.shape[1]
        unit = d / 2 * np.log(np.pi) - gammaln(d / 2 + 1)
        diagonals = np.diagonal(self.factors, axis1=1, axis2=2)
        with np.errstate(divide="ignore"):
            return unit + np.log(diagonals).sum(axis=1) + d * np.log(self.radius)


class _Marginal:
    """An interval for each coordinate, in units of its own leave-one-out residuals."""

    def __init__(self, residuals, memberships):
        self.variances = _variances(residuals, memberships)
        self.scores = np.abs(residuals) / np.sqrt(memberships @ self.variances)

    def regions(self, predictions, centre, memberships, level):
        """Regions from predictions (n_queries, n_folds, D) of all fits."""
        reach = self.scores * np.sqrt(memberships @ self.variances)[:, None]
        upper = smallest(predictions + reach, level)
        return Regions(-smallest(reach - predictions, level), upper)


class _Box(_Marginal):
    """Intervals that hold together: the score is the largest of the coordinates."""

    def __init__(self, residuals, memberships):
        super().__init__(residuals, memberships)
        self.scores = self.scores.max(axis=1, keepdims=True)


class _Ellipsoid:
    """An ellipsoid around the prediction: the score is a Mahalanobis distance.

    Each fit has an ellipsoid around its own prediction; by the triangle inequality the one here
    holds every point that the rule of jackknife+ would keep.
    """

    def __init__(self, residuals, memberships):
        self.covariances = _covariances(residuals, memberships)
        self.scores = norms(residuals, self._factors(memberships))

    def regions(self, predictions, centre, memberships, level):
        """Regions from predictions (n_queries, n_folds, D) of all fits."""
        factors = self._factors(memberships)
        moved = norms(predictions - centre[:, None], factors)
        radius = smallest(self.scores + moved, level)
        sides = radius[:, None] * np.linalg.norm(factors, axis=2)
        return Regions(centre - sides, centre + sides, centre, radius, factors)

    def _factors(self, memberships):
        one_covariance = memberships.shape[1] == 1
        factors = np.linalg.cholesky(
            np.tensordot(memberships[:1] if one_covariance else memberships, self.covariances, 1)
        )
        return np.broadcast_to(factors, (len(memberships), *factors.shape[1:]))


SHAPES = {("box", False): _Marginal, ("box", True): _Box, ("ellipsoid", True): _Ellipsoid}


def smallest(values, level):
    """The ``ceil(level (n + 1))``-th smallest of n values along axis 1; infinite beyond n."""
    n = values.shape[1]
    rank = int(np.ceil(np.round(level * (n + 1), 9)))
    if rank > n:
        return np.full(np.delete(values.shape, 1), np.inf)
    return np.partition(values, rank - 1, axis=1)[:, rank - 1]


def norms(vectors, factors):
    """Lengths of vectors (n, D) or (n, m, D) in the metrics of covariances ``L L'``."""
    columns = np.atleast_3d(vectors).reshape(len(vectors), -1, vectors.shape[-1]).swapaxes(1, 2)
    found = solve_triangular(factors, columns, lower=True, check_finite=False)
    return np.linalg.norm(found, axis=1).reshape(vectors.shape[:-1])


def _variances(residuals, memberships):
    """Mean squares (C, D) by component, to which those of all count as two samples more."""
    squares = np.square(residuals)
    pooled = squares.mean(axis=0)
    pooled = np.where(pooled > 0, pooled, 1.0)  # a constant output: any unit will do
    sizes = memberships.sum(axis=0)[:, None]
    return (memberships.T @ squares + 2.0 * pooled) / (sizes + 2.0)


def _covariances(residuals, memberships):
    """The same for matrices (C, D, D), to which that of all, shrunk, counts as D + 1 samples."""
    d = residuals.shape[1]
    pooled, _ = ledoit_wolf(residuals, assume_centered=True)
    pooled = pooled + np.finfo(float).eps * max(np.trace(pooled), np.finfo(float).tiny) * np.eye(d)
    products = np.einsum("ic,ij,ik->cjk", memberships, residuals, residuals, optimize=True)
    sizes = memberships.sum(axis=0)[:, None, None]
    return (products + (d + 1) * pooled) / (sizes + d + 1)
