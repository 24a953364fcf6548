"""Shapes of regions: scores against sums without each sample, and ends by hand."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.covariance import ledoit_wolf

from ofer.regions._shapes import SHAPES, Regions, smallest

RNG = np.random.default_rng(0)
N, D = 12, 3
RESIDUALS = (RNG.normal(size=(N, 1)) + 0.5 * RNG.normal(size=(N, D))) * [0.1, 1.0, 30.0] + 0.2
MEMBERSHIPS = RNG.dirichlet([1.0, 0.5], size=N)
RANKS = np.arange(1.0, 600)


def weights_of_others(i, component, prior):
    """What each sample counts in the spread of a component, without sample i."""
    return np.delete(MEMBERSHIPS[:, component] + prior / N, i)


@pytest.mark.parametrize("together", [True, False])
def test_intervals_have_the_spread_of_the_others(together):
    """To which those of all samples count as two samples more."""
    shape, scores = SHAPES["box", together](RESIDUALS, MEMBERSHIPS), np.empty((N, D))
    for i in range(N):
        squares = np.delete(np.square(RESIDUALS), i, axis=0)
        variances = [
            np.average(squares, axis=0, weights=weights_of_others(i, c, 2.0)) for c in (0, 1)
        ]
        assert_allclose(shape.variances[:, i], variances)
        scores[i] = np.abs(RESIDUALS[i]) / np.sqrt(MEMBERSHIPS[i] @ variances)
    assert_allclose(shape.scores, scores.max(axis=1, keepdims=True) if together else scores)


def test_ellipsoids_have_the_covariance_of_the_others():
    """To which that of all, shrunk as it is with all, counts as D + 1 samples more."""
    shape, prior = SHAPES["ellipsoid", True](RESIDUALS, MEMBERSHIPS), D + 1.0
    units = np.sqrt(np.square(RESIDUALS).mean(axis=0))
    pooled, shrinkage = ledoit_wolf(RESIDUALS / units, assume_centered=True)
    pooled *= np.outer(units, units)
    assert 0.05 < shrinkage < 0.95
    target = pooled - (1.0 - shrinkage) * RESIDUALS.T @ RESIDUALS / N
    for c, weights in enumerate(MEMBERSHIPS.T):
        total = (RESIDUALS.T * weights) @ RESIDUALS + prior * pooled
        assert_allclose(shape.covariances[c], total / (weights.sum() + prior), rtol=1e-9)
    for i in range(N):
        others, covariance = np.delete(RESIDUALS, i, axis=0), np.zeros((D, D))
        for c in (0, 1):
            own = weights_of_others(i, c, (1.0 - shrinkage) * prior)
            total = (others.T * own) @ others + prior * target
            covariance += MEMBERSHIPS[i, c] * total / weights_of_others(i, c, prior).sum()
        squared = RESIDUALS[i] @ np.linalg.solve(covariance, RESIDUALS[i])
        assert_allclose(shape.scores[i], np.sqrt(squared), rtol=1e-8)


def test_ranks_do_not_hang_on_the_last_bit():
    """A level times n + 1 may be a little more than the integer that it stands for."""
    values, levels = np.random.default_rng(0).permutation(RANKS)[None], RANKS / 600
    assert (levels * 600 > RANKS).any()
    assert_array_equal([smallest(values, level) for level in levels], RANKS[:, None])
    above = [smallest(values, level + 1e-5) for level in levels]
    assert_array_equal(above, np.append(RANKS[1:], np.inf)[:, None])


def test_regions_hold_their_ends_and_may_have_no_volume():
    centre, factors = np.array([[1.0, 2.0]]), np.array([[[2.0, 0.0], [1.0, 0.5]]])
    ellipsoid = Regions(centre - 4, centre + 4, centre, np.array([2.0]), factors)
    on_it = centre + 2.0 * factors[0, :, 1]
    assert_array_equal(ellipsoid.contain(on_it), [True])
    assert_array_equal(ellipsoid.contain(on_it + 1e-8), [False])
    assert_allclose(ellipsoid.log_volumes(), np.log(np.pi * 4.0))
    box = Regions(centre, np.array([[2.0, 2.0]]))
    assert_array_equal(box.contain(centre), [[True, True]])
    assert_array_equal(box.contain([[2.0, 2.0 + 1e-9]]), [[True, False]])
    point = Regions(centre, centre, centre, np.zeros(1), factors)
    assert_array_equal([box.log_volumes(), point.log_volumes()], [[-np.inf], [-np.inf]])
