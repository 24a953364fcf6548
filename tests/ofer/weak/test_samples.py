"""Weak inputs below the labelled ones."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse

from ofer.weak import stack_inputs

X, X_WEAK = np.arange(6.0).reshape(2, 3), -np.arange(9.0).reshape(3, 3)
formats = [np.asarray, sparse.csr_array, sparse.csc_array]


@pytest.mark.parametrize("labelled", formats)
@pytest.mark.parametrize("weak", formats)
def test_inputs_of_any_kind_are_stacked(labelled, weak):
    own, both = stack_inputs(labelled(X), weak(X_WEAK), None, pairwise=False)
    assert sparse.issparse(own) == (labelled is not np.asarray)
    if labelled is weak is np.asarray:
        assert_array_equal(both, np.vstack([X, X_WEAK]))
    else:
        assert both.format == "csr"
        assert_array_equal(both.toarray(), np.vstack([X, X_WEAK]))


def test_a_kernel_is_that_of_all_inputs():
    every = np.vstack([X, X_WEAK])
    K = every @ every.T
    own, both = stack_inputs(K[:2, :2], K[2:], None, pairwise=True)
    assert_array_equal(own, K[:2, :2])
    assert_array_equal(both, K)
    expected = r"^weak.X must have 5 columns \(labelled and weak inputs\)"
    with pytest.raises(ValueError, match=expected):
        stack_inputs(K[:2, :2], K[2:, :2], None, pairwise=True)
