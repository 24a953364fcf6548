"""States without a prior: statsmodels' values, limits of large priors, and what they change."""

import json
import warnings
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.exceptions import ConvergenceWarning

from ofer import LinearGaussianSSM
from ofer.state_space._kalman import NAMES
from tests.ofer.state_space.joint import (
    PARAMETERS,
    SETS,
    D,
    P,
    every_set,
    joint_gaussian,
    with_parameters,
)

STORED = json.loads((Path(__file__).parents[2] / "oracles/statsmodels.json").read_text())
STORED.pop("statsmodels")
stored = pytest.mark.parametrize("entry", STORED.values(), ids=STORED.keys())
INF = np.inf


def model_of(A, Q, C, R, variances, **options):
    values = A, Q, C, R, np.zeros(len(A)), np.diag(np.array(variances, dtype=float))
    return LinearGaussianSSM.from_parameters(**dict(zip(NAMES[:6], values, strict=True)), **options)


def load(entry, **options):
    series = [np.array(one, dtype=float) for one in entry["series"]]
    return model_of(*entry["parameters"], **options), series


def flat_model(**options):
    """Two states without a prior."""
    return with_parameters(PARAMETERS._replace(Sigma0=INF * np.eye(D) + 0.0), **options)


FLAT = PARAMETERS._replace(Sigma0=np.diag(np.full(D, INF)))
ONE_FLAT = PARAMETERS._replace(Sigma0=np.diag([INF, 1.3]))


@stored
def test_moments_are_those_of_statsmodels(entry):
    model, series = load(entry)
    filtered, smoothed = model.filter(series), model.smooth(series)
    for i, result in enumerate(entry["results"]):
        assert_allclose(smoothed.means[i], result["means"], rtol=0, atol=1e-8)
        assert_allclose(smoothed.covariances[i], result["covariances"], rtol=0, atol=1e-8)
        assert_allclose(smoothed.loglikelihoods[i], result["loglikelihood"], rtol=0, atol=1e-8)
        later = slice(result["n_diffuse"], None)
        assert_allclose(filtered.means[i], result["filtered_means"], rtol=0, atol=1e-8)
        expected = np.array(result["filtered_covariances"])[later]
        assert_allclose(filtered.covariances[i][later], expected, rtol=0, atol=1e-8)
        assert np.isinf(filtered.predicted_covariances[i][0]).any()
        assert np.isfinite(smoothed.covariances[i]).all()


def by_least_squares(parameters, z):
    """Moments of states, and the log-likelihood, of a series that determines the flat states.

    These are generalised least squares: one covariance of all steps, no step, no limit.
    """
    flat, d = np.isinf(np.diagonal(parameters.Sigma0)), len(parameters.A)
    proper = parameters._replace(Sigma0=np.where(np.isinf(parameters.Sigma0), 0, parameters.Sigma0))
    mean, S = joint_gaussian(proper, len(z))
    moves = [proper._replace(mu0=proper.mu0 + e) for e in np.eye(d)[flat]]
    B = np.column_stack([joint_gaussian(moved, len(z))[0] - mean for moved in moves])
    seen = len(z) * d + np.flatnonzero(np.isfinite(z))
    N, H, e = np.linalg.inv(S[np.ix_(seen, seen)]), B[seen], z[np.isfinite(z)] - mean[seen]
    J, gain = H.T @ N @ H, S[:, seen] @ N
    delta = np.linalg.solve(J, H.T @ N @ e)
    left, missed = B - gain @ H, e - H @ delta
    logs = len(e) * np.log(2 * np.pi) - np.linalg.slogdet(N)[1] + np.linalg.slogdet(J)[1]
    covariance = S - gain @ S[seen] + left @ np.linalg.solve(J, left.T)
    states = slice(len(z) * d)
    moments = mean + B @ delta + gain @ missed
    return moments[states], covariance[states, states], -0.5 * (logs + e @ N @ missed)


@every_set
@pytest.mark.parametrize("flat", [FLAT, ONE_FLAT], ids=["all", "one"])
def test_states_without_a_prior_are_found_by_least_squares(data, flat):
    model, data = with_parameters(flat), [z for z in data if len(z) > 2]
    smoothed, values = model.smooth(data), model.loglikelihood(data)
    for z, means, covariances, value in zip(data, *smoothed[:2], values, strict=True):
        expected, spread, likelihood = by_least_squares(flat, np.asarray(z))
        assert_allclose(means.ravel(), expected, atol=1e-8)
        blocks = [spread[k : k + D, k : k + D] for k in range(0, len(spread), D)]
        assert_allclose(covariances, blocks, atol=1e-8)
        assert value == pytest.approx(likelihood, abs=1e-8)


@every_set
@pytest.mark.parametrize("flat", [FLAT, ONE_FLAT], ids=["all", "one"])
def test_the_limit_of_large_priors(data, flat):
    large, data = 1e9, [z for z in data if len(z) > 2]
    near = flat._replace(Sigma0=np.where(np.isinf(flat.Sigma0), large, flat.Sigma0))
    model, other = with_parameters(flat), with_parameters(near)
    q = np.isinf(flat.Sigma0).sum()
    for ours, expected in zip(model.smooth(data)[:3], other.smooth(data)[:3], strict=True):
        for one, two in zip(ours, expected, strict=True):
            assert_allclose(one, two, rtol=0, atol=1e-5)
    values = other.loglikelihood(data) + 0.5 * q * np.log(large)
    assert_allclose(model.loglikelihood(data), values, rtol=0, atol=1e-5)
    filtered, expected = model.filter(data), other.filter(data)
    for one, two in zip(filtered.covariances, expected.covariances, strict=True):
        finite = np.isfinite(one)
        assert (np.abs(two[~finite]) > 1e3).all()
        assert_allclose(one[finite], two[finite], rtol=0, atol=1e-4)
    for one, two in zip(filtered.means, expected.means, strict=True):
        assert_allclose(one[2:], two[2:], atol=1e-4)
    paths, likewise = (one.sample_posterior(data, 2, 0) for one in (model, other))
    assert [one.shape for one in paths] == [one.shape for one in likewise]
    for one, two in zip(model.forecast(data, 2), other.forecast(data, 2), strict=True):
        assert_allclose(one, two, atol=1e-4)


@stored
@pytest.mark.parametrize("units", [1e-9, 1e9])
def test_units_of_states_and_series_do_not_matter(entry, units):
    A, Q, C, R, variances = (np.array(value, dtype=float) for value in entry["parameters"])
    scale = np.ones(len(A))
    scale[-1] = units
    outer = np.outer(scale, scale)
    values = A * scale[:, None] / scale, Q * outer, C / scale / 7, R / 49, variances * scale**2
    model, series = load(entry)
    smoothed = model.smooth(series)
    scaled = model_of(*values).smooth([one / 7 for one in series])
    for i, one in enumerate(series):
        assert_allclose(scaled.means[i] / scale, smoothed.means[i], rtol=1e-8, atol=1e-8)
        covariances = scaled.covariances[i] / outer
        assert_allclose(covariances, smoothed.covariances[i], rtol=1e-8, atol=1e-8)
        steps = np.log(7) * np.isfinite(one).sum()
        measure = np.log(scale[np.isinf(variances)]).sum()
        expected = smoothed.loglikelihoods[i] + steps + measure
        assert_allclose(scaled.loglikelihoods[i], expected, atol=1e-7)


@pytest.mark.parametrize("held", [(), ("transition_matrix",)])
@pytest.mark.parametrize("entry", [STORED[name] for name in STORED if "exact" not in name])
def test_em_never_falls_and_holds_the_start(entry, held):
    model, series = load(entry, max_iter=10, tol=0)
    fixed = (*held, "transition_covariance", "observation_covariance")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        fitted = model.fit(series, fixed=fixed)
    gains = np.diff(fitted.loglikelihoods_)
    assert gains.min() > -1e-8
    assert gains.max() > 1e-6
    assert_array_equal(fitted.initial_covariance_, model.start["initial_covariance"])
    assert_array_equal(fitted.initial_mean_, 0.0)
    assert_allclose(fitted.loglikelihoods_[-1], fitted.loglikelihood(series).sum(), rtol=1e-12)


def test_em_reaches_the_maximum_of_the_diffuse_likelihood():
    """Of the two variances of a local level, on a grid around what EM finds."""
    series = np.random.default_rng(0).normal(size=(3, 40, 1))
    series = 2 * series + series.cumsum(axis=1) + 1e4
    one = [[1.0]]
    model = model_of(one, one, one, one, [INF], fit_offset=False, max_iter=2000, tol=1e-12)
    fitted = model.fit(series, fixed=("transition_matrix", "observation_matrix"))
    q, r = fitted.transition_covariance_[0, 0], fitted.observation_covariance_[0, 0]
    best = fitted.loglikelihood(series).sum()
    for factor in (0.99, 1.01):
        for Q, R in ((q * factor, r), (q, r * factor)):
            assert model_of(one, [[Q]], one, [[R]], [INF]).loglikelihood(series).sum() < best
    assert fitted.n_parameters_ == 2


def test_a_level_of_the_series_does_not_matter():
    series = [one + 0.0 for one in SETS["complete"]]
    model = with_parameters(FLAT._replace(A=np.eye(D), C=np.eye(P, D), a=np.zeros(D)))
    far = [one + 1e6 * (np.arange(P) < D) for one in series]
    assert_allclose(model.loglikelihood(far), model.loglikelihood(series), atol=1e-6)
    gap = model.smooth(far).means[0] - model.smooth(series).means[0]
    assert_allclose(gap, 1e6, atol=1e-6)


def test_what_is_not_determined_is_infinite_or_refused():
    """One step of one column says nothing about two states."""
    model = model_of([[1.0, 1], [0, 1]], np.eye(2), [[1.0, 0]], [[1.0]], [INF, INF])
    long, short = np.arange(5.0)[:, None], np.array([[1.0], [np.nan], [np.nan]])
    smoothed = model.smooth([long, short])
    assert np.isfinite(smoothed.covariances[0]).all()
    assert_allclose(smoothed.covariances[1][0, 0, 0], 1.0)
    assert np.isinf(smoothed.covariances[1][:, 1, 1]).all()
    assert np.isinf(smoothed.covariances[1][1:, 0, 0]).all()
    assert np.isinf(model.filter([short]).covariances[0][0, 1, 1])
    assert_allclose(smoothed.loglikelihoods[0], model.loglikelihood([long])[0])
    message = r"Z\[1\] must determine the states without a prior"
    for call in (model.fit, lambda Z: model.forecast(Z, 1), model.sample_posterior):
        with pytest.raises(ValueError, match=message):
            call([long, short])
    with pytest.raises(ValueError, match="initial_covariance must be finite for a draw"):
        model.sample(1, 2)


def test_covariances_with_the_next_step_in_a_gap_at_the_end():
    """Where a state is not known they are infinite, elsewhere the limit of large priors."""
    A, C = np.array([[1.0, 1], [0, 1]]), [[1.0, 0]]
    known, unknown = [[0.3], [1.0], [np.nan], [np.nan]], [[1.0], [np.nan], [np.nan], [np.nan]]
    model, near = (model_of(A, np.eye(2), C, [[1.0]], [prior, prior]) for prior in (INF, 1e9))
    ours, limit = (one.smooth([known, unknown]).lag_one_covariances for one in (model, near))
    assert_allclose(ours[0], limit[0], rtol=0, atol=1e-5)
    assert (np.isinf(ours[1]) == (limit[1] > 1e7)).all()
    assert np.isinf(ours[1]).any()
    finite = np.isfinite(ours[1])
    assert_allclose(ours[1][finite], limit[1][finite], rtol=0, atol=1e-5)


def test_a_state_that_is_never_seen_stays_flat():
    model = model_of(np.eye(2) * 0.5, np.eye(2), [[1.0, 0]], [[1.0]], [INF, INF])
    smoothed = model.smooth(np.random.default_rng(0).normal(size=(1, 8, 1)))
    assert np.isinf(smoothed.covariances[0, :, 1, 1]).all()
    assert np.isfinite(smoothed.covariances[0, :, 0, 0]).all()


def test_exact_observations_of_one_flat_state_contradict_each_other():
    model = model_of([[1.0]], [[1.0]], [[1.0], [1.0]], np.zeros((2, 2)), [INF])
    with pytest.raises(ValueError, match="observations of series 0 must be positive definite"):
        model.filter(np.ones((1, 3, 2)))


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (np.array([[INF, 0.1], [0.1, 1]]), "initial_covariance must be zero beside an infinite"),
        (np.array([[INF, INF], [INF, INF]]), "initial_covariance must be finite; got inf"),
        (np.diag([-INF, 1.0]), "initial_covariance must be finite; got -inf"),
        (np.diag([np.nan, 1.0]), "initial_covariance must be finite; got nan"),
    ],
)
def test_bad_infinite_covariances(value, message):
    with pytest.raises(ValueError, match=message):
        with_parameters(PARAMETERS._replace(Sigma0=value))


@pytest.mark.parametrize("name", ["transition_covariance", "observation_covariance"])
def test_noise_has_a_variance(name):
    values = dict(zip(NAMES, PARAMETERS, strict=True))
    size = len(values[name])
    with pytest.raises(ValueError, match=f"{name} must be finite; got inf"):
        LinearGaussianSSM.from_parameters(**values | {name: np.diag(np.full(size, INF))})
