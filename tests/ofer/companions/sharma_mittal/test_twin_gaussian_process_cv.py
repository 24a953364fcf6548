import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.distance import cdist
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
            errors = (predictions - Y[test]) / Y.std(axis=0)
            score = -np.square(errors).mean()
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
        typical = np.sqrt(np.mean(cdist(Z / Z.std(axis=0), Z / Z.std(axis=0)) ** 2))
        widths = np.unique(results[f"param_bandwidth_{name}"], axis=0)
        assert_allclose(widths, np.outer(factors, typical * Z.std(axis=0)))
    constant = TwinGaussianProcessCV(alphas=[0.1], ridges=[1e-3], cv=2).fit(X, np.ones(30))
    assert_array_equal(constant.predict(X), 1.0)


def test_the_defaults_of_the_plain_process_are_in_the_default_grid():
    X, Y = make_data(30)
    results = TwinGaussianProcessCV(cv=ShuffleSplit(1, random_state=0), max_iter=2).fit(X, Y)
    plain, names = TwinGaussianProcess().fit(X, Y), ("bandwidth_x", "bandwidth_y", "ridge", "alpha")
    expected = plain.bandwidth_x_, plain.bandwidth_y_, plain.ridge_x, plain.alpha
    columns = [results.cv_results_[f"param_{name}"].reshape(9 * 3 * 13, -1) for name in names]
    there = [np.isclose(A, one).all(axis=1) for A, one in zip(columns, expected, strict=True)]
    (own,) = np.flatnonzero(np.all(there, axis=0))
    # They stay, unless the gain of others is more than chance.
    chance, more = np.array([3.0, -2.0, 2.0, -1.0]), np.array([3.0, 2.0, 2.0, 3.0])
    for gains, chosen in ((chance, own), (more, 7)):
        scores = np.zeros((4, 9 * 3 * 13))
        scores[:, 7] = gains
        assert results._choose(scores, results._grids(X, Y)) == chosen
        fewer = TwinGaussianProcessCV(ridges=[1e-3])
        assert fewer._choose(scores[:, : 9 * 13], fewer._grids(X, Y)) == 7


@AT_EDGES
def test_columns_have_units_of_their_own():
    """The search chooses alike, whatever the units: so is the score, and so are the widths."""
    X, Y = make_data(30)
    search = TwinGaussianProcessCV(alphas=[0.0, 0.1], ridges=[1e-2], cv=3)
    expected = search.fit(X, Y).predict(X)
    units_x, units_y = np.array([1e-3, 1e3]), np.array([1e4, 1e-4])
    assert_allclose(search.fit(X * units_x, Y * units_y).predict(X * units_x) / units_y, expected,
                    atol=1e-5)  # fmt: skip


@pytest.mark.parametrize("seed", range(2))
def test_the_search_is_not_behind_its_own_defaults(seed):
    """With outputs in units that differ, and a first one that is noise in the largest unit."""
    rng = np.random.default_rng(seed)
    X, Y = make_data(90, d_y=3, seed=seed)
    Y = np.column_stack([300 * rng.normal(size=90), Y])
    (X, queries), (Y, truth) = np.split(X, [60]), np.split(Y, [60])
    grid = {"alphas": [0.0, 0.01], "ridges": [1e-3, 1e-2]}
    found = TwinGaussianProcessCV(**grid).fit(X, Y).predict(queries)
    plain = TwinGaussianProcess().fit(X, Y).predict(queries)
    errors = [np.square((one - truth) / Y.std(axis=0)).mean(axis=0)[1:] for one in (found, plain)]
    assert errors[0].mean() < errors[1].mean() + 0.02


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
