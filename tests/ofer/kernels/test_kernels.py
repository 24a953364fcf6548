import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.distance import cdist

from ofer.kernels import median_bandwidth, median_gamma, tanimoto_kernel

BITS = arrays(np.uint8, st.tuples(st.integers(1, 8), st.just(16)), elements=st.integers(0, 1))


@given(X=BITS, Z=BITS)
def test_bits_match_the_jaccard_distance(X, Z):
    expected = 1.0 - cdist(X.astype(bool), Z.astype(bool), "jaccard")
    assert_allclose(tanimoto_kernel(X, Z), expected)


@given(X=BITS, Z=BITS, order=st.sampled_from(["big", "little"]))
def test_packed_bits_equal_dense_ones(X, Z, order):
    packed = [np.packbits(A, axis=1, bitorder=order) for A in (X, Z)]
    assert_array_equal(tanimoto_kernel(*packed, packed=True), tanimoto_kernel(X, Z))


@given(X=BITS)
def test_positive_semi_definite_with_unit_diagonal(X):
    K = tanimoto_kernel(X)
    assert_array_equal(K, K.T)
    assert_array_equal(np.diag(K), 1.0)
    assert np.linalg.eigvalsh(K)[0] > -1e-10
    assert (K >= 0).all()
    assert (K <= 1).all()


def test_counts():
    x, z = np.array([[2.0, 0.0, 1.0]]), np.array([[1.0, 1.0, 0.0]])
    assert_allclose(tanimoto_kernel(x, z), [[2 / (5 + 2 - 2)]])


COUNTS = np.random.default_rng(0).poisson(1.0, size=(9, 6)) * np.linspace(0.1, 3.0, 6)
COUNTS[3] = 0.0


@pytest.mark.parametrize("unit", [1e-300, 1e-200, 1e-160, 1e-12, 1e12, 1e160, 1e300])
def test_tanimoto_units(unit):
    K = tanimoto_kernel(COUNTS)
    assert_allclose(tanimoto_kernel(unit * COUNTS), K, rtol=1e-14)
    assert_allclose(tanimoto_kernel(unit * COUNTS, unit * COUNTS[:4]), K[:, :4], rtol=1e-14)


@pytest.mark.parametrize("unit", [1e-300, 1e-12, 1e12, 1e300])
def test_a_tanimoto_similarity_is_that_of_its_rows_in_any_company(unit):
    K = tanimoto_kernel(np.vstack([COUNTS, unit * COUNTS]))
    assert_allclose(K[:9, :9], tanimoto_kernel(COUNTS), rtol=1e-14)
    assert_allclose(K[9:, 9:], tanimoto_kernel(COUNTS), rtol=1e-14)
    empty = COUNTS.sum(axis=1) == 0
    assert_array_equal(K[:9, 9:] > 1e-6, empty[:, None] & empty)


@given(X=arrays(np.float64, (5, 3), elements=st.floats(0, 1e300)))
def test_tanimoto_range(X):
    for K in (tanimoto_kernel(X), tanimoto_kernel(X, X), tanimoto_kernel(X, X[::-1])):
        assert ((K >= 0) & (K <= 1)).all()
    assert_array_equal(np.diag(tanimoto_kernel(X)), 1.0)


def test_tanimoto_bad_input():
    with pytest.raises(ValueError, match="X must not have negative values; got -1"):
        tanimoto_kernel([[1.0, -1.0]])
    with pytest.raises(ValueError, match="Z contains NaN"):
        tanimoto_kernel([[1.0]], [[np.nan]])
    with pytest.raises(ValueError, match="same number of features; got 2 and 3"):
        tanimoto_kernel(np.ones((1, 2)), np.ones((1, 3)))
    with pytest.raises(TypeError, match=r"Z must hold packed bits .* got float64"):
        tanimoto_kernel(np.ones((1, 2), np.uint8), np.ones((1, 2)), packed=True)


def test_median_bandwidth():
    X = np.random.default_rng(0).normal(size=(40, 3))
    distances = cdist(X, X)[np.triu_indices(40, 1)]
    assert_allclose(median_bandwidth(X), np.median(distances))
    assert_allclose(median_bandwidth(7 * X + 1), 7 * median_bandwidth(X))
    twice = np.vstack([X, X])
    assert_allclose(median_bandwidth(twice), median_bandwidth(X))
    some = median_bandwidth(twice, max_samples=30, random_state=0)
    assert some == median_bandwidth(twice, max_samples=30, random_state=0)
    assert_allclose(some, median_bandwidth(X), rtol=0.3)


def test_the_median_rule():
    X = np.random.default_rng(0).normal(size=(40, 3))
    assert_allclose(median_gamma(X), 0.5 / median_bandwidth(X) ** 2)
    drawn = [median_gamma(X, max_samples=9, random_state=seed) for seed in (3, 3, 4)]
    assert drawn[0] == drawn[1] == 0.5 / median_bandwidth(X, max_samples=9, random_state=3) ** 2
    assert drawn[0] != drawn[2]
    assert median_gamma([[1.0, 2.0], [1.0, 2.0]]) == 0.5


def test_median_bandwidth_bad_input():
    with pytest.raises(ValueError, match="all rows are equal"):
        median_bandwidth(np.ones((5, 2)))
    with pytest.raises(ValueError, match="max_samples must be at least 2; got 1"):
        median_bandwidth(np.eye(3), max_samples=1)
    with pytest.raises(TypeError, match=r"max_samples must be an integer; got 2\.5"):
        median_bandwidth(np.eye(3), max_samples=2.5)
