import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.distance import cdist
from sklearn.datasets import load_wine
from sklearn.model_selection import KFold, ShuffleSplit

from ofer.companions import TwinGaussianProcess, TwinGaussianProcessCV

AT_EDGES = pytest.mark.filterwarnings("ignore:.* of the predicted coordinates are at an end")
GRID = {
    "alphas": [0.0, 0.2, 1.0],
    "bandwidths_x": [0.5, 2.0],
    "bandwidths_y": [1.0],
    "ridges": [1e-3, 1e-1],
}


def make_data(n=40, d_y=2, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    return X, np.sin(X @ rng.normal(size=(2, d_y))) + 0.05 * rng.normal(size=(n, d_y))


@AT_EDGES
@pytest.mark.parametrize("params", [{}, {"n_starts": 2}, {"n_neighbors": 12}])
def test_scores_are_those_of_separate_fits(params):
    X, Y = make_data(24)
    folds = KFold(2)
    model = TwinGaussianProcessCV(**GRID, cv=folds, **params).fit(X, Y)
    results = model.cv_results_
    assert len(results["mean_test_score"]) == 12
    names = "bandwidth_x", "bandwidth_y", "ridge", "alpha"
    for i, values in enumerate(zip(*(results[f"param_{name}"] for name in names), strict=True)):
        bandwidth_x, bandwidth_y, ridge, alpha = values
        single = TwinGaussianProcess(
            alpha=alpha,
            bandwidth_x=bandwidth_x,
            bandwidth_y=bandwidth_y,
            ridge_x=ridge,
            ridge_y=ridge,
            **params,
        )
        for j, (train, test) in enumerate(folds.split(X)):
            predictions = single.fit(X[train], Y[train]).predict(X[test])
            score = -np.linalg.norm(predictions - Y[test], axis=1).mean()
            assert_allclose(results[f"split{j}_test_score"][i], score, rtol=1e-9)


def test_the_best_is_chosen_and_refitted():
    X, Y = make_data()
    queries = make_data(seed=1)[0]
    model = TwinGaussianProcessCV(**GRID, cv=3).fit(X, Y)
    results = model.cv_results_
    splits = np.array([results[f"split{i}_test_score"] for i in range(3)])
    assert_allclose(results["mean_test_score"], splits.mean(axis=0))
    assert_allclose(results["std_test_score"], splits.std(axis=0))
    best = results["mean_test_score"].argmax()
    assert model.best_score_ == results["mean_test_score"][best]
    assert model.best_params_ == {
        name: results[f"param_{name}"][best]
        for name in ("bandwidth_x", "bandwidth_y", "ridge", "alpha")
    }
    chosen = dict(model.best_params_)
    ridge = chosen.pop("ridge")
    single = TwinGaussianProcess(ridge_x=ridge, ridge_y=ridge, **chosen).fit(X, Y)
    found = model.predict(queries, return_certainty=True)
    for ours, theirs in zip(found, single.predict(queries, return_certainty=True), strict=True):
        assert_allclose(ours, theirs, rtol=1e-9, atol=1e-12)
    assert_allclose(model.predict(queries), found[0], rtol=1e-9, atol=1e-12)


def test_default_grid():
    X, Y = make_data(30)
    model = TwinGaussianProcessCV(ridges=[1e-3], max_iter=2, cv=ShuffleSplit(1, random_state=0))
    results = model.fit(X, Y).cv_results_
    assert len(results["mean_test_score"]) == 9 * 13
    assert {0.0, 1.0} < set(results["param_alpha"])
    for name, Z, factors in (("x", X, [1, 2, 4]), ("y", Y, [0.5, 1, 2])):
        widths = np.multiply(factors, np.sqrt(np.mean(cdist(Z, Z) ** 2)))
        assert_allclose(np.unique(results[f"param_bandwidth_{name}"]), widths)
    constant = TwinGaussianProcessCV(alphas=[0.1], ridges=[1e-3], cv=2).fit(X, np.ones(30))
    assert_array_equal(constant.predict(X), 1.0)


def test_columns_of_different_units_are_told():
    X, y = load_wine(return_X_y=True)
    with pytest.warns(UserWarning, match="Standardise X"):
        TwinGaussianProcessCV(alphas=[0.0], ridges=[1e-2], cv=2, max_iter=2).fit(X, y)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"alphas": []}, r"alphas must be a list of numbers; got shape \(0,\)"),
        ({"alphas": [0.5, 1.5]}, r"each of alphas must be .* \[0.0, 1.0\]; got 1.5"),
        ({"alphas": [-0.5]}, "each of alphas must be .*; got -0.5"),
        ({"bandwidths_y": [0.0]}, "each of bandwidths_y must be .*; got 0.0"),
        ({"ridges": ["small"]}, "each of ridges must be .*; got 'small'"),
        ({"cv": 100}, "n_splits=100"),
    ],
)
def test_bad_parameters(params, message):
    X, Y = make_data()
    with pytest.raises(ValueError, match=message):
        TwinGaussianProcessCV(**GRID | params).fit(X, Y)
