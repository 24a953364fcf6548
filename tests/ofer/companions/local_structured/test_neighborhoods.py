"""Neighbours: in parts and at once, and among equal points."""

import numpy as np
import pytest
from joblib import Parallel
from scipy.sparse import csr_matrix
from scipy.spatial.distance import cdist

from ofer.companions.local_structured import neighborhoods as module
from ofer.companions.local_structured.neighborhoods import (
    find_neighborhoods,
    nearest_neighbors,
)


@pytest.mark.parametrize("subset", [3, 10, 1000])
@pytest.mark.parametrize("kind", [np.asarray, csr_matrix])
def test_reduction_over_subsets_finds_the_nearest(monkeypatch, subset, kind):
    monkeypatch.setattr(module, "SUBSET_SIZE", subset)
    rng = np.random.default_rng(0)
    points, queries = rng.normal(size=(50, 3)), rng.normal(size=(20, 3))
    found = nearest_neighbors(kind(points), kind(queries), 7, Parallel(n_jobs=1))
    np.testing.assert_array_equal(found, np.argsort(cdist(queries, points), axis=1)[:, :7])


@pytest.mark.parametrize("subset", [3, 1000])
def test_every_point_is_in_its_own_neighbourhood(monkeypatch, subset):
    """Also where more points than neighbours are equal."""
    monkeypatch.setattr(module, "SUBSET_SIZE", subset)
    points = np.repeat(np.arange(4.0), [12, 1, 5, 2])[:, None]
    for k in (1, 4, 20):
        neighbors = find_neighborhoods(points, k, Parallel(n_jobs=1))
        assert neighbors.shape == (20, k)
        np.testing.assert_array_equal(neighbors[:, 0], np.arange(20))
        assert all(len(set(row)) == k for row in neighbors.tolist())
        distances = np.abs(points[neighbors] - points[:, None])[..., 0].sum(axis=1)
        best = np.sort(cdist(points, points), axis=1)[:, :k].sum(axis=1)
        np.testing.assert_allclose(distances, best)
