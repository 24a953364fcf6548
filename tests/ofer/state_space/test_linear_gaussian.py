"""Filter, smoother and EM of the state-space model."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from pykalman import KalmanFilter
from scipy.stats import multivariate_normal
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LinearRegression

from ofer import LinearGaussianSSM
from ofer.state_space import _kalman, _square_root
from ofer.state_space._kalman import (
    Parameters,
    filter_in_pieces,
    kalman_filter,
    kalman_smoother,
)
from ofer.state_space._kalman_em import Floors, expect, m_step
from ofer.utils.series import pack_series
from tests.ofer.state_space.joint import (
    MODEL,
    PARAMETERS,
    STATES,
    D,
    P,
    Z,
    conditioned,
    every_set,
    holes,
    joint_gaussian,
    ragged,
    with_parameters,
)


@every_set
def test_smoother_equals_the_joint_gaussian(data):
    result = MODEL.smooth(data)
    for i, z in enumerate(data):
        m, V = conditioned(PARAMETERS, z, len(z))
        assert_allclose(result.means[i], m, rtol=0, atol=1e-10)
        for t in range(len(z)):
            assert_allclose(result.covariances[i][t], V[t, :, t], rtol=0, atol=1e-10)
        for t in range(len(z) - 1):
            assert_allclose(result.lag_one_covariances[i][t], V[t + 1, :, t], rtol=0, atol=1e-10)


@every_set
def test_filter_equals_the_joint_gaussian(data):
    result = MODEL.filter(data)
    for i, z in enumerate(data):
        for t in range(len(z)):
            m, V = conditioned(PARAMETERS, z, t + 1)
            assert_allclose(result.means[i][t], m[t], rtol=0, atol=1e-10)
            assert_allclose(result.covariances[i][t], V[t, :, t], rtol=0, atol=1e-10)
            m, V = conditioned(PARAMETERS, z, t)
            assert_allclose(result.predicted_means[i][t], m[t], rtol=0, atol=1e-10)
            assert_allclose(result.predicted_covariances[i][t], V[t, :, t], rtol=0, atol=1e-10)


@every_set
def test_likelihood_equals_the_joint_gaussian(data):
    expected = []
    for z in data:
        mean, S = joint_gaussian(PARAMETERS, len(z))
        places = len(z) * D + np.flatnonzero(np.isfinite(z))
        density = multivariate_normal(mean[places], S[np.ix_(places, places)])
        expected.append(density.logpdf(z[np.isfinite(z)]))
    assert_allclose(MODEL.loglikelihood(data), expected, rtol=0, atol=1e-10)
    assert_allclose(
        MODEL.filter(data).loglikelihoods, MODEL.loglikelihood(data), rtol=1e-9, atol=1e-12
    )
    assert_allclose(
        MODEL.smooth(data).loglikelihoods, MODEL.loglikelihood(data), rtol=1e-9, atol=1e-12
    )


def slow(A=1.0, q=1e-4):
    """A model of two speeds: the covariance of its first state takes long to settle."""
    return PARAMETERS._replace(A=np.array([[A, 0.1], [0.0, 0.5]]), Q=np.diag([q, 1.0]))


MODELS = {
    "quick": PARAMETERS,
    "nearly a unit root": slow(0.9999)._replace(C=PARAMETERS.C * [0.1, 1.0]),
    "unit root": slow(1.0, 1e-4),
    "unstable": slow(1.02),
    "unseen and unstable": slow(1.02)._replace(A=np.diag([1.02, 0.5]), C=PARAMETERS.C * [0, 1]),
    "still": PARAMETERS._replace(A=np.eye(D), Q=1e-12 * np.eye(D)),
}
steady = MODEL.filter(np.zeros((1, 60, P))).predicted_covariances[0, -1]
MODELS["steady from the start"] = PARAMETERS._replace(Sigma0=steady)
NEVER_STEADY = {"unseen and unstable", "still"}


def many_forms(T):
    """Long series of several patterns: gaps, lost sensors, every other step, all lengths."""
    series = np.random.default_rng(1).normal(size=(4, T, P))
    series[1, T // 2 : T // 2 + 9] = np.nan
    series[2, T // 3 :, 1] = np.nan
    series[3, ::2, 0] = np.nan
    silent = np.where(np.arange(T)[:, None] < T // 2, series[0], np.nan)[: 3 * T // 4]
    return [*series, series[0, : T - 20], silent, series[1, : T // 2 + 4], series[2, :2]]


@pytest.mark.parametrize("parameters", MODELS.values(), ids=MODELS.keys())
def test_long_series_equal_the_joint_gaussian(parameters):
    model = with_parameters(parameters)
    every = np.arange(70)
    for z in many_forms(70):
        filtered, smoothed = model.filter([z]), model.smooth([z])
        m, V = conditioned(parameters, z, len(z))
        steps = every[: len(z)]
        assert_allclose(smoothed.means[0], m, rtol=1e-10, atol=1e-10)
        assert_allclose(smoothed.covariances[0], V[steps, :, steps], rtol=1e-10, atol=1e-10)
        lag_one = V[steps[1:], :, steps[:-1]]
        assert_allclose(smoothed.lag_one_covariances[0], lag_one, rtol=1e-10, atol=1e-10)
        m, V = conditioned(parameters, z, len(z) - 1)
        assert_allclose(filtered.predicted_means[0][-1], m[-1], rtol=1e-10, atol=1e-10)
        P = filtered.predicted_covariances[0][-1]
        assert_allclose(P, V[-1, :, -1], rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("alone", [True, False], ids=["one series", "several"])
@pytest.mark.parametrize("name", MODELS)
def test_steady_states_are_reused_but_not_too_early(name, alone, monkeypatch):
    parameters, series = MODELS[name], many_forms(2200)
    batch = pack_series(series[:1] if alone else series[:3] + series[-4:])

    def run():
        filtered = kalman_filter(parameters, batch)
        smoothed = kalman_smoother(parameters, batch, filtered)
        return filtered, [*filtered.moments(batch), filtered.loglikelihoods, *smoothed]

    filtered, moments = run()
    monkeypatch.setattr(_kalman, "SETTLED", -1.0)
    every_step, step_by_step = run()
    assert not every_step.repeats.any()
    assert filtered.repeats.any() == (name not in NEVER_STEADY)
    for ours, expected in zip(moments, step_by_step, strict=True):
        assert_allclose(ours, expected, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("fewest", [1, 2, 7])
@pytest.mark.parametrize("name", MODELS)
def test_chunks_of_steps_change_nothing(name, fewest, monkeypatch):
    batch, parameters = pack_series(many_forms(60)), MODELS[name]

    def run():
        filtered = kalman_filter(parameters, batch)
        smoothed = kalman_smoother(parameters, batch, filtered)
        return [*filtered.moments(batch), filtered.loglikelihoods, *smoothed]

    whole = run()
    monkeypatch.setattr(_square_root, "HELD", 0)
    monkeypatch.setattr(_square_root, "FEWEST", fewest)
    for ours, expected in zip(run(), whole, strict=True):
        assert_allclose(ours, expected, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("name", MODELS)
def test_pieces_of_a_long_series_equal_the_whole(name):
    series = np.random.default_rng(6).normal(size=(1503, P))
    series[np.random.default_rng(7).uniform(size=series.shape) < 0.2] = np.nan
    series[900:1000] = np.nan
    batch = pack_series([series])
    ways = (filter_in_pieces(MODELS[name], batch), kalman_filter(MODELS[name], batch))
    moments = [
        [*way.moments(batch), way.loglikelihoods, *kalman_smoother(MODELS[name], batch, way)]
        for way in ways
    ]
    for ours, expected in zip(*moments, strict=True):
        assert_allclose(ours, expected, rtol=1e-10, atol=1e-10)


def test_a_singular_covariance_in_a_piece_is_named():
    series = np.random.default_rng(6).normal(size=(5003, 2))
    series[::3, 0] = np.nan
    exact = Parameters(
        np.eye(2), np.zeros((2, 2)), np.eye(2), np.zeros((2, 2)), np.zeros(2), np.eye(2)
    )
    with pytest.raises(ValueError, match=r"observations of series 0 must be .* at time 1;"):
        with_parameters(exact).filter([series])


def pykalman_model(parameters):
    A, Q, C, R, mu0, Sigma0, a, b = parameters
    return KalmanFilter(
        A, C, Q, R, a, b, initial_state_mean=mu0,
        initial_state_covariance=Sigma0,
        em_vars=["transition_matrices", "observation_matrices", "transition_covariance",
                 "observation_covariance", "initial_state_mean", "initial_state_covariance"],
    )  # fmt: skip


@pytest.fixture(params=[False, True], ids=["complete", "missing steps"])
def long_series(request):
    """One series; pykalman leaves out a whole step if an entry is missing, so whole steps are."""
    series = MODEL.sample(1, 120)[1]
    if request.param:
        series[0, [3, 17, 18, 30, 90]] = np.nan
    return series


def test_recursions_agree_with_pykalman(long_series):
    theirs = pykalman_model(PARAMETERS)
    series = np.ma.masked_invalid(long_series[0])
    for ours, (means, covariances) in [
        (MODEL.filter(long_series), theirs.filter(series)),
        (MODEL.smooth(long_series), theirs.smooth(series)),
    ]:
        assert_allclose(ours.means[0], means, rtol=0, atol=1e-8)
        assert_allclose(ours.covariances[0], covariances, rtol=0, atol=1e-8)
    if np.isfinite(long_series).all():  # of a masked step pykalman takes the density at its fill
        assert_allclose(MODEL.loglikelihood(long_series)[0], theirs.loglikelihood(series))


def test_ten_em_steps_agree_with_pykalman(long_series):
    ours = PARAMETERS._replace(a=np.zeros(D))  # that of hidden states; b is held
    theirs = pykalman_model(ours).em(np.ma.masked_invalid(long_series[0]), n_iter=10)
    batch, floors = pack_series(list(long_series)), Floors(np.full(D, 1e-12), np.full(P, 1e-12))
    for _ in range(10):
        ours = m_step(ours, expect(ours, [batch]), floors, ("a", "b"))
    for value, name in zip(
        ours,
        ["transition_matrices", "transition_covariance", "observation_matrices",
         "observation_covariance", "initial_state_mean", "initial_state_covariance",
         "transition_offsets", "observation_offsets"],
        strict=True,
    ):  # fmt: skip
        assert_allclose(value, getattr(theirs, name), rtol=0, atol=1e-8)


def fit(data, n_states=D, max_iter=25):
    """Fit for a number of iterations."""
    model = LinearGaussianSSM(n_states, max_iter=max_iter, tol=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(data)


def test_a_stopped_fit_warns_where_its_last_gain_matters():
    data = np.random.default_rng(0).normal(size=(20, 15, 1)).cumsum(axis=1)
    stopped = LinearGaussianSSM(1, max_iter=2)
    with pytest.warns(ConvergenceWarning, match="Raise max_iter or tol"):
        stopped.fit(data)
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        nearly = LinearGaussianSSM(1, max_iter=38, tol=0).fit(data)
    assert not stopped.converged_
    assert not nearly.converged_


@every_set
@pytest.mark.parametrize("n_states", [1, 2, 4])
def test_em_is_monotone(data, n_states):
    model = fit(data, n_states)
    assert len(model.loglikelihoods_) == model.n_iter_ + 1 == 26
    gains = np.diff(model.loglikelihoods_)
    assert gains.min() > -1e-9 * np.abs(model.loglikelihoods_).max()
    assert gains[0] > 0
    assert_allclose(model.loglikelihoods_[-1], model.loglikelihood(data).sum(), rtol=1e-12)


@pytest.mark.parametrize("listed", [False, True], ids=["array", "list"])
def test_masked_entries_are_missing(listed):
    """Whatever is under the mask."""
    expected = holes(Z)
    data = np.ma.masked_array(np.where(np.isnan(expected), 7.0, expected), np.isnan(expected))
    data, expected = (list(data), list(expected)) if listed else (data, expected)
    for ours, theirs in zip(MODEL.smooth(data), MODEL.smooth(expected), strict=True):
        assert_array_equal(ours, theirs)
    assert_array_equal(fit(data).loglikelihoods_, fit(expected).loglikelihoods_)


@every_set
def test_fits_follow_shifts_and_scales(data):
    scales = np.array([1e-4, 1.0, 1e5])
    levels = scales * [1e4, -3.0, 50.0]
    other = [one * scales + levels for one in data]
    plain, fitted = fit(data, 2, 15), fit(other, 2, 15)
    seen = np.sum([np.isfinite(one).sum(axis=0) for one in data], axis=0)
    values = fitted.loglikelihoods_ + seen @ np.log(scales)
    assert_allclose(values, plain.loglikelihoods_, rtol=1e-6)
    forecasts, expected = fitted.forecast(other, 3).means, plain.forecast(data, 3).means
    assert_allclose((forecasts - levels) / scales, expected, rtol=1e-6, atol=1e-6)


@every_set
def test_derivative_in_the_offset_by_finite_differences(data):
    """Fisher's identity: that of the likelihood is the expected score."""
    smoothed, score = MODEL.smooth(data).means, np.zeros(P)
    for z, m in zip(data, smoothed, strict=True):
        for t in range(len(z)):
            seen = np.isfinite(z[t])
            residual = (z[t] - PARAMETERS.C @ m[t] - PARAMETERS.b)[seen]
            score[seen] += np.linalg.solve(PARAMETERS.R[np.ix_(seen, seen)], residual)
    for j, step in enumerate(1e-5 * np.eye(P)):
        up, down = (
            with_parameters(PARAMETERS._replace(b=PARAMETERS.b + s * step)).loglikelihood(data)
            for s in (1, -1)
        )
        assert_allclose((up - down).sum() / 2e-5, score[j], rtol=1e-6)


def test_units_of_observed_states_do_not_matter():
    units = np.array([1e-9, 1e9])
    plain, scaled = (LinearGaussianSSM(D).fit(Z, STATES * unit) for unit in (1.0, units))
    assert_allclose(scaled.observation_matrix_ * units, plain.observation_matrix_, rtol=1e-9)
    assert_allclose(scaled.observation_covariance_, plain.observation_covariance_, rtol=1e-9)


@pytest.mark.parametrize("fit_offset", [True, False])
@pytest.mark.parametrize("lengths", [False, True], ids=["array", "list"])
def test_observed_states_give_least_squares(lengths, fit_offset):
    states, series = STATES, Z
    if lengths:
        states, series = ragged(STATES), ragged(Z)
    model = LinearGaussianSSM(D, fit_offset=fit_offset).fit(series, states)
    before, after = np.vstack([m[:-1] for m in states]), np.vstack([m[1:] for m in states])
    m, z = np.vstack([*states]), np.vstack([*series])
    if not fit_offset:
        assert_array_equal(model.transition_offset_, 0)
        assert_array_equal(model.observation_offset_, 0)
    plain = [
        LinearRegression(fit_intercept=fit_offset).fit(*pair) for pair in ((before, after), (m, z))
    ]
    moves, noise = after - plain[0].predict(before), z - plain[1].predict(m)
    first = np.array([one[0] for one in states])
    expected = Parameters(
        plain[0].coef_,
        moves.T @ moves / len(after),
        plain[1].coef_,
        noise.T @ noise / len(z),
        first.mean(axis=0),
        np.cov(first.T, bias=True),
        plain[0].intercept_,
        plain[1].intercept_,
    )
    for ours, theirs in zip(model._parameters(), expected, strict=True):
        assert_allclose(ours, theirs, rtol=0, atol=1e-10)
    assert model.converged_
    assert model.n_iter_ == 0
    assert_allclose(model.loglikelihoods_, [model.loglikelihood(series).sum()])


def test_samples_have_the_models_moments():
    states, series = MODEL.sample(20000, 3)
    mean, S = joint_gaussian(PARAMETERS, 3)
    rows = np.hstack([states.reshape(20000, -1), series.reshape(20000, -1)])
    assert np.abs(rows.mean(axis=0) - mean).max() < 5 * np.sqrt(S.max() / 20000)
    assert_allclose(np.cov(rows.T), S, atol=0.05 * S.max())
    assert_array_equal(MODEL.sample(20000, 3)[1], series)


@every_set
def test_forecasts_are_the_conditional_moments(data):
    ahead = 4
    future, C, R = MODEL.forecast(data, ahead), PARAMETERS.C, PARAMETERS.R
    for i, z in enumerate(data):
        longer = np.vstack([z, np.full((ahead, P), np.nan)])
        means, joint = conditioned(PARAMETERS, longer, len(z))
        for step in range(ahead):
            t = len(z) + step
            m, V = means[t], joint[t, :, t]
            assert_allclose(future.state_means[i, step], m, atol=1e-10)
            assert_allclose(future.state_covariances[i, step], V, atol=1e-10)
            assert_allclose(future.means[i, step], C @ m + PARAMETERS.b, atol=1e-10)
            assert_allclose(future.covariances[i, step], C @ V @ C.T + R, atol=1e-10)


def test_nearly_singular_model_keeps_covariances_positive():
    parameters = PARAMETERS._replace(
        R=1e-12 * np.eye(P), Sigma0=1e8 * np.eye(D), Q=1e-10 * np.eye(D)
    )
    model = with_parameters(parameters)
    result = model.smooth(MODEL.sample(1, 60)[1])
    filtered = model.filter(Z)
    for covariances in (result.covariances, filtered.covariances):
        assert_array_equal(covariances, covariances.mT)
        assert np.linalg.eigvalsh(covariances).min() > 0


WALKS = np.random.default_rng(2).normal(size=(6, 25, 2)).cumsum(axis=1)
GROWTH = np.exp(0.2 * np.arange(40))[None, :, None]


@pytest.mark.parametrize(
    ("data", "n_states"),
    [
        (WALKS, 10),
        (np.ones((3, 5, 2)), 1),
        (np.zeros((3, 5, 2)), 2),
        (WALKS[:, :1] + np.zeros((6, 25, 2)), 3),
        (np.concatenate([WALKS, np.ones((6, 25, 1))], axis=2), 3),
        (WALKS[:, :, [0, 0]], 2),
        (WALKS * [1e-8, 1e8], 4),
        (WALKS * 1e70, 3),
        (WALKS + 1e6, 3),
        (GROWTH, 2),
        (WALKS[:1, :2, :1], 2),
    ],
    ids=["too many states", "ones", "zeros", "constant series", "constant column", "twins",
         "scales", "huge", "far away", "growth", "two numbers"],
)  # fmt: skip
def test_em_copes_with(data, n_states):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = LinearGaussianSSM(n_states, max_iter=25).fit(data)
    assert np.isfinite(model.loglikelihoods_).all()
    assert np.all(np.diff(model.loglikelihoods_) > 0)
    for name in ("transition_covariance_", "observation_covariance_", "initial_covariance_"):
        covariance = getattr(model, name)
        scale = np.sqrt(np.diag(covariance))
        assert np.linalg.eigvalsh(covariance / np.outer(scale, scale)).min() > 0


def test_nothing_observed_gives_the_prior():
    result = MODEL.smooth(np.full((1, 2, P), np.nan))
    assert_allclose(result.means[0, 0], PARAMETERS.mu0)
    assert_allclose(result.covariances[0, 0], PARAMETERS.Sigma0)
    assert_array_equal(result.loglikelihoods, [0.0])


def replaced(value, at, data=Z):
    bad = data.copy()
    bad[at] = value
    return bad


BAD_SERIES = [
    (Z[0], ValueError, r"Z must have shape \(n, T, p\).*got shape \(6, 3\)"),
    ("series", TypeError, "Z must be a 3-D array or a list"),
    ([], ValueError, "Z must hold at least one series; got none"),
    ([Z[0], Z[1, :, :2]], ValueError, r"Z\[1\] must have 3 columns; got shape \(6, 2\)"),
    ([Z[0], Z[1, 0]], ValueError, r"Z\[1\] must be a 2-D array .*got shape \(3,\)"),
    (Z.astype(complex), ValueError, r"Z\[0\] must be a 2-D array .*real numbers.*complex128"),
    (Z[:, :, :0], ValueError, r"Z\[0\] must have (a|3) columns?; got shape \(6, 0\)"),
    ([[[1, 2, 3], [4, 5]]], ValueError, r"Z\[0\] must have rows of one shape; got rows of 2 to 3"),
    ([Z[0], Z[1, :0]], ValueError, r"Z\[1\] must have at least . steps; got 0"),
    (replaced(np.inf, (2, 4, 1)), ValueError, r"Z\[2\] must be finite.*inf at time 4, column 1"),
]


@pytest.mark.parametrize(("bad", "error", "message"), BAD_SERIES)
@pytest.mark.parametrize("method", ["fit", "filter"])
def test_bad_series(bad, error, message, method):
    model = LinearGaussianSSM(2) if method == "fit" else MODEL
    with pytest.raises(error, match=message):
        getattr(model, method)(bad)


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ([Z[0], Z[1, :1]], r"Z\[1\] must have at least 2 steps; got 1"),
        (1e80 * Z, r"Z must have columns of size 1e-75 to 1e\+75; got .*e\+81 in column 0"),
        (Z * [1, 1e-90, 1], "Z must have columns of size .*; got .*e-90 in column 1. Change"),
        (np.full_like(Z, np.nan), "Z must have an observed entry in column 0; all are NaN"),
        (replaced(np.nan, np.s_[:, 1:]), "Z must have a series with an observed entry after its"),
        (replaced(np.nan, (..., 2)), "Z must have an observed entry in column 2; all are NaN"),
    ],
)
def test_bad_training_series(bad, message):
    with pytest.raises(ValueError, match=message):
        LinearGaussianSSM(2).fit(bad)


@pytest.mark.parametrize(
    ("series", "states", "message"),
    [
        (Z, STATES[:3], "states must have one path per series, 8; got 3"),
        (Z, STATES[:, :, :1], r"states\[0\] must have 2 columns; got shape \(6, 1\)"),
        (
            Z,
            [*STATES[:7], STATES[7, :4]],
            r"states\[7\] must have as many steps as Z\[7\], 6; got 4",
        ),
        (Z, STATES[0], r"states must have shape \(n, T, p\) or be a list .*got shape \(6, 2\)"),
        (Z, replaced(np.inf, (1, 2, 0), STATES), r"states\[1\] must be finite; got inf at time 2"),
        (Z, 1e80 * STATES, "states must have columns of size .* in column 0"),
        (Z, np.full_like(STATES, np.nan), r"states\[0\] must be finite; got nan at time 0"),
        (holes(Z), STATES, r"Z\[0\] must be finite; got nan at time"),
    ],
)
def test_bad_states(series, states, message):
    with pytest.raises(ValueError, match=message):
        LinearGaussianSSM(2).fit(series, states)


def test_too_many_states():
    with pytest.raises(ValueError, match=r"n_states must be at most .*48; got 49"):
        LinearGaussianSSM(49).fit(Z)


@pytest.mark.parametrize(("name", "sizes"), [("n", [0, 3]), ("T", [3, 0])])
def test_bad_sample_sizes(name, sizes):
    with pytest.raises(ValueError, match=f"^{name} must be at least 1; got 0"):
        MODEL.sample(*sizes)
    with pytest.raises(TypeError, match=f"^{name} must be an integer; got "):
        MODEL.sample(*(size or 1.5 for size in sizes))


@pytest.mark.parametrize(("n_steps", "error"), [(0, ValueError), (1.5, TypeError)])
def test_bad_number_of_steps(n_steps, error):
    with pytest.raises(error, match=f"n_steps must .*; got {n_steps}"):
        MODEL.forecast(Z, n_steps)


def test_singular_covariances_are_named():
    no_noise = PARAMETERS._replace(R=np.zeros((P, P)))
    message = "observations of series 1 must be positive definite at time 0"
    partly = Z[:2].copy()
    partly[0, :, 1:] = np.nan  # one entry of two states: not singular
    with pytest.raises(ValueError, match=message):
        with_parameters(no_noise).filter(partly)


def test_states_that_are_known_are_smoothed():
    zero = np.zeros((D, D))
    still = PARAMETERS._replace(Q=zero, A=zero)
    smoothed = with_parameters(still).smooth(Z)
    assert_allclose(smoothed.means[:, 1:], np.broadcast_to(PARAMETERS.a, (8, 5, D)), rtol=1e-12)
    assert_array_equal(smoothed.covariances[:, 1:], 0.0)
    assert_array_equal(smoothed.lag_one_covariances, 0.0)


def test_a_late_singular_covariance_is_named():
    still = Parameters(np.eye(2), np.zeros((2, 2)), np.eye(2), np.eye(2), np.zeros(2), np.eye(2))
    exact = with_parameters(still._replace(R=np.zeros((2, 2))))
    late = np.vstack([np.full((30, 2), np.nan), np.ones((1, 2)), np.full((2, 2), np.nan)])
    smoothed = exact.smooth([late[:30], late])
    assert_allclose(smoothed.means[1], np.ones((33, 2)), rtol=1e-12)  # known from time 30 on
    assert_allclose(smoothed.covariances[1], 0.0, atol=1e-25)
    message = "observations of series 1 must be positive definite at time 31"
    with pytest.raises(ValueError, match=message):
        exact.filter([late[:30], np.vstack([late[:31], late[30:31]])])


def test_likelihood_and_offset_have_the_names_of_mixtures():
    model = with_parameters(PARAMETERS)
    assert_array_equal(model.score_samples(Z), model.loglikelihood(Z))
    assert model.offset_ is model.observation_offset_
    assert not hasattr(LinearGaussianSSM(D), "offset_")
