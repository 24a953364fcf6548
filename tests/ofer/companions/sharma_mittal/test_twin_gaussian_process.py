import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.optimize import minimize_scalar
from sklearn.base import clone
from sklearn.datasets import load_wine
from sklearn.metrics.pairwise import rbf_kernel

from ofer.companions import (
    QuadraticObjective,
    TwinGaussianProcess,
    sharma_mittal_divergence,
)

SETTINGS = [
    {"alpha": 0},
    {"alpha": 1.0},
    {"alpha": 0.3},
    {"alpha": 0.3, "objective": "quadratic"},
    {"alpha": 0.7, "objective": QuadraticObjective(1.5)},
    {"alpha": 0.3, "objective": "cubic"},
]
KERNELS = {"bandwidth_x": 0.8, "bandwidth_y": 1.3, "ridge_x": 0.02, "ridge_y": 0.05}
AT_EDGES = pytest.mark.filterwarnings("ignore:.* of the predicted coordinates are at an end")


def make_data(n=20, d_x=2, d_y=3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d_x))
    Y = np.sin(X @ rng.normal(size=(d_x, d_y))) + 0.1 * rng.normal(size=(n, d_y))
    return X, Y


def folded_curve(n=120, seed=0):
    """The first toy of the paper: up to three outputs for an input."""
    rng = np.random.default_rng(seed)
    y = rng.uniform(size=n)
    return (y + 0.3 * np.sin(2 * np.pi * y) + 0.005 * rng.normal(size=n))[:, None], y


def extended_matrices(model, x, y):
    """The covariances of p and q with the new point, by the book."""
    outputs = model.y_fit_.reshape(len(model.y_fit_), -1)
    pairs = (
        (model.X_fit_, x, model.bandwidth_x, model.ridge_x),
        (outputs, y, model.bandwidth_y, model.ridge_y),
    )
    matrices = []
    for old, new, bandwidth, ridge in pairs:
        points = np.vstack([old, new])
        K = rbf_kernel(points, gamma=1 / (2 * bandwidth**2))
        matrices.append(K + ridge * np.eye(len(points)))
    return matrices


def divergences(model, x, outputs, alpha, *, inverse=False):
    """Renyi divergences of p from q, or of q from p, after appending each of these outputs."""
    pairs = [extended_matrices(model, x, y)[:: -1 if inverse else 1] for y in outputs]
    zero = np.zeros(len(model.X_fit_) + 1)
    return np.array([sharma_mittal_divergence(zero, P, zero, Q, alpha, 1.0) for P, Q in pairs])


def input_variance(model, x):
    K, _ = extended_matrices(model, x, model.y_fit_[:1].reshape(1, -1))
    return K[-1, -1] - K[-1, :-1] @ np.linalg.solve(K[:-1, :-1], K[:-1, -1])


@pytest.mark.parametrize("params", SETTINGS)
@pytest.mark.parametrize("d_y", [1, 3])
def test_gradients_by_finite_differences(params, d_y):
    X, Y = make_data(d_y=d_y)
    model = TwinGaussianProcess(**KERNELS | params).fit(X, Y)
    queries, outputs = make_data(6, d_y=d_y, seed=1)
    _, gradients = model.cost(queries, outputs)
    h = 1e-4
    for j in range(d_y):
        step = h * np.eye(d_y)[j]
        values = [model.cost(queries, outputs + t * step)[0] for t in (-2, -1, 1, 2)]
        numeric = (values[0] - 8 * values[1] + 8 * values[2] - values[3]) / (12 * h)
        assert_allclose(gradients[:, j], numeric, rtol=1e-6, atol=1e-6 * np.abs(numeric).max())


@pytest.mark.parametrize("params", SETTINGS)
def test_costs_are_the_divergences(params):
    """Differences between outputs, from the (n + 1) x (n + 1) matrices by the book."""
    X, Y = make_data()
    model = TwinGaussianProcess(**KERNELS | params).fit(X, Y)
    outputs = make_data(5, seed=1)[1]
    for x in make_data(3, seed=2)[0]:
        costs = model.cost(np.tile(x, (5, 1)), outputs)[0]
        if model.alpha == 0:
            expected = (
                2 * input_variance(model, x) * divergences(model, x, outputs, 1, inverse=True)
            )
        elif model.alpha == 1:
            expected = 2 * divergences(model, x, outputs, 1)
        else:
            expected = divergences(model, x, outputs, model.alpha)
            if model.objective == "log":
                expected *= 2 * (1 - model.alpha)
            elif model.objective != "cubic":  # (16) lacks a factor that no output changes
                beta = 0.5 if model.objective == "quadratic" else model.objective.beta
                assert (costs * (beta - 1) > 0).all()
                costs = np.log(costs * (beta - 1)) / (beta - 1)
        assert_allclose(np.diff(costs), np.diff(expected), rtol=1e-6)


@pytest.mark.parametrize("alpha", [0.05, 0.5, 0.95])
def test_objectives_have_the_same_minimiser(alpha):
    X, y = folded_curve(40)
    params = {"bandwidth_x": 0.2, "bandwidth_y": 0.3, "ridge_x": 1e-2, "ridge_y": 1e-2}
    queries = np.linspace(0.05, 0.95, 7)[:, None]
    predictions, minimisers = [], []
    quadratic = [QuadraticObjective(beta) for beta in (0.5, 0.99, 1.5)]
    for objective in ("log", *quadratic, "cubic"):
        model = TwinGaussianProcess(alpha, objective=objective, max_iter=300, **params).fit(X, y)
        predictions.append(model.predict(queries))
        centre = predictions[0]
        minimisers.append(
            [
                minimize_scalar(
                    lambda t, m=model, x=x: m.cost([x], [t])[0][0],
                    bounds=(c - 0.02, c + 0.02),
                    options={"xatol": 1e-9},
                ).x
                for x, c in zip(queries, centre, strict=True)
            ]
        )
    for found, minimiser in zip(predictions, minimisers, strict=True):
        assert_allclose(minimiser, minimisers[0], atol=1e-6)
        assert_allclose(found, minimiser, atol=1e-4)


@pytest.mark.parametrize("end", [0, 1])
def test_limits_of_alpha(end):
    X, Y = make_data()
    queries, outputs = make_data(8, seed=1)
    model = TwinGaussianProcess(end, max_iter=200, **KERNELS).fit(X, Y)
    limit = model.predict(queries)
    other_form = clone(model).set_params(objective="quadratic").fit(X, Y)
    assert_allclose(other_form.predict(queries), limit, rtol=1e-9, atol=1e-12)
    near = clone(model).set_params(alpha=abs(end - 1e-6)).fit(X, Y)
    assert_allclose(near.predict(queries), limit, atol=1e-4)
    slopes = near.cost(queries, outputs)[1] / (near.alpha * (1 - near.alpha))
    expected = model.cost(queries, outputs)[1]
    if end == 0:
        expected /= np.array([[input_variance(model, x)] for x in queries])
    assert_allclose(slopes, expected, rtol=1e-3, atol=1e-4 * np.abs(expected).max())


@pytest.mark.parametrize("n_neighbors", [None, 15])
def test_several_alphas_are_those_of_separate_models(n_neighbors):
    X, Y = make_data(30)
    queries, alphas = make_data(6, seed=1)[0], [0, 0.2, 1]
    params = {"n_neighbors": n_neighbors, "n_starts": 2, **KERNELS}
    model = TwinGaussianProcess(0.7, **params).fit(X, Y)
    found = model.predict_alphas(queries, alphas, return_certainty=True)
    for i, alpha in enumerate(alphas):
        single = TwinGaussianProcess(alpha, **params).fit(X, Y)
        expected = single.predict(queries, return_certainty=True)
        for ours, theirs in zip(found, expected, strict=True):
            assert_allclose(ours[i], theirs, rtol=1e-9)
    flat = TwinGaussianProcess(**params).fit(X, Y[:, 0])
    assert flat.predict_alphas(queries, alphas).shape == (3, 6)


@AT_EDGES
@given(seed=st.integers(0, 2**16), alpha=st.floats(0.01, 0.99))
def test_certainty_is_bounded(seed, alpha):
    """Lemma 4.1, with the bound from the two covariances without the new point."""
    X, Y = make_data(8, seed=seed)
    model = TwinGaussianProcess(alpha=alpha, **KERNELS).fit(X, Y)
    queries = make_data(5, seed=seed + 1)[0]
    predictions, certainties = model.predict(queries, return_certainty=True)
    K_x, K_y = (K[:-1, :-1] for K in extended_matrices(model, X[0], Y[0]))
    zero = np.zeros(len(X))
    # The bound is the Chernoff coefficient to the power -2.
    renyi = sharma_mittal_divergence(zero, K_x, zero, K_y, alpha, 1.0)
    log_bound = 2 * (1 - alpha) * renyi
    assert log_bound >= 0
    assert (np.log(certainties) <= log_bound + 1e-9).all()
    for x, y, certainty in zip(queries, predictions, certainties, strict=True):
        grown = divergences(model, x, [y], alpha)[0]
        assert_allclose(np.log(certainty), 2 * (1 - alpha) * (renyi - grown), rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("end", [0.0, 1.0])
def test_certainty_at_the_ends(end):
    """The power 1 / (alpha (1 - alpha)) of the certainty has a limit, which orders as it does."""
    X, Y = make_data()
    queries = make_data(6, seed=1)[0]
    model = TwinGaussianProcess(alpha=end, max_iter=200, **KERNELS).fit(X, Y)
    limit = model.predict(queries, return_certainty=True)[1]
    near = clone(model).set_params(alpha=abs(end - 1e-5)).fit(X, Y)
    logs = np.log(near.predict(queries, return_certainty=True)[1]) / 1e-5
    assert np.ptp(logs) > 0.1
    assert_allclose(np.log(limit), logs, rtol=1e-2, atol=1e-3)


@pytest.mark.parametrize("params", [*SETTINGS, {"n_neighbors": 15, "n_starts": 3}])
def test_predictions_minimise_the_cost(params):
    X, Y = make_data(40)
    queries = make_data(10, seed=1)[0]
    model = TwinGaussianProcess(max_iter=300, **KERNELS | params).fit(X, Y)
    found = model.predict(queries)
    values, gradients = model.cost(queries, found)
    inside = (found > model.bounds_[0]) & (found < model.bounds_[1])
    assert inside.mean() > 0.5
    scale = np.abs(model.cost(queries, model.start_.predict(queries))[1]).max()
    assert np.abs(gradients[inside]).max() < 1e-4 * scale
    assert (gradients[found == model.bounds_[0][None].repeat(10, 0)] > 0).all()
    assert (gradients[found == model.bounds_[1][None].repeat(10, 0)] < 0).all()
    rng = np.random.default_rng(2)
    for _ in range(10):
        nearby = np.clip(found + 0.02 * rng.normal(size=found.shape), *model.bounds_)
        assert (model.cost(queries, nearby)[0] >= values - 1e-9 * np.abs(values)).all()


@AT_EDGES
def test_several_starts_are_never_worse():
    X, y = folded_curve()
    queries = np.linspace(0, 1, 60)[:, None]
    params = {
        "alpha": 0.5,
        "bandwidth_x": 0.1,
        "bandwidth_y": 0.1,
        "ridge_x": 1e-3,
        "ridge_y": 1e-3,
    }
    one = TwinGaussianProcess(**params).fit(X, y)
    many = TwinGaussianProcess(n_starts=8, **params).fit(X, y)
    costs = [model.cost(queries, model.predict(queries))[0] for model in (one, many)]
    assert (costs[1] <= costs[0] + 1e-6).all()
    assert (costs[1] < costs[0] - 1e-2).any()
    misses = [
        np.abs(y + 0.3 * np.sin(2 * np.pi * y) - queries[:, 0]).mean()
        for y in (one.predict(queries), many.predict(queries))
    ]
    assert misses[1] < misses[0]


def test_neighbours():
    X, Y = make_data(60)
    queries = make_data(7, seed=1)[0]
    params = {"n_starts": 2, **KERNELS}
    whole = TwinGaussianProcess(**params).fit(X, Y)
    every = TwinGaussianProcess(n_neighbors=60, **params).fit(X, Y)
    assert_allclose(every.predict(queries), whole.predict(queries), rtol=1e-9, atol=1e-12)
    local = TwinGaussianProcess(n_neighbors=20, **params).fit(X, Y)
    predictions, certainties = local.predict(queries, return_certainty=True)
    values, gradients = local.cost(queries, Y[:7])
    for i, x in enumerate(queries):
        nearest = np.argsort(np.linalg.norm(X - x, axis=1))[:20]
        alone = TwinGaussianProcess(**params).fit(X[nearest], Y[nearest])
        value, gradient = alone.cost([x], Y[[i]])
        assert_allclose([values[i], *gradients[i]], [value[0], *gradient[0]], rtol=1e-7)
        alone.start_, alone.bounds_ = local.start_, local.bounds_  # which are those of all samples
        prediction, certainty = alone.predict([x], return_certainty=True)
        assert_allclose(prediction[0], predictions[i], atol=1e-5)
        assert_allclose(certainty[0], certainties[i], rtol=1e-4)


@AT_EDGES
@pytest.mark.parametrize("params", [setting for setting in SETTINGS if "objective" not in setting])
@pytest.mark.parametrize("scale", [1e-4, 1.0, 1e4])
def test_predictions_are_finite_and_in_the_box(params, scale):
    """Also for bandwidths that fit nothing, and for inputs far from all."""
    X, Y = make_data(30)
    Y[:, 1] = 3.0  # a constant output
    model = TwinGaussianProcess(bandwidth_x=scale, bandwidth_y=scale, n_starts=2, **params)
    model.fit(np.vstack([X, X[:3]]), np.vstack([Y, Y[:3]]))
    predictions = model.predict(np.vstack([X[:5], 1e3 + X[:5], [[1e8, -1e8]]]))
    assert np.isfinite(predictions).all()
    assert (predictions >= model.bounds_[0]).all()
    assert (predictions <= model.bounds_[1]).all()
    assert (predictions[:, 1] == 3.0).all()
    lows, highs = Y.min(axis=0), Y.max(axis=0)
    assert_allclose(model.bounds_, [1.1 * lows - 0.1 * highs, 1.1 * highs - 0.1 * lows])


@pytest.mark.parametrize(("beta", "explodes"), [(0.5, False), (1.5, False), (300.0, True)])
def test_powers_of_the_printed_cost_stay_finite(beta, explodes):
    """Near alpha = 1 the exponent of (16) is in the millions; the logarithm knows none."""
    X, Y = make_data(30)
    model = TwinGaussianProcess(1 - 1e-6, objective=QuadraticObjective(beta)).fit(X, Y)
    queries = X[:5] + 0.1
    predictions = model.predict(queries)
    assert np.isfinite(predictions).all()
    values, gradients = model.cost(queries, predictions)
    assert np.isfinite(values).all()
    assert np.isfinite(gradients).all()
    logarithms = TwinGaussianProcess(1 - 1e-6).fit(X, Y).cost(queries, predictions)[0]
    powers = (beta - 1) / (2 * (1 - model.alpha)) * logarithms
    assert (np.abs(powers).max() > 300) == explodes
    assert_allclose(np.log(values * (beta - 1)), np.clip(powers, -300, 300), rtol=1e-7)


def test_more_queries_than_a_batch():
    X, y = folded_curve(30)
    model = TwinGaussianProcess(bandwidth_x=0.2, bandwidth_y=0.2).fit(X, y)
    queries = np.linspace(0, 1, 1100)[:, None]
    assert_allclose(model.predict(queries)[1030:1040], model.predict(queries[1030:1040]), atol=1e-6)


@pytest.mark.parametrize("n_neighbors", [None, 5])
def test_equal_samples_need_a_ridge(n_neighbors):
    X, Y = make_data()
    params = {"ridge_x": 0.0, "ridge_y": 0.0, "bandwidth_x": 0.5, "bandwidth_y": 0.5}
    params["n_neighbors"] = n_neighbors

    def fit_and_predict(X, Y):
        return TwinGaussianProcess(**params).fit(X, Y).predict(X)

    assert np.isfinite(fit_and_predict(X, Y)).all()
    X_twice, Y_twice = (np.vstack([A, A[[3]]]) for A in (X, Y))
    Y_other = np.vstack([Y, Y[[3]] + 1.0])
    with pytest.raises(ValueError, match=r"ridge_x must be greater than 0 .* inputs"):
        fit_and_predict(X_twice, Y_other)
    X_other = np.vstack([X, X[[3]] + 0.1])
    with pytest.raises(ValueError, match=r"ridge_y must be greater than 0 .* outputs.*singular"):
        fit_and_predict(X_other, Y_twice)


# Defaults


@pytest.fixture(scope="module")
def wine():
    """Two of the columns of wine as outputs, the others as inputs, in units of their own."""
    data = load_wine().data
    return data[::2, 2:], data[::2, :2], data[1::4, 2:], data[1::4, :2]


def test_predictions_at_the_edge_are_told(wine):
    X, Y, queries, _ = wine
    model = TwinGaussianProcess(bandwidth_x=1.0, bandwidth_y=1.0).fit(X, Y)
    with pytest.warns(
        UserWarning, match=r"% of the predicted coordinates are at an end.*CV choose"
    ):
        model.predict(queries)
    constant = TwinGaussianProcess().fit(X, np.ones(len(X)))
    assert_allclose(constant.predict(queries), 1.0)  # no warning: there is no box


def test_bad_data():
    X, Y = make_data()
    model = TwinGaussianProcess().fit(X, Y)
    with pytest.raises(ValueError, match=r"Y must have shape \(2, 3\).*got \(2, 2\)"):
        model.cost(X[:2], Y[:2, :2])
    with pytest.raises(ValueError, match="Y contains NaN"):
        model.cost(X[:2], np.full((2, 3), np.nan))


def test_too_large_for_the_machine(monkeypatch):
    X, Y = make_data()
    monkeypatch.setattr("ofer.utils.memory.free_memory", lambda: 10_000)
    with pytest.raises(MemoryError, match=r"a twin Gaussian process on 20 samples.*n_neighbors"):
        TwinGaussianProcess().fit(X, Y)
    TwinGaussianProcess(n_neighbors=5).fit(X, Y)


def test_a_width_for_each_column():
    X, Y = make_data(20)
    one = TwinGaussianProcess(bandwidth_x=2.0, bandwidth_y=3.0).fit(X, Y)
    each = TwinGaussianProcess(bandwidth_x=[2.0] * X.shape[1], bandwidth_y=[3.0] * Y.shape[1])
    assert_allclose(each.fit(X, Y).predict(X), one.predict(X), rtol=1e-9, atol=1e-12)
    for widths in ([1.0, 0.0], [1.0, np.nan], [1.0] * 5, [[1.0, 1.0]]):
        with pytest.raises(ValueError, match="bandwidth_y must be positive, a number or one for"):
            TwinGaussianProcess(bandwidth_y=widths).fit(X, Y)
