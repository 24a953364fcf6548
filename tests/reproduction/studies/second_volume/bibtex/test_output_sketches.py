"""Sketched output kernels: exact where the sketch spans all outputs."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.metrics.pairwise import rbf_kernel

from reproduction.studies.second_volume.bibtex.output_sketches import ProjectedOutputs

Y = np.random.default_rng(0).normal(size=(60, 3))


@pytest.mark.parametrize("n_nonzero", [None, 40])
def test_a_sketch_that_spans_all_outputs_is_exact(n_nonzero):
    features = ProjectedOutputs(0.3, 60, n_nonzero, random_state=0).fit_transform(Y)
    assert_allclose(features @ features.T, rbf_kernel(Y, gamma=0.3), atol=1e-5)


def test_products_are_those_of_projections():
    model = ProjectedOutputs(0.3, 10, random_state=0).fit(Y)
    K, R = rbf_kernel(Y, gamma=0.3), model.sketch_.toarray()
    Z = model.transform(Y)
    expected = K @ R.T @ np.linalg.solve(R @ K @ R.T, R @ K)
    assert_allclose(Z @ Z.T, expected, atol=1e-8)
    assert (np.square(Z).sum(axis=1) <= 1 + 1e-9).all()  # a projection shortens
