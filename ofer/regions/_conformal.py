"""Full conformal prediction from ridge regressions that are solved once."""

from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.linalg import solve_triangular
from scipy.special import gammaln, logsumexp, ndtri
from scipy.stats import qmc

from ofer.regions._shapes import ALIKE, smallest, with_ties

N_RAYS, N_SHELLS = 256, 16  # a volume is measured with these
EPS, TINY = np.finfo(float).eps, np.finfo(float).tiny
UNIT, FAR = 1e-200, 1e70  # of what is constant, and an error in such units
ABOVE = 1.0 + ALIKE  # scores of copies differ by roundoff alone


class Solved(NamedTuple):
    """A ridge regression of all samples: coefficients (n, D), the diagonal (n,) of G, and Q."""

    coef: np.ndarray
    diagonal: np.ndarray
    scatter: np.ndarray

    def of(self, columns, ranked):
        """Of these outputs, and of the samples that are ranked."""
        scatter = self.scatter[columns, columns]
        return Solved(self.coef[ranked, columns], self.diagonal[ranked], scatter)


class AtQueries(NamedTuple):
    """A ridge regression at a batch of queries.

    Weights (b, n) of the samples, predictions (b, D) around the mean of the outputs, and variances
    (b,) of new outputs.
    """

    weights: np.ndarray
    predictions: np.ndarray
    variances: np.ndarray

    def of(self, rows):
        """At some of the queries."""
        return AtQueries(*(part[rows] for part in self))


class Ellipsoids:
    """Scores in the metric of all n + 1 samples.

    In coordinates z that whiten Q, with the whitened leave-one-out residuals u, ``h = |u|^2``,
    ``c = G_ii``, the weights w and the variance s, sample i finds a query's error odd if
    ``(1 - c h) |z|^2 + c (u' z)^2 + 2 w u' z > h c s``: outside of an ellipsoid around ``-w u``.
    """

    def __init__(self, solved):
        coef, self.diagonal, scatter = solved
        self.residuals = coef / self.diagonal[:, None]
        self.root = _factor(scatter)
        self.white = self._whiten(self.residuals)
        self.squares = np.square(self.white).sum(axis=1)
        self.slack = np.maximum(1.0 - self.diagonal * self.squares, EPS)
        rest = np.maximum(np.diag(scatter) - self.diagonal[:, None] * self.residuals**2, 0.0)
        self.sides = np.sqrt((self.squares / self.slack)[:, None] * rest)

    def odd(self, errors, weights, variances):
        """How many samples find the errors (b, D) odd."""
        z = self._whiten(errors)
        along = z @ self.white.T
        left = self.slack * np.square(z).sum(axis=1, keepdims=True)
        left += (self.diagonal * along + 2.0 * weights) * along
        limit = self.squares * self.diagonal * variances[:, None]
        return (left > ABOVE * limit).sum(axis=1)

    def reaches(self, weights, variances, level):
        """How far the region reaches below and above the prediction, by coordinate (b, D).

        Beyond, as many of the ellipsoids end as the level allows to find an output odd.
        """
        longer = np.sqrt(variances[:, None] * self.diagonal + np.square(weights))
        sides = longer[:, :, None] * self.sides
        shift = weights[:, :, None] * self.residuals
        return smallest(sides + shift, level), smallest(sides - shift, level)

    def radii(self, weights, variance, level, rays):
        """Ends of the region of one query along some rays, (n_rays,), in whitened coordinates."""
        along, curvature = (part[:, rays] for part in self._along)
        slope = weights[:, None] * along
        limit = (self.squares * self.diagonal * variance)[:, None]
        ends = (np.sqrt(np.square(slope) + limit * curvature) - slope) / curvature
        return smallest(ends[None], level)[0]

    @cached_property
    def _along(self):
        """Of the residuals along rays, (n, n_rays), and the curvature of what is odd there."""
        along = self.white @ self.rays.T
        return along, self.slack[:, None] + self.diagonal[:, None] * np.square(along)

    @cached_property
    def rays(self):
        """Unit vectors (n_rays, D), evenly spread."""
        d = len(self.root)
        if d == 1:
            return np.repeat([[1.0], [-1.0]], N_RAYS // 2, axis=0)
        points = ndtri(qmc.Sobol(d, rng=0).random(N_RAYS // 2))
        points /= np.linalg.norm(points, axis=1, keepdims=True)
        return np.vstack([points, -points])

    @property
    def log_unit(self):
        """Logarithm of the volume of all z within a length of one."""
        d = len(self.root)
        ball = d / 2 * np.log(np.pi) - gammaln(d / 2 + 1)
        return ball + np.log(np.diag(self.root)).sum()

    def _whiten(self, vectors):
        return solve_triangular(self.root, vectors.T, lower=True).T


class Boxes:
    """Scores by the largest coordinate, in units of the root mean square of all n + 1 samples."""

    def __init__(self, solved):
        coef, self.diagonal, scatter = solved
        # That of a constant output is so small that its square is zero.
        self.units = np.maximum(np.sqrt(np.diag(scatter)), UNIT)
        self.residuals = coef / self.diagonal[:, None] / self.units

    def odd(self, errors, weights, variances):
        """How many samples find the errors (b, D) odd."""
        errors, s = np.clip(errors / self.units, -FAR, FAR), variances[:, None]
        largest = np.square(errors).max(axis=1, keepdims=True)
        slopes = (weights / s)[:, :, None] * errors[:, None]
        numbers = np.square(self.diagonal[:, None] * self.residuals - slopes)
        numbers /= 1.0 + np.square(errors / np.sqrt(s))[:, None]
        others = numbers.max(axis=2) / (self.diagonal + np.square(weights) / s)
        return (largest / (s + largest) > ABOVE * others).sum(axis=1)

    def reaches(self, weights, variances, level):
        """How far the region reaches below and above the prediction, by coordinate (b, D)."""
        u, c, s = np.abs(self.residuals).max(axis=1), self.diagonal, variances[:, None]
        near = u * (np.abs(weights) + np.sqrt(np.square(weights) + s * c))
        slack = np.maximum(1.0 - c * u**2, EPS)
        far = np.sqrt((s * (c * u) ** 2 + np.square(weights)) / (c * slack))
        ends = np.where(np.abs(weights) < c * u * near, far, near)
        reach = smallest(ends, level)[:, None] * self.units
        return reach, reach


class Block:
    """Outputs that are judged together, under one ridge regression or a choice among several.

    The choice is that of the least leave-one-out error of all n + 1 samples, in units of their
    variances if `in_units`. Each coordinate adds a quadratic function of the query's output to the
    error, over one that all regressions share.
    """

    def __init__(self, columns, solved, centred, weights, ranked, shape, in_units):
        self.columns, self.ranked, self.weights = columns, ranked, weights
        self.solved = [Solved(one.coef[:, columns], *one[1:]) for one in solved]
        self.shapes = [shape(one.of(columns, ranked)) for one in solved]
        total, squares = weights.sum(), weights @ np.square(centred[:, columns])
        self.variance = (total, (total + 1.0) * squares) if in_units else (0.0, 1.0)

    def odd(self, outputs, at):
        """How many samples find the outputs (b, D) odd."""
        outputs = outputs[:, self.columns]
        best = np.zeros(len(outputs), dtype=int)
        if len(at) > 1:
            best = self.errors(outputs, self.quadratics(at)).argmin(axis=0)
        odd = np.empty(len(outputs), dtype=int)
        for place in np.unique(best):
            rows, ridge = best == place, at[place]
            errors = outputs[rows] - ridge.predictions[rows, self.columns]
            weights = ridge.weights[rows][:, self.ranked]
            odd[rows] = self.shapes[place].odd(errors, weights, ridge.variances[rows])
        return odd

    def ends(self, at, level):
        """Lower and upper ends (b, D) of the interval of each coordinate."""
        _, lower, upper = self._hulls(at, level)
        return with_ties(lower, upper)

    def log_volumes(self, at, level):
        """Logarithms (b,) of volumes: of an ellipsoid's region, else of the box of its ends."""
        possible, lower, upper = self._hulls(at, level)
        if not isinstance(self.shapes[0], Ellipsoids) or np.isinf(upper).any():
            with np.errstate(divide="ignore"):  # an interval may have no length
                return np.log(upper - lower).sum(axis=1)
        several = len(at) > 1
        quadratics = self.quadratics(at) if several else []
        # Rays cut into shells may be fewer: the first of the sequence, and their opposites.
        n = N_RAYS // (8 if several else 2)
        rays = np.r_[:n, N_RAYS // 2 : N_RAYS // 2 + n]
        parts = np.full((len(at), len(possible[0])), -np.inf)
        for place, row in np.argwhere(possible):
            shape, ridge = self.shapes[place], at[place]
            d, weights = len(shape.root), ridge.weights[row, self.ranked]
            radii = shape.radii(weights, ridge.variances[row], level, rays)
            with np.errstate(divide="ignore"):  # a constant has no length
                logs = d * np.log(radii)
            if several:  # this regression is chosen in some of each shell
                steps = ((np.arange(N_SHELLS) + 0.5) / N_SHELLS) ** (1.0 / d)
                z = (radii[:, None] * steps)[..., None] * shape.rays[rays, None]
                outputs = ridge.predictions[row, self.columns] + z @ shape.root.T
                few = [part[:, row, None, None] for part in quadratics]
                chosen = self.errors(outputs, few).argmin(axis=0) == place
                with np.errstate(divide="ignore"):
                    logs = logs + np.log(chosen.mean(axis=1))
            parts[place, row] = shape.log_unit + logsumexp(logs) - np.log(len(logs))
        return logsumexp(parts, axis=0)

    def _hulls(self, at, level):
        """Which regressions (q, b) can be chosen in their own box, and the ends of their hull."""
        columns, ends = self.columns, []
        for shape, ridge in zip(self.shapes, at, strict=True):
            below, above = shape.reaches(ridge.weights[:, self.ranked], ridge.variances, level)
            f = ridge.predictions[:, columns]
            ends.append((f - below, f + above))
        lower, upper = (np.stack(part) for part in zip(*ends, strict=True))
        possible = np.ones((len(at), len(lower[0])), dtype=bool)
        if len(at) > 1 and not np.isinf(upper).any():
            quadratics = self.quadratics(at)
            for place, box in enumerate(ends):
                lead = [part - part[place] for part in quadratics]
                # Impossible if another has less error in all of the box, and a sum of maxima over
                # single outputs bounds the lead over it. Its lead over itself is zero.
                most = self._most(lead, *box).sum(axis=2)
                possible[place] = most.min(axis=0) >= 0
        shown = possible[:, :, None]
        hull = (
            np.where(shown, lower, np.inf).min(axis=0),
            np.where(shown, upper, -np.inf).max(axis=0),
        )
        return possible, *hull

    def quadratics(self, at):
        """Coefficients (q, b, D) of the error's numerators: of squares, outputs, and ones."""
        coefficients = []
        for (coef, diagonal, _), ridge in zip(self.solved, at, strict=True):
            f, slopes = ridge.predictions[:, self.columns], ridge.weights / ridge.variances[:, None]
            shares = self.weights / np.square(diagonal + ridge.weights * slopes)
            square = 1.0 + (shares * np.square(slopes)).sum(axis=1, keepdims=True)
            cross = (shares * slopes) @ coef
            constant = shares @ np.square(coef)
            coefficients.append(
                (
                    np.broadcast_to(square, f.shape),
                    -2.0 * (square * f + cross),
                    constant + (2.0 * cross + square * f) * f,
                )
            )
        return [np.array(part) for part in zip(*coefficients, strict=True)]

    def errors(self, outputs, quadratics):
        """Errors (q, ...) of outputs (..., D)."""
        square, linear, constant = quadratics
        above = (square * outputs + linear) * outputs + constant
        below = self.variance[0] * np.square(outputs) + self.variance[1]
        return (above / np.maximum(below, TINY)).sum(axis=-1)

    def _most(self, quadratics, lower, upper):
        """The most (q, b, D) that quotients reach between two ends (b, D)."""
        square, linear, constant = quadratics
        q2, q0 = self.variance

        def at(y):
            y = np.clip(y, lower, upper)
            return ((square * y + linear) * y + constant) / np.maximum(q2 * y * y + q0, TINY)

        # Where the derivative is zero: a y^2 + 2 b y + c = 0. The constants of the quotient have
        # their long names.
        a, b, c = -q2 * linear, square * q0 - q2 * constant, linear * q0
        root = np.sqrt(np.maximum(b * b - a * c, 0.0))
        with np.errstate(divide="ignore", invalid="ignore"):
            inner = [(-b - root) / a, (-b + root) / a, -c / (2.0 * b)]
        ends = [np.nan_to_num(y, nan=0.0, posinf=0.0, neginf=0.0) for y in inner]
        return np.max([at(lower), at(upper), *(at(y) for y in ends)], axis=0)


def _factor(scatter):
    """Lower triangular root of the scatter, or of one that is a little more and has a root."""
    try:
        return np.linalg.cholesky(scatter)
    except np.linalg.LinAlgError:
        units = np.sqrt(np.maximum(np.diag(scatter), np.sqrt(TINY)))
        values, vectors = np.linalg.eigh(scatter / units / units[:, None])
        more = (vectors * np.maximum(values, 1e-10)) @ vectors.T
        return units[:, None] * np.linalg.cholesky(more)
