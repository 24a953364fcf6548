"""Neighbours far from zero."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array

from ofer.utils.neighbors import CentredNeighbors

RNG = np.random.default_rng(0)
X, QUERIES = RNG.normal(size=(12, 2)), RNG.normal(size=(5, 2))


@pytest.mark.parametrize(("shift", "convert"), [(0.0, csr_array), (1e9, np.asarray)])
def test_neighbours_are_the_nearest_wherever_zero_is(shift, convert):
    search = CentredNeighbors(n_neighbors=3).fit(convert(X + shift))
    distances = np.linalg.norm(QUERIES[:, None] - X, axis=2)
    found, places = search.kneighbors(convert(QUERIES + shift))
    assert_array_equal(places, distances.argsort(axis=1)[:, :3])
    assert_allclose(found, np.sort(distances, axis=1)[:, :3], atol=1e-5)
    assert_array_equal(search.kneighbors(convert(QUERIES + shift), 1, False), places[:, :1])
    between = np.linalg.norm(X[:, None] - X, axis=2) + np.diag(np.full(12, np.inf))
    assert_array_equal(search.kneighbors()[1], between.argsort(axis=1)[:, :3])
