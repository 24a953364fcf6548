import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.ensemble import RandomForestRegressor
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.utils import Bunch

from ofer import KernelRidgeCV
from reproduction.papers.ofer import multi_target as module
from reproduction.papers.ofer.multi_target import StackedRidge, evaluate, take_split

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
    _, test = module.repeated_splits(
        60, n_splits=2, train_fraction=0.8, train_sizes=[], random_state=2016
    )[1]
    changed.X[test] *= 3
    changed.Y[test] += 100
    after = take_split(changed, 1)
    assert_array_equal(after.X, before.X)
    assert_array_equal(after.Y, before.Y)
    assert not np.allclose(after.Y_test, before.Y_test)


def test_input_without_any_value_is_dropped():
    data = make_set()
    data.X[:, 1] = np.nan
    assert take_split(data, 0).X.shape == (48, 2)


@pytest.mark.parametrize("method", ["OFER-GMM", "OFER-GMM exact"])
def test_one_component_is_the_centred_ridge(method, monkeypatch):
    monkeypatch.setitem(module.PARAMETERS, "n_components", [1])
    monkeypatch.setitem(module.PARAMETERS, "n_components_of_slow", [1])
    ridge = evaluate(TOY, "m-KRR centred", "toy", 0)["arrmse"]
    assert evaluate(TOY, method, "toy", 0)["arrmse"] == pytest.approx(ridge)


def test_forest_on_the_embedding_of_one_component_is_the_forest(monkeypatch):
    monkeypatch.setitem(module.PARAMETERS, "n_components_of_slow", [1])
    part = take_split(TOY["toy"], 0)
    model, n_components = module._select_mixture("OFER forest", part.X, part.Y, 3)
    plain = RandomForestRegressor(60, max_features=1 / 3, oob_score=True, random_state=3)
    plain.fit(part.X, part.Y)
    assert n_components == 1
    assert_allclose(model.predict(part.X_test), plain.predict(part.X_test))
    assert_allclose(module._predict_unseen(model), plain.oob_prediction_)


def test_components_are_no_more_than_different_outputs():
    Y = np.repeat([[0.0], [1.0], [2.0]], 20, axis=0)
    assert module._components("OFER-GMM", Y) == [1, 2, 3]
    assert module._components("OFER forest", Y) == [1, 2]
    assert module._components("OFER-GMM", np.arange(10.0)[:, None]) == [1, 2]


def test_stacking_corrects_a_target_by_a_cleaner_one():
    rng = np.random.default_rng(0)
    X, X_test = rng.uniform(-2, 2, size=(80, 1)), rng.uniform(-2, 2, size=(200, 1))
    Y = np.sin(3 * X) + rng.normal(size=(80, 2)) * [0.01, 1.0]
    K, K_test = rbf_kernel(X, gamma=4.0), rbf_kernel(X_test, X, gamma=4.0)
    first = KernelRidgeCV(kernel="precomputed", alpha_per_target=True).fit(K, Y)
    errors = [
        np.abs(model.predict(K_test) - np.sin(3 * X_test)).mean(axis=0)
        for model in (first, StackedRidge().fit(K, Y))
    ]
    assert errors[1][1] < 0.8 * errors[0][1]
    assert errors[1][0] < 2 * errors[0][0]
