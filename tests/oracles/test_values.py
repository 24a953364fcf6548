"""What other projects publish as right: their values, or those of their models, against ours."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose
from pykalman.datasets import load_robot
from sklearn.datasets import make_regression
from sklearn.linear_model import LinearRegression, Ridge, RidgeCV

from ofer import JackknifePlus, KernelRidgeCV, LinearGaussianSSM
from ofer.kernels import global_alignment_kernel
from ofer.state_space._kalman import Parameters
from tests.ofer.state_space.joint import conditioned, with_parameters

ALPHAS = np.logspace(-16, 16, 9)


def ridge_problem(n_features, n_targets, weighted):
    """As those of scikit-learn's tests of RidgeCV (linear_model/tests/test_ridge.py)."""
    X, Y = make_regression(
        n_samples=11, n_features=n_features, n_targets=n_targets, noise=30.0, random_state=0
    )
    weights = np.random.default_rng(0).uniform(1.0, 3.0, 11) if weighted else None
    return X, Y.reshape(11, -1), weights


@pytest.mark.filterwarnings("ignore:alphas should have", "ignore:.*roundoff")
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("fit_intercept", [False, True])
@pytest.mark.parametrize("n_targets", [1, 5])
@pytest.mark.parametrize("n_features", [3, 8, 20])
def test_ridges_left_out_by_brute_force(n_features, n_targets, fit_intercept, weighted):
    X, Y, weights = ridge_problem(n_features, n_targets, weighted)
    ours = KernelRidgeCV(fit_intercept=fit_intercept)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
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


@pytest.mark.filterwarnings("ignore:alphas should have")
@pytest.mark.parametrize("per_target", [False, True])
@pytest.mark.parametrize("n_features", [3, 20])
def test_the_ridge_of_scikit_learn_is_chosen(n_features, per_target):
    X, Y, _ = ridge_problem(n_features, 3, weighted=False)
    alphas = np.logspace(-3, 5, 17)
    ours = KernelRidgeCV(alphas, alpha_per_target=per_target, scoring="neg_mean_squared_error")
    theirs = RidgeCV(alphas, alpha_per_target=per_target, scoring="neg_mean_squared_error")
    assert_allclose(ours.fit(X, Y).alpha_, theirs.fit(X, Y).alpha_)
    assert_allclose(ours.coef_, theirs.coef_, rtol=1e-7)
    assert_allclose(ours.intercept_, theirs.intercept_, rtol=1e-7)


def robot():
    """The values of Murphy's toolbox for MATLAB that pykalman is tested with (load_robot)."""
    data = load_robot()
    drift = np.zeros((501, 5))  # their offset changes with time: it is a path of its own
    for t, offset in enumerate(data.transition_offsets):
        drift[t + 1] = data.transition_matrix @ drift[t] + offset
    Z = np.ma.filled(np.ma.asarray(data.observations, float), np.nan)
    fixed = {
        "transition_matrix": data.transition_matrix,
        "observation_matrix": data.observation_matrix,
        "observation_offset": data.observation_offset,
        "initial_mean": data.initial_state_mean,
        "initial_covariance": data.initial_state_covariance,
    }
    return data, Z - drift @ data.observation_matrix.T, drift, fixed


leaves_files_open = pytest.mark.filterwarnings(
    "ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning"
)


@leaves_files_open
def test_smoothed_states_of_the_robot():
    data, Z, drift, fixed = robot()
    model = LinearGaussianSSM.from_parameters(
        **fixed,
        transition_covariance=data.transition_covariance,
        observation_covariance=data.observation_covariance,
    )
    found = model.smooth(Z[None])
    assert_allclose(found.means[0] + drift, data.smoothed_state_means, atol=1e-7)


@leaves_files_open
def test_em_of_the_robot():
    data, Z, _, fixed = robot()
    model = LinearGaussianSSM.from_parameters(
        **fixed,
        transition_covariance=data.initial_transition_covariance,
        observation_covariance=data.initial_observation_covariance,
        max_iter=5,
        tol=0.0,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # five iterations are asked for
        model.fit(Z[None], fixed=tuple(fixed))
    assert_allclose(model.loglikelihoods_[:5], data.loglikelihoods[:5], rtol=1e-5)


@pytest.mark.parametrize("d", [4, 1])
def test_the_joint_gaussian_of_dynamax(d):
    """The models of its tests (linear_gaussian_ssm/inference_test.py): tracking, a random walk."""
    if d == 4:
        A = np.eye(4) + np.eye(4, k=2)
        noises = 0.001 * np.eye(4), np.eye(2, 4), np.eye(2)
        start = np.array([8.0, 10.0, 1.0, 0.0]), 0.1 * np.eye(4)
    else:
        A = np.array([[1.01]])
        noises = np.eye(1), np.eye(1), 25.0 * np.eye(1)
        start = np.array([5.0]), np.eye(1)
    parameters = Parameters(A, *noises, *start, np.zeros(d), np.zeros(len(noises[1])))
    model = with_parameters(parameters, random_state=0)
    _, Z = model.sample(1, 5)
    means, covariances = conditioned(parameters, Z[0], 5)
    found = model.smooth(Z)
    assert_allclose(found.means[0], means, atol=1e-10)
    assert_allclose(found.covariances[0], [covariances[t, :, t] for t in range(5)], atol=1e-10)


def test_width_and_coverage_of_mapie():
    """Those of its tests for the jackknife+ (tests/test_regression.py, WIDTHS and COVERAGES)."""
    X, y = make_regression(n_samples=500, n_features=10, noise=1.0, random_state=1)
    for regressor in (KernelRidgeCV([1e-6]), LinearRegression()):
        if isinstance(regressor, LinearRegression):
            X, y = X[:60], y[:60]  # refits are slow: the two agree on a part
            expected = JackknifePlus(KernelRidgeCV([1e-6]), confidence_level=0.95).fit(X, y)
            found = JackknifePlus(regressor, confidence_level=0.95).fit(X, y)
            assert_allclose(found.predict_interval(X), expected.predict_interval(X), atol=1e-4)
            continue
        model = JackknifePlus(regressor, confidence_level=0.95).fit(X, y)
        lower, upper = model.predict_interval(X).T
        assert np.mean(upper - lower) == pytest.approx(3.90, rel=1e-2)
        assert np.mean((lower <= y) & (y <= upper)) == pytest.approx(0.952, rel=1e-2)


def test_alignments_that_tslearn_documents():
    """`gak` and `cdist_gak` of its reference, with ``sigma=2`` and the default of 1."""
    short, long, longer = [1.0, 2.0, 3.0], [1.0, 2.0, 2.0, 3.0], [1.0, 2.0, 2.0, 3.0, 4.0]
    pair = global_alignment_kernel([short], [long], bandwidth=2.0)
    assert pair[0, 0] == pytest.approx(0.839, abs=5e-4)
    assert global_alignment_kernel([short], [longer], bandwidth=1.0)[0, 0] == pytest.approx(
        0.273, abs=1e-3
    )
    pairs = global_alignment_kernel([[1.0, 2.0, 2.0, 3.0], [1.0, 2.0, 3.0, 4.0]], bandwidth=2.0)
    assert_allclose(pairs, [[1.0, 0.65629661], [0.65629661, 1.0]], atol=1e-8)
