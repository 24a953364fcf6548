import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose

from ofer.embeddings import project_simplex

ROWS = arrays(
    np.float64,
    st.tuples(st.integers(1, 5), st.integers(1, 6)),
    elements=st.floats(-1e6, 1e6, allow_subnormal=False),
)


@given(ROWS)
def test_optimality_conditions(V):
    P = project_simplex(V)
    assert (P >= 0).all()
    assert_allclose(P.sum(axis=1), 1.0)
    # v - p is the same number where p > 0, and no more than it elsewhere.
    for v, p in zip(V, P, strict=True):
        slack = v - p
        tau = slack[p > 0].max()
        size = 1e-9 * (1 + np.abs(v).max())
        assert_allclose(slack[p > 0], tau, atol=size)
        assert (slack <= tau + size).all()


@given(ROWS, st.floats(-10, 10))
def test_projecting_twice_and_shifting_change_nothing(V, shift):
    P = project_simplex(V)
    assert_allclose(project_simplex(P), P, atol=1e-12)
    assert_allclose(project_simplex(V + shift), P, atol=1e-8)


def test_a_point_of_the_simplex_is_left_alone():
    shares = np.random.default_rng(0).dirichlet(np.full(7, 0.1), size=50)
    shares[:, 2] = 0.0
    shares /= shares.sum(axis=1, keepdims=True)
    np.testing.assert_array_equal(project_simplex(shares), shares)
    mixed = np.vstack([shares, 3 * shares])
    np.testing.assert_array_equal(project_simplex(mixed)[:50], shares)
