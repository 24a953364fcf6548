import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.utils import Bunch

from reproduction.statistics.splits import random_split
from reproduction.studies.multi_target import benchmark
from reproduction.studies.multi_target.benchmark import evaluate, take_split

# The grids are those of the protocol.
pytestmark = pytest.mark.filterwarnings("ignore:alphas should have")


def make_set(n=60, *, seed=0):
    """Set with two dependent targets, a hole in the inputs and a constant input."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    Y = np.column_stack([np.sin(X[:, 0]), np.sin(X[:, 0]) + X[:, 1]]) * [1, 50]
    Y += rng.normal(scale=0.1, size=Y.shape) * [1, 50]
    X[::7, 2] = np.nan
    X[:, 3] = 5.0
    return Bunch(X=X, Y=Y)


TOY = {"toy": make_set()}


def test_training_part_is_standardised_without_holes_and_constants():
    part = take_split(TOY["toy"], 0)
    assert part.X.shape == (48, 3)
    assert part.X_test.shape == (12, 3)
    for values in (part.X, part.Y):
        assert_allclose(values.mean(axis=0), 0, atol=1e-12)
        assert_allclose(values.std(axis=0), 1)
    assert np.isfinite(part.X_test).all()


def test_test_part_does_not_move_the_training_part():
    before = take_split(TOY["toy"], 1)
    changed = make_set()
    test = random_split(60, 1, **benchmark.SPLITS).test
    changed.X[test] *= 3
    changed.Y[test] += 100
    after = take_split(changed, 1)
    assert_array_equal(after.X, before.X)
    assert_array_equal(after.Y, before.Y)
    assert not np.allclose(after.Y_test, before.Y_test)


@pytest.mark.parametrize("method", ["OFER-GMM", "OFER-GMM exact"])
def test_one_component_is_the_centred_ridge(method, monkeypatch):
    monkeypatch.setitem(benchmark.PARAMETERS, "n_components", [1])
    monkeypatch.setitem(benchmark.PARAMETERS, "n_components_of_slow", [1])
    ridge = evaluate(TOY, "m-KRR centred", "toy", 0)["arrmse"]
    assert evaluate(TOY, method, "toy", 0)["arrmse"] == pytest.approx(ridge)
