"""Sketched output kernels: exact where the sketch spans all outputs."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.metrics.pairwise import rbf_kernel

from reproduction.papers.after.output_sketches import ProjectedOutputs, sparsified_sketch

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


def test_only_outputs_with_a_weight_are_kept():
    model = ProjectedOutputs(0.3, 4, 3, random_state=0).fit(Y)
    assert len(model.outputs_) <= 30
    assert (model.sketch_.getnnz(axis=0) > 0).all()


def test_entries_of_a_sketch():
    sketch = sparsified_sketch(200, 500, 20, random_state=0)
    assert abs(sketch.nnz / 200 - 20) < 1
    product = (sketch @ sketch.T).toarray()  # near 500 / 200 on the diagonal, near zero elsewhere
    assert abs(np.diag(product).mean() - 2.5) < 0.2
    assert abs((product.sum() - np.trace(product)) / (200 * 199)) < 0.01
