"""What other projects publish as right: their values, or those of their models, against ours.

Values were read in these files, at these commits:

* scikit-learn 1.9.1, sklearn/linear_model/tests/test_ridge.py: problems and limits, no values;
* pykalman 0.11.2, datasets/data/robot.mat, which Murphy's toolbox for MATLAB has computed;
* MAPIE 60031ac, mapie/tests/test_regression.py, and what MAPIE 1.6.0 computes on its data;
* TSCP d48d23d, utility/res_rescaled.py: half sides that its code gives;
* covmetrics 0.1.2, slab_metrics.py: least coverages between two planes, along given directions;
* online-cp 0.4.0: residuals of its kernel ridge regression prediction machine;
* tslearn 4658696, tslearn/metrics/_gak.py and tests/test_metrics.py;
* dynamax cfb005f, linear_gaussian_ssm: inference_test.py, info_inference_test.py and
  parallel_inference_test.py, whose models are taken and whose joint Gaussian is computed here.
"""

import json
import warnings
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from pykalman.datasets import load_robot
from scipy.stats import multivariate_normal
from sklearn.datasets import make_regression
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LinearRegression, Ridge, RidgeCV

from ofer import FullConformalRegressor, JackknifePlus, KernelRidgeCV, LinearGaussianSSM
from ofer.kernels import global_alignment_kernel
from ofer.state_space._kalman import Parameters
from reproduction.studies.second_volume.regions.coverage import shares_between
from reproduction.studies.second_volume.regions.scaled_boxes import standardised
from tests.ofer.state_space.joint import conditioned, joint_gaussian, with_parameters

ALPHAS = np.logspace(-16, 16, 9)


def ridge_problem(n_features, n_targets, weighted):
    """As those of scikit-learn's tests of RidgeCV (linear_model/tests/test_ridge.py)."""
    X, Y = make_regression(
        n_samples=11, n_features=n_features, n_targets=n_targets, noise=30.0, random_state=0
    )
    weights = np.random.default_rng(0).uniform(1.0, 3.0, 11) if weighted else None
    return X, Y.reshape(11, -1), weights


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("fit_intercept", [False, True])
@pytest.mark.parametrize("n_targets", [1, 5])
@pytest.mark.parametrize("n_features", [3, 8, 20])
def test_ridges_left_out_by_brute_force(n_features, n_targets, fit_intercept, weighted):
    X, Y, weights = ridge_problem(n_features, n_targets, weighted)
    ours = KernelRidgeCV(fit_intercept=fit_intercept)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # a ridge of 1e-16 is a numerical risk
        path = ours.loo_predictions(X, Y, alphas=ALPHAS, sample_weight=weights)
    for alpha, predicted in zip(ALPHAS, path, strict=True):
        if alpha < 1e-8 and n_features > 8:
            continue  # nothing but roundoff is left of the residuals of an interpolation
        for i in range(len(X)):
            kept = np.arange(len(X)) != i
            ridge = Ridge(alpha, fit_intercept=fit_intercept, solver="svd")
            seen = None if weights is None else weights[kept]
            expected = ridge.fit(X[kept], Y[kept], seen).predict(X[[i]])[0]
            assert_allclose(predicted[i], expected, rtol=1e-6, atol=1e-6 * np.abs(Y).max())


SCORINGS = ["neg_mean_squared_error", "neg_mean_absolute_error", "explained_variance", "r2"]


@pytest.mark.filterwarnings("ignore:alphas should have")
@pytest.mark.parametrize("per_target", [False, True])
@pytest.mark.parametrize("n_features", [3, 8, 20])
@pytest.mark.parametrize(
    ("scoring", "weighted"), [*((one, False) for one in SCORINGS), (SCORINGS[0], True)]
)
def test_the_ridge_of_scikit_learn_is_chosen(scoring, weighted, n_features, per_target):
    X, Y, weights = ridge_problem(n_features, 3, weighted)
    options = {"alpha_per_target": per_target, "scoring": scoring}
    alphas = np.logspace(-3, 5, 17)
    ours = KernelRidgeCV(alphas, **options).fit(X, Y, weights)
    theirs = RidgeCV(alphas, **options).fit(X, Y, weights)
    assert_allclose(ours.alpha_, theirs.alpha_)
    assert_allclose(ours.best_score_, theirs.best_score_, rtol=1e-7)
    assert_allclose(ours.coef_, theirs.coef_, rtol=1e-7)
    assert_allclose(ours.intercept_, theirs.intercept_, rtol=1e-7)


@pytest.mark.parametrize("alpha", [1e-16, 1e16])
@pytest.mark.parametrize("fit_intercept", [False, True])
@pytest.mark.parametrize("shape", [(100, 50), (50, 50), (50, 100)])
def test_limits_of_the_ridge(shape, fit_intercept, alpha):
    X, y = make_regression(*shape, noise=0.0, bias=10.0, random_state=42)
    coef, intercept = np.zeros(shape[1]), y.mean() if fit_intercept else 0.0
    if alpha < 1:
        limit = LinearRegression(fit_intercept=fit_intercept).fit(X, y)
        coef, intercept = limit.coef_, limit.intercept_
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a ridge of 1e-16 is a numerical risk
        ours = KernelRidgeCV([alpha], fit_intercept=fit_intercept).fit(X, y)
    assert_allclose(ours.coef_, coef, atol=1e-10)
    assert_allclose(ours.intercept_, intercept, atol=1e-10)


@pytest.fixture(scope="module")
def robot():
    """Data and values of the robot, and our model's fixed parameters.

    The offset of its states changes with time. It adds a path to them that no observation changes:
    observations come without its image, and the path is added to our means.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # load_robot leaves a file open
        data = load_robot()
    path = np.zeros((501, 5))
    for t, offset in enumerate(data.transition_offsets):
        path[t + 1] = data.transition_matrix @ path[t] + offset
    Z = np.ma.filled(np.ma.asarray(data.observations, float), np.nan)
    fixed = {
        "transition_matrix": data.transition_matrix,
        "observation_matrix": data.observation_matrix,
        "observation_offset": data.observation_offset,
        "initial_mean": data.initial_state_mean,
        "initial_covariance": data.initial_state_covariance,
    }
    return data, (Z - path @ data.observation_matrix.T)[None], path, fixed


def test_states_of_the_robot(robot):
    data, Z, path, fixed = robot
    model = LinearGaussianSSM.from_parameters(
        **fixed,
        transition_covariance=data.transition_covariance,
        observation_covariance=data.observation_covariance,
    )
    filtered, smoothed = model.filter(Z), model.smooth(Z)
    assert_allclose(filtered.means[0] + path, data.filtered_state_means, atol=1e-9)
    assert_allclose(filtered.covariances[0], data.filtered_state_covariances, atol=1e-9)
    assert_allclose(smoothed.means[0] + path, data.smoothed_state_means, atol=1e-9)
    assert_allclose(smoothed.covariances[0], data.smoothed_state_covariances, atol=1e-9)


def test_em_of_the_robot(robot, monkeypatch):
    data, Z, _, fixed = robot
    monkeypatch.setattr("ofer.state_space._path.QUICK", len(data.loglikelihoods))  # EM alone
    model = LinearGaussianSSM.from_parameters(
        **fixed,
        transition_covariance=data.initial_transition_covariance,
        observation_covariance=data.initial_observation_covariance,
        max_iter=len(data.loglikelihoods) - 1,
        tol=0.0,
    )
    with pytest.warns(ConvergenceWarning):  # as many iterations as they made
        model.fit(Z, fixed=tuple(fixed))
    assert_allclose(model.loglikelihoods_, data.loglikelihoods, rtol=1e-10)


SLOW = np.eye(4) + np.eye(4, k=2), 0.001 * np.eye(4), np.eye(2, 4), np.eye(2)  # A, Q, C, R
JERKS = np.kron([[0.1**3 / 3, 0.1**2 / 2], [0.1**2 / 2, 0.1]], np.eye(2))
FAST = np.eye(4) + 0.1 * np.eye(4, k=2), JERKS, np.eye(2, 4), 0.25 * np.eye(2)
AT_ZERO = np.zeros(4), np.zeros(2)  # offsets
DYNAMAX = {  # a point in the plane, its place observed: states are place and speed
    "inference_test": Parameters(*SLOW, np.zeros(4), 0.1 * np.eye(4), *AT_ZERO),
    "info_inference_test": Parameters(
        *SLOW, np.array([8.0, 10.0, 1.0, 0.0]), 0.1 * np.eye(4), np.full(4, 0.01), np.full(2, 0.02)
    ),
    "parallel_inference_test": Parameters(
        *FAST, np.array([0.0, 0.0, 1.0, -1.0]), np.eye(4), *AT_ZERO
    ),
}


@pytest.mark.parametrize("parameters", DYNAMAX.values(), ids=DYNAMAX.keys())
def test_the_joint_gaussian_of_dynamax(parameters):
    T = 15
    model = with_parameters(parameters, random_state=0)
    _, Z = model.sample(1, T)
    for found, n_seen in [(model.filter(Z), np.arange(1, T + 1)), (model.smooth(Z), [T] * T)]:
        for t, seen in enumerate(n_seen):
            means, covariances = conditioned(parameters, Z[0], seen)
            assert_allclose(found.means[0, t], means[t], atol=1e-9)
            assert_allclose(found.covariances[0, t], covariances[t, :, t], atol=1e-9)
    mean, covariance = joint_gaussian(parameters, T)
    observed = slice(4 * T, None)
    density = multivariate_normal(mean[observed], covariance[observed, observed])
    assert_allclose(model.loglikelihood(Z), density.logpdf(Z.ravel()), rtol=1e-9)


@pytest.fixture
def mapie_problem():
    return make_regression(n_samples=500, n_features=10, noise=1.0, random_state=1)


def test_width_and_coverage_of_mapie(mapie_problem):
    """WIDTHS and COVERAGES of "jackknife_plus" with the tolerance of its test, then its digits."""
    X, y = mapie_problem
    model = JackknifePlus(KernelRidgeCV([1e-6]), confidence_level=0.95).fit(X, y)
    lower, upper = model.predict_interval(X).T
    width, coverage = np.mean(upper - lower), np.mean((lower <= y) & (y <= upper))
    assert_allclose([width, coverage], [3.90, 0.952], rtol=1e-2)
    assert_allclose([width, coverage], [3.895829249646, 0.954], rtol=1e-6)


def test_a_tiny_ridge_has_the_intervals_of_least_squares(mapie_problem):
    X, y = mapie_problem[0][:60], mapie_problem[1][:60]  # least squares are refitted
    of_ridge, of_least_squares = (
        JackknifePlus(one, confidence_level=0.95).fit(X, y).predict_interval(X)
        for one in (KernelRidgeCV([1e-6]), LinearRegression())
    )
    assert_allclose(of_ridge, of_least_squares, atol=1e-4)


UP, STAIRS, STEADY = [1.0, 2.0, 2.0], [1.0, 2.0, 2.0, 3.0], [1.0, 2.0, 3.0, 4.0]


@pytest.mark.parametrize(
    ("other", "bandwidth", "normalized", "unnormalized"),
    [(STAIRS, 2.0, 0.839, 15.358), ([*STAIRS, 4.0], 1.0, 0.273, 3.166)],
)
def test_alignments_that_tslearn_documents(other, bandwidth, normalized, unnormalized):
    """Its examples print three decimals and cut off the others."""
    for normalize, expected in [(True, normalized), (False, unnormalized)]:
        found = global_alignment_kernel(
            [[1.0, 2.0, 3.0]], [other], bandwidth=bandwidth, normalize=normalize
        )
        assert_allclose(np.floor(1000 * found) / 1000, [[expected]])


def test_alignments_that_tslearn_tests():
    found = global_alignment_kernel([UP, STEADY], [STAIRS, STEADY], bandwidth=2.0)
    assert_allclose(found, [[0.71059484, 0.29722877], [0.65629661, 1.0]], atol=1e-8)
    found = global_alignment_kernel([STAIRS], [STEADY], bandwidth=1.0, normalize=False)
    assert_allclose(found, [[3.745675]], atol=1e-6)


def test_one_output_is_that_of_the_prediction_machine():
    path = Path(__file__).with_name("online_cp.json")
    stored = {key: np.array(value) for key, value in json.loads(path.read_text()).items()}
    X, y, queries, A, B = (stored[name] for name in ("X", "y", "queries", "A", "B"))
    ridge = KernelRidgeCV(
        [float(stored["ridge"])], kernel="rbf", gamma=float(stored["gamma"]), fit_intercept=False
    )
    model = FullConformalRegressor(ridge, confidence_level=0.8).fit(X, y)
    for outputs in np.linspace(-3, 3, 41):
        errors = np.abs(A + outputs * B)
        expected = (errors >= errors[:, -1:] * (1 - 1e-9)).mean(axis=1)
        assert_allclose(model.p_values(queries, np.full(len(queries), outputs)), expected)
    for ends in model.predict_interval(queries).T:  # where its errors cross those of a sample
        errors = np.abs(A + ends[:, None] * B)
        gaps = np.abs(errors[:, :-1] - errors[:, -1:]).min(axis=1)
        assert_allclose(gaps, 0, atol=1e-8)  # ties widen the intervals


def test_sides_of_boxes_in_units_of_calibration_samples_and_query():
    cases = json.loads(Path(__file__).with_name("tscp.json").read_text())["cases"]
    for case in cases:
        found = standardised(np.array(case["errors"]), case["level"])
        expected = [np.inf if side is None else side for side in case["sides"]]
        assert_allclose(found, expected, rtol=1e-6)  # the authors' code adds 1e-9 to scores


def test_least_coverages_between_planes_of_covmetrics():
    """Of the planes it says where the lower one is, and for the upper one the sample before."""
    stored = json.loads(Path(__file__).with_name("covmetrics.json").read_text())
    X, inside, directions = (np.array(stored[key]) for key in ("X", "inside", "directions"))
    for share, least, lower in zip(*map(stored.get, ("shares", "least", "lower")), strict=True):
        shares, lows, _ = shares_between(X @ directions.T, inside, int(np.ceil(share * len(X))))
        assert_allclose(shares.min(axis=0), least)
        assert_allclose(lows[shares.argmin(axis=0), np.arange(len(directions))], lower)
