"""What no far sample, and no unit, may change in twin Gaussian processes and divergences."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.distance import cdist
from sklearn.exceptions import NotFittedError

from ofer.companions import TwinGaussianProcess, TwinGaussianProcessCV, sharma_mittal_divergence
from ofer.companions.sharma_mittal.descent import evaluate
from ofer.companions.sharma_mittal.twin_kernels import ScaledPoints

RNG = np.random.default_rng(0)
X = RNG.uniform(-3, 3, size=(40, 1))
Y = np.column_stack([np.cos(X[:, 0]), np.sin(X[:, 0])]) + 0.05 * RNG.normal(size=(40, 2))
Q = np.linspace(-3, 3, 9)[:, None]
WIDTHS = {"bandwidth_x": 1.0, "bandwidth_y": 0.5}
GRID = {"alphas": [0.0, 0.5], "ridges": [1e-2], "bandwidths_x": [1.0, 2.0], "bandwidths_y": [1.0]}


def gram(A, B, width):
    return np.exp(-0.5 * cdist(A, B, "sqeuclidean") / width**2)


def cost_by_hand(X, Y, Q, T):
    """Equations (5) and (6)."""
    K_x = gram(X, X, 1.0) + 0.01 * np.eye(len(X))
    K_y = gram(Y, Y, 0.5) + 0.01 * np.eye(len(Y))
    k_x, k_y = gram(Q, X, 1.0), gram(T, Y, 0.5)
    u_x, u_y = np.linalg.solve(K_x, k_x.T).T, np.linalg.solve(K_y, k_y.T).T
    eta_x, eta_y = (1.01 - (k * u).sum(axis=1) for k, u in ((k_x, u_x), (k_y, u_y)))
    return 1.01 - 2 * (k_y * u_x).sum(axis=1) - eta_x * np.log(eta_y)


@pytest.mark.parametrize("far", [1e3, 1e5, 1e9, -1e12])
@pytest.mark.parametrize("n_far", [1, 3, 25])
def test_far_samples_cost_no_digits(far, n_far):
    """Inputs and outputs around zero, and others that are near each other and far from these."""
    X2 = np.vstack([X, far + X[:n_far]])
    Y2 = np.vstack([Y, Y[:n_far]])
    model = TwinGaussianProcess(**WIDTHS).fit(X2, Y2)
    both = np.vstack([Q, far + Q])
    T = np.vstack([Y[:9], Y[:9]])
    assert_allclose(model.cost(both, T)[0], cost_by_hand(X2, Y2, both, T), rtol=1e-9)


@pytest.mark.parametrize("far", [1e3, 1e6, 1e9])
def test_far_outputs_cost_no_digits(far):
    Y2 = Y.copy()
    Y2[-1] += far
    model = TwinGaussianProcess(**WIDTHS).fit(X, Y2)
    values, gradients = model.cost(Q, Y[:9])
    assert_allclose(values, cost_by_hand(X, Y2, Q, Y[:9]), rtol=1e-9)
    h = 1e-5
    for t, step in enumerate(h * np.eye(2)):
        ends = [model.cost(Q, Y[:9] + sign * step)[0] for sign in (1, -1)]
        assert_allclose(gradients[:, t], (ends[0] - ends[1]) / (2 * h), rtol=1e-5, atol=1e-6)


def test_slopes_of_far_points():
    """Near another far point as near a point in the middle, up to the digits of a coordinate."""
    points = np.vstack([Y, Y + 1e6])
    outputs, alone = ScaledPoints(points, 0.5), ScaledPoints(Y, 0.5)

    def cost(k, rows):
        return k.sum(axis=1), np.ones_like(k)

    rows, trials = np.arange(5), Y[:5] + 0.1
    values, gradients = evaluate(alone, cost, alone.scale(trials), rows)
    for shift in (0.0, 1e6):
        moved = evaluate(outputs, cost, outputs.scale(trials + shift), rows)
        assert_allclose(moved[0], values, rtol=1e-8)
        assert_allclose(moved[1], gradients, rtol=1e-7, atol=1e-8)


def test_a_query_alone_equals_it_in_company():
    model = TwinGaussianProcess(0.3, n_starts=3).fit(X, Y)
    company = np.vstack([Q, [[1e9]]])
    alone = [model.predict(one[None])[0] for one in Q]
    assert_allclose(model.predict(company)[:9], alone, atol=1e-6)


@pytest.mark.parametrize("n_columns", [1, 20])  # of few and of many, searches differ
def test_neighbours_near_a_far_sample(n_columns):
    X2 = RNG.normal(size=(60, n_columns))
    queries = RNG.normal(size=(9, n_columns))
    far = np.vstack([X2, np.full((2, n_columns), 1e9)])
    near = TwinGaussianProcess(bandwidth_x=1.0, n_neighbors=5).fit(X2, X2[:, 0])
    model = TwinGaussianProcess(bandwidth_x=1.0, n_neighbors=5).fit(far, far[:, 0])
    assert_array_equal(
        model.neighbors_.kneighbors(queries, 5, return_distance=False),
        near.neighbors_.kneighbors(queries, 5, return_distance=False),
    )


@pytest.mark.parametrize("unit_x", [1e-12, 1e-3, 1e9])
@pytest.mark.parametrize("unit_y", [1e-12, 1e5, 1e12])
def test_units(unit_x, unit_y):
    X2 = np.column_stack([X, RNG.normal(size=40)])
    queries = X2[::5] + 0.1
    units = np.array([unit_x, 1.0]), np.array([1.0, unit_y])
    ours = TwinGaussianProcess(0.2, n_starts=2).fit(X2, Y)
    other = TwinGaussianProcess(0.2, n_starts=2).fit(X2 * units[0], Y * units[1])
    predictions, certainties = ours.predict(queries, return_certainty=True)
    found = other.predict(queries * units[0], return_certainty=True)
    assert_allclose(found[0] / units[1], predictions, atol=2e-5)
    assert_allclose(found[1], certainties, rtol=1e-6)
    assert_allclose(
        other.cost(queries * units[0], predictions * units[1])[0],
        ours.cost(queries, predictions)[0],
        rtol=1e-9,
    )


def test_units_of_a_search():
    ours = TwinGaussianProcessCV(alphas=[0.0], ridges=[1e-2], cv=2).fit(X, Y)
    other = TwinGaussianProcessCV(alphas=[0.0], ridges=[1e-2], cv=2).fit(1e-9 * X, 1e9 * Y)
    assert_allclose(
        other.cv_results_["mean_test_score"], ours.cv_results_["mean_test_score"], rtol=1e-6
    )
    assert_allclose(other.predict(1e-9 * Q) / 1e9, ours.predict(Q), atol=1e-6)


def test_order_of_samples():
    order = RNG.permutation(40)
    ours, other = (
        TwinGaussianProcess(0.2).fit(X, Y),
        TwinGaussianProcess(0.2).fit(X[order], Y[order]),
    )
    assert_allclose(other.predict(Q), ours.predict(Q), atol=1e-6)
    weights = RNG.integers(0, 3, size=40)
    repeated = np.repeat(np.arange(40), weights)
    assert_allclose(ours.score(X, Y, weights), ours.score(X[repeated], Y[repeated]), rtol=1e-12)


@pytest.mark.parametrize("form", ["simplified", "original"])
@pytest.mark.parametrize("alpha", [1e-5, 0.3, 1.0])
@pytest.mark.parametrize("units", [1e-12, 1e12, (1e-12, 1.0, 1e12)])
def test_divergence_in_other_units(form, alpha, units):
    """Units of each coordinate cancel."""
    A, B = RNG.normal(size=(2, 3, 5))
    p, q = (A[:, 0], A @ A.T), (B[:, 0], B @ B.T)
    units = np.broadcast_to(units, 3)
    scaled = [(mean * units, C * np.outer(units, units)) for mean, C in (p, q)]
    expected = sharma_mittal_divergence(*p, *q, alpha, 0.5, form=form)
    found = sharma_mittal_divergence(*scaled[0], *scaled[1], alpha, 0.5, form=form)
    assert_allclose(found, expected, rtol=1e-8)


def test_asymmetry_is_seen_in_small_units():
    C = np.array([[1e24, 0.0, 0.0], [0.0, 1.0, 0.1], [0.0, 0.2, 1.0]])
    with pytest.raises(ValueError, match="covariance_q must be symmetric; got entries that differ"):
        sharma_mittal_divergence(np.zeros(3), np.eye(3), np.zeros(3), C, 0.5, 0.5)


FAILURES = {
    "refused": (ValueError, "ridge_x must be greater"),
    "interrupted": (KeyboardInterrupt, None),
}


@pytest.mark.parametrize("how", FAILURES)
@pytest.mark.parametrize("estimator", [TwinGaussianProcess, TwinGaussianProcessCV])
def test_a_failed_fit_leaves_the_model(estimator, how, monkeypatch):
    new = {"ridge_x": 0.0} if estimator is TwinGaussianProcess else {"ridges": [0.0]}
    options = WIDTHS if estimator is TwinGaussianProcess else GRID
    model, other = estimator(**options).fit(X, Y), np.zeros((6, 3))
    before, untouched = model.predict(Q), estimator(**options)
    if how == "interrupted":

        def interrupt(*args, **options):
            raise KeyboardInterrupt

        monkeypatch.setattr(
            "ofer.companions.sharma_mittal.twin_gaussian_process.TwinKernels", interrupt
        )
    error, message = FAILURES[how]
    for one in (model.set_params(**new), untouched.set_params(**new)):
        with pytest.raises(error, match=message):
            one.fit(other, np.arange(12.0).reshape(6, 2))
    monkeypatch.undo()
    assert_array_equal(model.predict(Q), before)
    assert model.n_features_in_ == 1
    with pytest.raises(NotFittedError):
        untouched.predict(Q)
