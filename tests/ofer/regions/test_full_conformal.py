"""Full conformal regions against refits with each candidate, and what follows from them."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import qmc
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from ofer import FullConformalRegressor, KernelRidgeCV

RBF = {"kernel": "rbf", "gamma": 0.5}
pytestmark = pytest.mark.filterwarnings("ignore:alphas should have")  # the grids here are short


def draw(n=10, d=2, m=6, seed=0, weighted=False):
    rng = np.random.default_rng(seed)
    X, Q = rng.normal(size=(n, 2)), 1.5 * rng.normal(size=(m, 2))
    B = rng.normal(size=(2, d))
    Y = 3.0 + np.sin(X) @ B + 0.5 * rng.standard_t(3, size=(n, d))
    y = 3.0 + np.sin(Q) @ B + rng.standard_t(3, size=(m, d))
    weights = rng.integers(1, 4, size=n).astype(float) if weighted else None
    return X, Y, Q, y, weights


def scores_of(ridge, X, Y, weights, shape):
    """Scores of samples from as many refits: lengths of studentised leave-one-out residuals."""
    n = len(X)
    K = ridge._kernel(ridge.gamma).matrix(X, X)
    border = np.zeros((n + 1, n + 1))
    border[:n, :n] = K + np.diag(ridge.alphas[0] / weights)
    if ridge.fit_intercept:
        border[:n, n] = border[n, :n] = 1.0
    else:
        border[n, n] = 1.0
    G = np.linalg.inv(border)[:n, :n]
    residuals = np.empty_like(Y)
    for i in range(n):
        kept = np.arange(n) != i
        one = clone(ridge).fit(X[kept], Y[kept], weights[kept])
        residuals[i] = Y[i] - one.predict(X[[i]])[0]
    studentised = residuals * np.sqrt(np.diag(G))[:, None]
    Q = Y.T @ G @ Y
    if shape == "box":
        return (studentised**2 / np.diag(Q)).max(axis=1), residuals
    return np.einsum("ij,ij->i", studentised, np.linalg.solve(Q, studentised.T).T), residuals


def brute_force(ridges, X, Y, weights, query, y, shape, in_units=True):
    """The p-value of one output: ridges that are chosen among have one parameter each."""
    X, Y = np.vstack([X, query]), np.vstack([Y, y])
    weights = np.append(np.ones(len(Y) - 1) if weights is None else weights, 1.0)
    found = [scores_of(ridge, X, Y, weights, shape) for ridge in ridges]
    mean = np.average(Y, axis=0, weights=weights)
    units = np.average((Y - mean) ** 2, axis=0, weights=weights) if in_units else 1.0
    errors = [(weights[:, None] * residuals**2 / units).sum() for _, residuals in found]
    scores = found[int(np.argmin(errors))][0]
    return np.mean(scores >= scores[-1] * (1 - 1e-9))


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("d", "shape"), [(1, "ellipsoid"), (3, "ellipsoid"), (3, "box")])
@pytest.mark.parametrize(("kernel", "intercept"), [("rbf", True), ("linear", True), ("rbf", False)])
def test_p_values_are_those_of_refits(kernel, intercept, d, shape, weighted):
    X, Y, Q, y, weights = draw(n=7, d=d, m=4, weighted=weighted)
    ridge = KernelRidgeCV([0.3], kernel=kernel, gamma=0.5, fit_intercept=intercept)
    model = FullConformalRegressor(ridge, shape=shape).fit(X, Y, weights)
    found = model.p_values(Q, y)
    expected = [brute_force([ridge], X, Y, weights, q, o, shape) for q, o in zip(Q, y, strict=True)]
    assert_allclose(found, expected, atol=1e-10)


@pytest.mark.parametrize(("scoring", "weighted"), [(None, True), ("neg_mean_squared_error", False)])
@pytest.mark.parametrize(("d", "shape"), [(1, "ellipsoid"), (3, "ellipsoid"), (2, "box")])
def test_choosing_inside_is_that_of_refits(d, shape, scoring, weighted):
    X, Y, Q, y, weights = draw(n=6, d=d, m=3, seed=1, weighted=weighted)
    alphas, gammas = [0.01, 3.0], [0.1, 1.0]
    ridge = KernelRidgeCV(alphas, kernel="rbf", scoring=scoring)
    search = GridSearchCV(ridge, {"gamma": gammas})
    model = FullConformalRegressor(search, shape=shape, selection="inside").fit(X, Y, weights)
    ridges = [clone(ridge).set_params(alphas=[a], gamma=g) for g in gammas for a in alphas]
    in_units = scoring is None
    expected = [
        brute_force(ridges, X, Y, weights, q, o, shape, in_units) for q, o in zip(Q, y, strict=True)
    ]
    assert_allclose(model.p_values(Q, y), expected, atol=1e-10)


@pytest.mark.parametrize("options", [
    {}, {"shape": "ellipsoid"}, {"simultaneous": False}, {"selection": "inside"},
    {"shape": "ellipsoid", "selection": "inside"},
    {"simultaneous": False, "selection": "inside"},
])  # fmt: skip
@pytest.mark.parametrize("level", [0.5, 0.8])
def test_contains_p_values_and_intervals_agree(options, level):
    X, Y, _, _, _ = draw(n=12, d=2, seed=2)
    Q = np.random.default_rng(3).normal(size=(3, 2))
    grid = np.stack(np.meshgrid(*[np.linspace(-3, 9, 30)] * 2), axis=-1).reshape(-1, 2)
    ridge = KernelRidgeCV([0.05, 1.0], **RBF)
    model = FullConformalRegressor(ridge, confidence_level=level, **options).fit(X, Y)
    for q in Q:
        many = np.tile(q, (len(grid), 1))
        held = model.contains(many, grid)
        assert_array_equal(held, model.p_values(many, grid) > 1 - level + 1e-9)
        lower, upper = model.predict_interval(q[None])[0].T
        within = (lower <= grid) & (grid <= upper)
        if model.simultaneous:
            assert held.any()
            assert within[held].all()
        else:
            assert within[held].all()
            assert model.selection == "inside" or held[within].all()


def test_ends_hold_what_is_contained_where_squared_errors_choose():
    X, Y, Q, _, _ = draw(n=12, m=3, seed=32)
    ridge = KernelRidgeCV([0.05, 0.3, 1.0], scoring="neg_mean_squared_error", **RBF)
    options = {"confidence_level": 0.8, "shape": "ellipsoid", "selection": "inside"}
    model = FullConformalRegressor(ridge, **options).fit(X, Y)
    lower, upper = model.predict_interval(Q[:1])[0].T
    grid = np.stack(np.meshgrid(*[np.linspace(-3, 9, 60)] * 2), axis=-1).reshape(-1, 2)
    held = model.contains(np.tile(Q[0], (len(grid), 1)), grid)
    assert held.any()
    assert ((lower <= grid) & (grid <= upper))[held].all()


@pytest.mark.parametrize("selection", ["fixed", "inside"])
@pytest.mark.parametrize("d", [1, 2])
def test_volume_is_that_of_what_is_contained(d, selection):
    X, Y, Q, _, _ = draw(n=15, d=d, m=2, seed=4)
    ridge = KernelRidgeCV([0.02, 0.5], **RBF)
    model = FullConformalRegressor(
        ridge, confidence_level=0.8, shape="ellipsoid", selection=selection
    )
    model.fit(X, Y)
    lower, upper = np.moveaxis(model.predict_interval(Q), -1, 0).reshape(2, len(Q), d)
    shares = qmc.Sobol(d, seed=0).random(2048)  # with a tenth of the error of as many by chance
    for i, q in enumerate(Q):
        points = lower[i] + shares * (upper[i] - lower[i])
        held = model.contains(np.tile(q, (len(points), 1)), points).mean()
        expected = held * np.prod(upper[i] - lower[i])
        assert_allclose(model.volume(Q[[i]]), expected, rtol=0.04)


@pytest.mark.parametrize("shape", ["ellipsoid", "box"])
def test_a_ridge_that_is_never_chosen_has_no_part(shape):
    X, _, Q, _, _ = draw(n=30)
    two, one = (
        FullConformalRegressor(KernelRidgeCV(alphas, **RBF), shape=shape, selection="inside")
        for alphas in ([0.05, 1e4], [0.05])
    )
    two, one = (model.fit(X, np.sin(X)) for model in (two, one))
    assert_allclose(two.predict_interval(Q), one.predict_interval(Q))
    assert_allclose(two.volume(Q), one.volume(Q), rtol=0.02)  # half as many rays or fewer


def test_one_output_is_a_jackknife_plus_of_longer_residuals():
    X, Y, Q, _, _ = draw(n=30, d=1, m=8)
    ridge = KernelRidgeCV([0.3], **RBF).fit(X, Y)
    system = ridge.kernel_system(X)
    K = ridge._kernel(0.5).matrix(Q, X)
    ((w, s),) = system.predictive(K, np.ones(8), [0.3])
    _, diagonal = system.dual(Y, 0.3)
    missed = ridge.loo_residuals_[:, 0]
    left_out = ridge.predict(Q) - w * missed
    longer = np.sqrt(s[:, None] * diagonal + w**2) * np.abs(missed)
    rank = int(np.ceil(0.9 * 31)) - 1
    expected = [-np.sort(longer - left_out)[:, rank], np.sort(longer + left_out)[:, rank]]
    found = FullConformalRegressor(clone(ridge)).fit(X, Y).predict_interval(Q)[:, 0]
    assert_allclose(found, np.transpose(expected), rtol=1e-7)  # ties widen it


@given(st.integers(0, 10_000), st.floats(0.01, 100), st.sampled_from(["ellipsoid", "box"]))
def test_units_and_order_do_not_matter(seed, unit, shape):
    X, Y, Q, y, _ = draw(n=12, seed=seed)
    order = np.random.default_rng(seed).permutation(12)
    ridge = KernelRidgeCV([0.1, 1.0], **RBF)
    for selection in ("fixed", "inside"):
        model = FullConformalRegressor(ridge, shape=shape, selection=selection)
        expected = model.fit(X, Y).p_values(Q, y)
        units = np.array([unit, 1.0])
        moved = model.fit(X[order], Y[order] * units - 3.0).p_values(Q, y * units - 3.0)
        assert_allclose(moved, expected)


@given(st.integers(0, 10_000))
def test_an_ellipsoid_does_not_know_the_axes(seed):
    X, Y, Q, y, _ = draw(n=12, seed=seed)
    turn = np.random.default_rng(seed).normal(size=(2, 2)) + 2 * np.eye(2)
    model = FullConformalRegressor(KernelRidgeCV([0.3], **RBF), shape="ellipsoid")
    expected = model.fit(X, Y).p_values(Q, y)
    assert_allclose(model.fit(X, Y @ turn).p_values(Q, y @ turn), expected)


def test_an_output_that_is_a_multiple_of_another_tells_nothing():
    X, Y, Q, y, _ = draw(n=12, d=1)
    model = FullConformalRegressor(KernelRidgeCV([0.3], **RBF), shape="ellipsoid")
    expected = model.fit(X, Y).p_values(Q, y)
    units = np.array([1.0, 512.0])  # without roundoff the scatter has no root
    assert_allclose(model.fit(X, Y * units).p_values(Q, y * units), expected)


def test_each_coordinate_is_a_problem_of_its_own():
    X, Y, Q, y, _ = draw(n=15, d=3)
    model = FullConformalRegressor(KernelRidgeCV([0.3], **RBF), shape="box", simultaneous=False)
    together = model.fit(X, Y).p_values(Q, y)
    for k in range(3):
        alone = model.fit(X, Y[:, k])
        assert_allclose(together[:, k], alone.p_values(Q, y[:, k]))


def test_series_are_long_vectors():
    X, Y, Q, y, _ = draw(n=15, d=40)
    ridge = KernelRidgeCV([0.3], **RBF)
    model = FullConformalRegressor(ridge, shape="box").fit(X, Y.reshape(15, 20, 2))
    flat = clone(model).fit(X, Y)
    assert_allclose(model.p_values(Q, y.reshape(-1, 20, 2)), flat.p_values(Q, y))
    assert model.predict_interval(Q).shape == (len(Q), 20, 2, 2)
    assert_allclose(model.predict(Q).reshape(len(Q), -1), flat.predict(Q))
    with pytest.raises(ValueError, match="shape must be 'box' for 40 outputs and 15 samples"):
        FullConformalRegressor(ridge, shape="ellipsoid").fit(X, Y)


def test_samples_to_tune_on_are_in_the_fit_and_not_ranked():
    X, Y, Q, y, _ = draw(n=30)
    chain = make_pipeline(StandardScaler(), KernelRidgeCV(kernel="rbf"))
    model = FullConformalRegressor(chain).fit(X[10:], Y[10:], X_tune=X[:10], y_tune=Y[:10])
    assert model.reservations_ == []
    of_a_frame = clone(model).fit(X[10:], Y[10:], X_tune=pd.DataFrame(X[:10]), y_tune=Y[:10])
    assert_allclose(of_a_frame.predict(Q), model.predict(Q))
    tuned = clone(chain).fit(X[:10], Y[:10])
    frozen = make_pipeline(FrozenEstimator(tuned[0]), clone(tuned[1]))
    frozen[-1].set_params(alphas=[tuned[-1].alpha_], gamma=tuned[-1].gamma_)
    assert_allclose(model.predict(Q), frozen.fit(X, Y).predict(Q))
    p = model.p_values(Q, y)
    assert_allclose(p * 21, np.round(p * 21))
    # of one that ranks all, those of the others are counted
    everything = FullConformalRegressor(frozen).fit(X, Y).p_values(Q, y) * 31
    assert np.all((everything - p * 21 >= -1e-9) & (everything - p * 21 <= 10 + 1e-9))


def test_reservations_name_what_has_seen_the_samples():
    X, Y, *_ = draw()

    def of(estimator, weights=None, **options):
        return FullConformalRegressor(estimator, **options).fit(X, Y, weights).reservations_

    assert of(KernelRidgeCV([1.0])) == []
    assert of(KernelRidgeCV([0.1, 1.0]), selection="inside") == []
    assert "chosen once" in of(KernelRidgeCV([0.1, 1.0]))[0]
    assert "width" in of(KernelRidgeCV([1.0], kernel="rbf"))[0]
    assert "alphas=None" in of(KernelRidgeCV(), selection="inside")[0]
    assert "grid" in of(GridSearchCV(KernelRidgeCV([1.0], **RBF), {"gamma": [0.1, 1.0]}, cv=3))[0]
    assert "StandardScaler" in of(make_pipeline(StandardScaler(), KernelRidgeCV([1.0])))[0]
    assert "weight" in of(KernelRidgeCV([1.0]), np.full(len(X), 2.0))[0]
    scaler = FrozenEstimator(StandardScaler().fit(X))
    assert of(make_pipeline(scaler, KernelRidgeCV([1.0]))) == []


@pytest.mark.parametrize("selection", ["fixed", "inside"])
@pytest.mark.parametrize("shape", ["ellipsoid", "box"])
def test_the_level_is_kept(shape, selection):
    # The p-value of a new sample is uniform on 1 / (n + 1), ..., 1.
    rng, n, m = np.random.default_rng(0), 12, 20
    ridge, below = KernelRidgeCV([0.01, 1.0], **RBF), []
    for _ in range(60):
        X = rng.normal(size=(n + m, 2))
        Y = np.exp(X) + rng.standard_t(2, size=(n + m, 2)) * (1 + np.abs(X))
        model = FullConformalRegressor(ridge, shape=shape, selection=selection).fit(X[:n], Y[:n])
        below.append(model.p_values(X[n:], Y[n:]) > 0.2)
    expected = np.ceil(0.8 * (n + 1)) / (n + 1)
    means = np.mean(below, axis=1)
    slack = 0.03 if selection == "fixed" else 0.0  # chosen once from the samples: not proved
    assert abs(np.mean(means) - expected) < 4 * np.std(means) / np.sqrt(60) + slack


def test_few_samples_have_infinite_regions():
    X, Y, Q, y, _ = draw(n=8)
    for options in ({}, {"shape": "ellipsoid"}, {"selection": "inside"}):
        model = FullConformalRegressor(KernelRidgeCV([0.1, 1.0], **RBF), **options).fit(X, Y)
        assert np.isinf(model.volume(Q)).all()
        assert np.isinf(model.predict_interval(Q)).all()
        assert model.contains(Q, 100 * y).all()


def test_samples_of_weight_zero_have_no_part():
    X, Y, Q, y, _ = draw(n=14)
    weights = np.ones(14)
    weights[[0, 5]] = 0
    model = FullConformalRegressor(KernelRidgeCV([0.3], **RBF), shape="ellipsoid")
    with_zeros = model.fit(X, Y, weights).p_values(Q, y)
    assert_allclose(with_zeros, model.fit(X[weights > 0], Y[weights > 0]).p_values(Q, y))


@pytest.mark.parametrize(
    ("estimator", "options", "arguments", "message"),
    [
        (Ridge(), {}, {}, "estimator must be a KernelRidgeCV"),
        (KernelRidgeCV(kernel="precomputed"), {}, {}, "kernel of the estimator must not be"),
        (KernelRidgeCV(alpha_per_target=True), {}, {}, "alpha_per_target of the estimator"),
        (KernelRidgeCV(scoring="r2"), {"selection": "inside"}, {}, "scoring of the estimator"),
        (None, {"shape": "ellipsoid", "simultaneous": False}, {},
         "simultaneous must be True for shape='ellipsoid'"),
        (None, {}, {"X_tune": np.ones((3, 2))}, "X_tune and y_tune must be given both"),
        (None, {"selection": "inside"}, {"X_tune": np.ones((3, 2)), "y_tune": np.ones((3, 2))},
         "not with selection='inside'"),
    ],
)  # fmt: skip
def test_bad_input_is_named(estimator, options, arguments, message):
    X, Y, *_ = draw()
    with pytest.raises(ValueError, match=message):
        FullConformalRegressor(estimator, **options).fit(X, Y, **arguments)


def test_what_was_fitted_is_asked_as_it_was_fitted():
    X, Y, Q, y, _ = draw()
    model = FullConformalRegressor(KernelRidgeCV([0.3], **RBF), shape="ellipsoid").fit(X, Y)
    with pytest.raises(ValueError, match=r"y must have rows of shape \(2,\)"):
        model.contains(Q, y[:, 0])
    model.set_params(shape="box")
    with pytest.raises(ValueError, match="shape must be that of the fit, 'ellipsoid'"):
        model.volume(Q)


def test_groups_are_sent_elsewhere():
    X, Y, _, _, _ = draw(n=12)
    with pytest.raises(ValueError, match=r"groups must be None.*Take JackknifePlus"):
        FullConformalRegressor(KernelRidgeCV([0.1], **RBF)).fit(X, Y, groups=np.arange(12) // 2)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    "options",
    [
        {"shape": "box"},
        {"shape": "ellipsoid"},
        {"simultaneous": False},
        {"selection": "inside"},
        {"shape": "ellipsoid", "selection": "inside"},
    ],
)
@pytest.mark.parametrize("constant", [7.0, 0.1, 0.0, 1e-9, 1e9])
def test_a_constant_output_changes_nothing(constant, options, weighted):
    X, Y, Q, y, weights = draw(n=40, m=40, seed=3, weighted=weighted)
    alphas = [0.5, 2.0] if "selection" in options else [0.5]
    model = FullConformalRegressor(KernelRidgeCV(alphas, **RBF), confidence_level=0.8, **options)
    X_all, Y_all = np.vstack([X, Q]), np.vstack([Y, y])
    with_it = np.insert(Y_all, 1, constant, axis=1)
    expected, twin = clone(model).fit(X, Y, weights), clone(model).fit(X, with_it[:40], weights)
    inside, p = expected.contains(X_all, Y_all), expected.p_values(X_all, Y_all)
    assert 0.5 < inside.mean() < 0.99
    if "simultaneous" in options:
        inside, p = np.insert(inside, 1, True, axis=1), np.insert(p, 1, 1.0, axis=1)
    assert_array_equal(twin.contains(X_all, with_it), inside)
    assert_array_equal(twin.p_values(X_all, with_it), p)
    ends = twin.predict_interval(Q)
    assert_allclose(np.delete(ends, 1, axis=1), expected.predict_interval(Q), rtol=1e-7)
    assert_allclose(ends[:, 1], constant, rtol=1e-15, atol=1e-150)
    # Refits with another value find it odder than any sample.
    other = np.insert(Y_all, 1, constant * 1.001 + 1e-12, axis=1)
    odd = twin.p_values(X_all, other)
    assert_allclose(odd[:, 1] if "simultaneous" in options else odd, 1 / 41)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("selection", ["fixed", "inside"])
@pytest.mark.parametrize("constant", [7.0, 0.1, 0.0, 1e-9, 1e9])
def test_outputs_that_are_all_constant_are_points(constant, selection, weighted):
    X, _, Q, _, weights = draw(n=40, m=40, seed=3, weighted=weighted)
    model = FullConformalRegressor(KernelRidgeCV([0.5], **RBF), selection=selection)
    model.fit(X, np.full(40, constant), weights)
    assert_array_equal(model.p_values(Q, np.full(40, constant)), 1.0)
    assert model.contains(Q, np.full(40, constant)).all()
    assert not model.contains(Q, np.full(40, constant * 1.001 + 1e-12)).any()
    assert_array_equal(model.predict_interval(Q), constant)
    assert_array_equal(model.volume(Q), 0.0)
