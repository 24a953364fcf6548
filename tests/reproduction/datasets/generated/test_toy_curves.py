import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reproduction.datasets.generated.toy_curves import (
    branch_error,
    make_toy1,
    make_toy2,
    toy_branches,
    toy_curve,
)


@given(st.lists(st.floats(-3, 3), min_size=1, max_size=20))
def test_branches_solve_the_equation(x):
    found = toy_branches(x)
    there = np.isfinite(found)
    gaps = toy_curve(found) - np.array(x)[:, None]
    assert np.abs(gaps[there]).max() < 1e-12
    assert there.any(axis=1).all()


def test_branches_are_all_solutions():
    """Sign changes on a fine grid find as many, at the same places."""
    x = np.linspace(-0.98, 0.98, 57)
    y = np.linspace(-1.0, 1.0, 200_002)
    for one, found in zip(x, toy_branches(x), strict=True):
        signs = np.sign(toy_curve(y) - one)
        places = y[:-1][signs[1:] != signs[:-1]]
        found = found[np.isfinite(found)]
        assert len(found) in (1, 3)
        np.testing.assert_allclose(found, places, atol=2e-5)


@pytest.mark.parametrize(("make", "start"), [(make_toy1, 0.0), (make_toy2, -1.0)])
def test_samples_lie_on_the_curve(make, start):
    toy = make(noise=0.0, random_state=1)
    np.testing.assert_array_equal(toy.X, toy_curve(toy.Y))
    assert start < toy.Y.min() < start + 0.05
    assert 0.95 < toy.Y.max() < 1.0
    noisy = make(4000, noise=0.005, random_state=1)
    assert abs(np.std(noisy.X - toy_curve(noisy.Y)) - 0.005) < 5e-4


def test_branch_error_takes_the_nearest_of_all_answers():
    y = np.linspace(0, 1, 20_001)
    x = np.linspace(0.05, 0.95, 13)
    predicted = np.random.default_rng(0).uniform(0, 1, 13)
    on_curve = [np.abs(y[np.abs(toy_curve(y) - one) < 1e-4] - p).min()
                for one, p in zip(x, predicted, strict=True)]  # fmt: skip
    np.testing.assert_allclose(branch_error(x, predicted), np.mean(on_curve), atol=1e-3)
