"""Models with given parameters: as they are, as a start of EM, and held in it."""

import itertools
import pickle
import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LinearRegression

from ofer import LinearGaussianSSM
from ofer.state_space._kalman import NAMES, Parameters
from ofer.state_space._kalman_em import Floors, expect, m_step
from ofer.utils.series import pack_series
from tests.ofer.state_space.joint import (
    MODEL,
    PARAMETERS,
    SETS,
    STATES,
    D,
    P,
    Z,
    holes,
    joint_gaussian,
    random_parameters,
    with_parameters,
)

FIELDS = dict(zip(NAMES, Parameters._fields, strict=True))
GIVEN = dict(zip(NAMES, PARAMETERS, strict=True))
COVARIANCES = ("Q", "R", "Sigma0")
SUBSETS = [set(one) for k in range(9) for one in itertools.combinations(NAMES, k)]
FEW = [one for one in SUBSETS if len(one) <= 1 or len(one) >= 7 or len(one) == 4]
UNFINISHED = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
FLOORS = Floors(np.full(D, 1e-12), np.full(P, 1e-12))


def fit(model, data, *args, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(data, *args, **options)


def from_given(changed=(), **options):
    return LinearGaussianSSM.from_parameters(**GIVEN | dict(changed), **options)


def without(names):
    return {name: value for name, value in GIVEN.items() if name not in names}


# As they are


def test_a_given_model_is_ready_and_keeps_copies():
    values = {name: value.copy() for name, value in GIVEN.items()}
    model = LinearGaussianSSM.from_parameters(**values, max_iter=7, random_state=0)
    assert (model.n_states, model.max_iter, model.n_features_in_, model.n_parameters_) == (
        *(D, 7, P, 0),
    )
    expected = model.loglikelihood(Z)
    for value in values.values():
        value[...] = 7.0
    assert_array_equal(model.loglikelihood(Z), expected)
    assert model.filter(Z).means.shape == model.smooth(Z).means.shape == (8, 6, D)
    assert model.forecast(Z, 2).means.shape == (8, 2, P)
    assert_array_equal(model.sample(3, 4)[1], with_parameters(PARAMETERS).sample(3, 4, 0)[1])


def test_offsets_are_zero_unless_given():
    offsets = ("transition_offset", "observation_offset")
    model = LinearGaussianSSM.from_parameters(**without(offsets))
    assert [*model.start] == list(NAMES[:6])
    zeros = {"transition_offset": np.zeros(D), "observation_offset": np.zeros(P)}
    assert_array_equal(model.loglikelihood(Z), from_given(zeros).loglikelihood(Z))


def changed(name, at, value):
    array = GIVEN[name].copy()
    array[at] = value
    return {name: array}


BAD = [
    ({"transition_matrix": 0.5}, r"transition_matrix must have shape \(1, 1\).*; got shape \(\)"),
    ({"transition_matrix": np.ones((2, 3))}, r"transition_matrix must have shape \(2, 2\).*2, 3"),
    ({"observation_matrix": np.ones((3, 1))}, r"observation_matrix .* \(3, 2\).*\(3, 1\)"),
    ({"observation_matrix": np.ones(2)}, r"observation_matrix .* \(1, 2\).*got shape \(2,\)"),
    ({"initial_mean": np.ones((1, 2))}, r"initial_mean must have shape \(2,\).*got shape \(1, 2\)"),
    ({"observation_offset": 1.0}, r"observation_offset must have shape \(3,\).*got shape \(\)"),
    ({"initial_mean": ["a", "b"]}, r"initial_mean must have .* real numbers; got .* of <U1"),
    ({"initial_mean": [1j, 0]}, r"initial_mean must have .* real numbers; got .* of complex128"),
    ({"initial_mean": None}, r"start must have the keys transition_matrix.*; got \["),
    ({"initial_covariance": [[1, 0], [0]]}, "initial_covariance must have rows of one shape"),
    ({"transition_matrix": [[1, 0], [0]]}, "transition_matrix must have rows of one shape"),
    (changed("transition_matrix", (0, 1), np.nan), "transition_matrix must be finite; got nan"),
    (changed("observation_covariance", (0, 1), 5.0), "observation_covariance must be symmetric"),
    (changed("transition_covariance", (0, 0), -1.0), "transition_covariance must be positive semi"),
    ({"initial_covariance": [[0, 1], [1, 0]]}, "semi-definite; got eigenvalue -1"),
    ({"transition_covariance": 1e-20 * np.array([[1, 2], [2, 1]])}, "got eigenvalue -1e-20"),
]


@pytest.mark.parametrize(("bad", "message"), BAD)
def test_bad_parameters_are_named(bad, message):
    with pytest.raises(ValueError, match=message):
        from_given(bad)


def test_roundoff_and_singular_covariances_are_accepted():
    values = {
        "transition_covariance": [[1.0, 0.0], [0.0, 0.0]],
        "initial_covariance": 1e-20 * np.array([[1.0, 1.0], [1.0 + 1e-12, 1.0 - 1e-12]]),
    }
    model = from_given(values)
    assert_array_equal(model.initial_covariance_, model.initial_covariance_.T)
    assert np.isfinite(model.loglikelihood(Z)).all()


@pytest.mark.parametrize(
    ("start", "message"),
    [
        ({"transition_matrix": np.eye(2)}, "start must have the keys .*; got .*matrix'"),
        (GIVEN | {"offset": 1.0}, r"start must have the keys .*; got \[.*'offset'"),
        (GIVEN | {"transition_matrix": np.eye(3)}, r"shape \(2, 2\) and real .* \(3, 3\)"),
        (GIVEN | {"observation_offset": np.ones(2)}, r"observation_offset must have shape \(3,\)"),
    ],
)
def test_bad_starts_are_named(start, message):
    with pytest.raises(ValueError, match=message):
        LinearGaussianSSM(D, start=start).fit(Z)


@pytest.mark.parametrize(
    "fixed", ["transition_matrix", ("A",), ("transition_matrix_",), None, [["initial_mean"]]]
)
def test_unknown_names_are_refused(fixed):
    with pytest.raises(ValueError, match=r"fixed must be a tuple of names among .*; got "):
        MODEL.fit(Z, fixed=fixed)
    with pytest.raises(ValueError, match=r"fixed must be a tuple of names among .*; got "):
        MODEL.fit_in_batches([Z], fixed=fixed)


def test_given_states_have_no_start_of_their_own():
    with pytest.raises(ValueError, match="fixed must be empty for given states without start; got"):
        LinearGaussianSSM(D).fit(Z, STATES, fixed=("transition_matrix",))


# As a start


@UNFINISHED
def test_em_starts_there_and_fits_alike_again():
    model = from_given(max_iter=5)
    at_start = model.loglikelihood(Z).sum()
    first = clone(model).fit(Z)
    assert_allclose(first.loglikelihoods_[0], at_start, rtol=1e-12)
    assert (np.diff(first.loglikelihoods_) > 0).all()
    twins = [model.fit(Z), model.fit(Z), pickle.loads(pickle.dumps(model)).fit(Z)]
    for twin in twins:
        for name in NAMES:
            assert_array_equal(getattr(twin, f"{name}_"), getattr(first, f"{name}_"))
    assert_array_equal(model.start["transition_matrix"], PARAMETERS.A)


def test_units_of_a_start_do_not_matter():
    """A floor for states of size one would be far above the variances of small ones."""
    unit, held = 1e-8, {"observation_matrix"}
    small = PARAMETERS._replace(
        Q=unit**2 * PARAMETERS.Q,
        C=PARAMETERS.C / unit,
        mu0=unit * PARAMETERS.mu0,
        Sigma0=unit**2 * PARAMETERS.Sigma0,
        a=unit * PARAMETERS.a,
    )
    plain = fit(with_parameters(PARAMETERS, max_iter=20, tol=0), Z, fixed=held)
    scaled = fit(with_parameters(small, max_iter=20, tol=0), Z, fixed=held)
    assert_allclose(scaled.loglikelihoods_, plain.loglikelihoods_, rtol=1e-9)
    assert_allclose(
        scaled.transition_covariance_, unit**2 * plain.transition_covariance_, rtol=1e-6
    )


def test_a_start_on_the_edge_is_no_loss():
    """A level that stays put is most likely without noise, which has a floor where it is free."""
    levels = np.random.default_rng(0).normal(size=(50, 1, 1)) + np.zeros((50, 200, 1))
    series = levels + 0.1 * np.random.default_rng(1).normal(size=levels.shape)
    still = {name: [[1.0]] for name in NAMES[:6]} | {"initial_mean": [0.0]}
    still |= {"transition_covariance": [[0.0]], "observation_covariance": [[0.01]]}
    held = set(NAMES) - {"transition_covariance"}
    model = LinearGaussianSSM.from_parameters(**still, max_iter=5, tol=0)
    without_noise = model.loglikelihood(series).sum()
    history = fit(model, series, fixed=held).loglikelihoods_
    assert without_noise > history[0]
    assert np.all(np.diff(history) > 0)


def test_an_offset_that_is_not_fitted_keeps_its_start():
    for options, fixed in [({"fit_offset": False}, ()), ({}, ("observation_offset",))]:
        far = {"observation_offset": PARAMETERS.b + 1e6 / 3}
        model = fit(from_given(far, max_iter=3, **options), Z + 1e6 / 3, fixed=fixed)
        assert_array_equal(model.observation_offset_, far["observation_offset"])
        near = fit(from_given(max_iter=3, **options), Z, fixed=fixed)
        assert_allclose(model.loglikelihoods_, near.loglikelihoods_, rtol=1e-9)


# Held


def test_em_is_monotone_whatever_is_held():
    data = SETS["ragged, missing"]
    for fixed in SUBSETS[::3]:
        model = fit(from_given(max_iter=3, tol=0), data, fixed=fixed)
        gains = np.diff(model.loglikelihoods_)
        assert (gains > 1e-6).all() or len(fixed) == 8, fixed
        for name in fixed:
            assert_array_equal(getattr(model, f"{name}_"), GIVEN[name], err_msg=str(fixed))
        for name in NAMES[:6]:
            moved = np.abs(getattr(model, f"{name}_") - GIVEN[name]).max()
            assert (moved == 0) == (name in fixed), (name, fixed)


@pytest.mark.parametrize("name", NAMES)
def test_the_usual_start_can_be_held(name):
    data = SETS["ragged, missing"]
    model = fit(LinearGaussianSSM(D, max_iter=5, tol=0), data, fixed=(name,))
    assert np.diff(model.loglikelihoods_).min() > 0
    shorter = fit(LinearGaussianSSM(D, max_iter=1, tol=0), data, fixed=(name,))
    assert_array_equal(getattr(model, f"{name}_"), getattr(shorter, f"{name}_"))


def test_nothing_is_fitted_where_all_is_held():
    model = from_given().fit(Z, fixed=NAMES)
    assert (model.n_iter_, model.converged_, model.n_parameters_) == (0, True, 0)
    assert_allclose(model.loglikelihoods_, MODEL.loglikelihood(Z).sum(), rtol=1e-12)


def expected_moments(parameters, data):
    """What is known of (m_t, z_t) and (m_{t-1}, m_t), by brute force: pairs of mean and covariance.

    The first states, the moves, and the steps of which something is observed.
    """
    first, moves, looks = [], [], []
    for z in data:
        T, seen = len(z), np.isfinite(z)
        mean, S = joint_gaussian(parameters, T)
        places = T * D + np.flatnonzero(seen)
        gain = np.linalg.solve(S[np.ix_(places, places)], S[places]).T
        mean, S = mean + gain @ (z[seen] - mean[places]), S - gain @ S[places]

        def part(at, mean=mean, S=S):
            return mean[at], S[np.ix_(at, at)]

        first.append(part(np.arange(D)))
        moves += [part(np.arange(t * D, (t + 2) * D)) for t in range(T - 1)]
        for t in np.flatnonzero(seen.any(axis=1)):
            here = T * D + t * P + np.arange(P)
            looks.append(part(np.append(np.arange(t * D, (t + 1) * D), here)))
    return [[np.stack(one) for one in zip(*part, strict=True)] for part in (first, moves, looks)]


def expected_loglikelihood(parameters, moments):
    """Expected log-density of states and observations."""
    A, Q, C, R, mu0, Sigma0, a, b = parameters
    maps = (
        (np.eye(D), mu0, Sigma0),
        (np.hstack([-A, np.eye(D)]), a, Q),
        (np.hstack([-C, np.eye(P)]), b, R),
    )
    total = 0.0
    for (means, covariances), (F, f, S) in zip(moments, maps, strict=True):
        residuals = means @ F.T - f
        outer = residuals.T @ residuals + np.einsum("ij,njk,lk->il", F, covariances, F)
        total -= 0.5 * (np.trace(np.linalg.solve(S, outer)) + len(means) * np.linalg.slogdet(S)[1])
    return total


def directions(name, value):
    """Unit changes of a parameter, symmetric ones of a covariance."""
    for at in np.ndindex(value.shape):
        step = np.zeros(value.shape)
        step[at] = 1.0
        if name not in COVARIANCES:
            yield step
        elif at[0] <= at[1]:
            yield np.maximum(step, step.T)


@pytest.mark.parametrize("kind", ["complete", "ragged, missing"])
def test_the_m_step_is_optimal_given_what_is_held(kind, monkeypatch):
    """No derivative of the expected log-density is left in what is free, by finite differences."""
    monkeypatch.setattr("ofer.state_space._kalman_em.BATCH", 1)  # series in several parts
    data = SETS[kind]
    cut = [z[: 1 + np.flatnonzero(np.isfinite(z).any(axis=1))[-1]] for z in data]
    moments, batch = expected_moments(PARAMETERS, cut), pack_series(list(data))
    for fixed in FEW:
        held = {FIELDS[name] for name in fixed}
        following = m_step(PARAMETERS, expect(PARAMETERS, [batch]), FLOORS, held)
        for name, value in following._asdict().items():
            if name in held:
                assert_array_equal(value, getattr(PARAMETERS, name))
                continue
            for direction in directions(name, value):
                up, down = (
                    expected_loglikelihood(
                        following._replace(**{name: value + h * direction}), moments
                    )
                    for h in (1e-5, -1e-5)
                )
                assert abs(up - down) / 2e-5 < 1e-5, (fixed, name)


@pytest.mark.parametrize(
    "R", [np.diag([0.0, 0.5, 1.0]), np.array([[1.0, 1, 0], [1, 1, 0], [0, 0, 1]])]
)
def test_missing_entries_of_a_singular_covariance_that_is_held(R):
    """C and b are the regression of expected observations, by brute force, on states."""
    singular, data = PARAMETERS._replace(R=R), SETS["ragged, missing"]
    _, _, (means, covariances) = expected_moments(singular, data)
    held = {"a", "R"}
    following = m_step(singular, expect(singular, [pack_series(list(data))]), FLOORS, held)
    centred = means - means.mean(axis=0)
    moments = centred.T @ centred + covariances.sum(axis=0)
    C = np.linalg.solve(moments[:D, :D], moments[:D, D:]).T
    assert_allclose(following.C, C, atol=1e-9)
    assert_allclose(following.b, means.mean(axis=0) @ np.hstack([-C, np.eye(P)]).T, atol=1e-9)
    model = with_parameters(singular, max_iter=5, tol=0)
    history = fit(model, data, fixed=("observation_covariance",)).loglikelihoods_
    assert np.diff(history).min() > 0


def test_given_states_with_held_parameters():
    """With A held the drift is a mean of residuals; with b held C is the regression through b."""
    held = ("transition_matrix", "observation_offset", "initial_mean")
    model = from_given().fit(Z, STATES, fixed=held)
    for name in held:
        assert_array_equal(getattr(model, f"{name}_"), GIVEN[name])
    moves = (STATES[:, 1:] - STATES[:, :-1] @ PARAMETERS.A.T).reshape(-1, D)
    assert_allclose(model.transition_offset_, moves.mean(axis=0))
    assert_allclose(model.transition_covariance_, np.cov(moves.T, bias=True))
    m, z = STATES.reshape(-1, D), (Z - PARAMETERS.b).reshape(-1, P)
    regression = LinearRegression(fit_intercept=False).fit(m, z)
    assert_allclose(model.observation_matrix_, regression.coef_)
    noise = z - regression.predict(m)
    assert_allclose(model.observation_covariance_, noise.T @ noise / len(noise))
    starts = STATES[:, 0] - PARAMETERS.mu0
    assert_allclose(model.initial_covariance_, starts.T @ starts / len(starts))
    raw = sum(len(v) * (len(v) + 1) // 2 if f in COVARIANCES else v.size
              for f, v in PARAMETERS._asdict().items())  # fmt: skip
    assert model.n_parameters_ == raw - D * D - P - D


@UNFINISHED
def test_blocks_hold_what_a_fit_holds():
    data, fixed = list(holes(Z)), ("transition_matrix", "observation_offset")
    whole = from_given(max_iter=6).fit(data, fixed=fixed)
    blocks = from_given(max_iter=6).fit_in_batches([data, data], fixed=fixed)
    for name in NAMES:
        assert_allclose(getattr(blocks, f"{name}_"), getattr(whole, f"{name}_"), rtol=1e-9)
    assert blocks.n_parameters_ == whole.n_parameters_


# Scores and criteria


def distribution(parameters, T):
    """Mean and covariance of the observations of T steps."""
    mean, S = joint_gaussian(parameters, T)
    states = T * len(parameters.A)
    return np.append(mean[states:], S[states:, states:])


@UNFINISHED
@pytest.mark.parametrize("kind", ["given", "walks", "symmetric"])
def test_free_parameters_are_the_dimension_of_the_distributions(kind):
    """The rank of the derivatives of the distribution of six steps, by central differences."""
    start = {
        "given": PARAMETERS,
        "walks": PARAMETERS._replace(A=np.eye(D), Q=np.eye(D)),
        "symmetric": PARAMETERS._replace(A=np.diag([0.9, 0.3]), Q=np.eye(D), Sigma0=np.eye(D)),
    }[kind]
    for fixed in FEW:
        if kind == "walks" and "transition_matrix" not in fixed:
            continue
        model = with_parameters(start, max_iter=1).fit(Z, fixed=fixed)
        if "transition_offset" not in fixed:
            assert np.abs(model.transition_offset_ - start.a).max() > 0
        parameters, slopes = model._parameters(), []
        for name in set(NAMES) - fixed:
            field = FIELDS[name]
            value = getattr(parameters, field)
            for direction in directions(field, value):
                up, down = (
                    distribution(parameters._replace(**{field: value + h * direction}), 6)
                    for h in (1e-4, -1e-4)
                )
                slopes.append((up - down) / np.linalg.norm(up - down))
        rank = np.linalg.matrix_rank(np.array(slopes), tol=1e-6) if slopes else 0
        assert model.n_parameters_ == rank, fixed


@UNFINISHED
@pytest.mark.parametrize(("d", "p"), [(1, 1), (2, 1), (2, 3), (3, 1), (3, 2), (4, 2)])
@pytest.mark.parametrize("noise", ["full", "diagonal"])
@pytest.mark.parametrize("fit_offset", [True, False])
def test_free_parameters_at_the_defaults(d, p, fit_offset, noise):
    """Also of more states than columns, where no series tells all covariances of states apart."""
    series = with_parameters(random_parameters(1, d, p), random_state=0).sample(20, 12)[1]
    options = {"fit_offset": fit_offset, "observation_noise": noise}
    model = LinearGaussianSSM(d, max_iter=2, **options).fit(series)
    dynamics = d * (d + 1) // 2 + d + d * (d + 1) // 2  # Q, mu0, Sigma0; A is a change of basis
    noises = p * (p + 1) // 2 if noise == "full" else p
    unseen = (d - p) * (d - p + 1) // 2 if d > p else 0
    expected = dynamics + p * d + noises + p * fit_offset - unseen
    assert model.n_parameters_ == expected
    parameters, slopes = model._parameters(), []
    for field in set(FIELDS.values()) - {"a"} - (set() if fit_offset else {"b"}):
        value = getattr(parameters, field)
        for direction in directions(field, value):
            if field == "R" and noise == "diagonal" and not np.diagonal(direction).any():
                continue
            step = 1e-4 * np.abs(value).max() * direction
            up, down = (
                distribution(parameters._replace(**{field: value + s * step}), 8) for s in (1, -1)
            )
            slopes.append((up - down) / np.linalg.norm(up - down))
    assert np.linalg.matrix_rank(np.array(slopes), rtol=1e-6) == expected


def test_score_and_criteria_by_hand():
    """One state that is always zero: the observations are independent normals."""
    z = [np.array([[1.0], [np.nan], [3.0]]), np.array([[-2.0], [0.0], [np.nan], [np.nan]])]
    z.append(z[0] + 1)  # of the same pattern
    model = LinearGaussianSSM.from_parameters(
        **{name: [[0.0]] for name in NAMES[:6]}
        | {"observation_covariance": [[1.0]], "transition_covariance": [[1.0]]}
        | {"initial_mean": [0.0], "initial_covariance": [[1.0]]},
        fit_offset=False,
    )
    held = set(NAMES) - {"observation_covariance"}
    model.fit(z, fixed=held)
    variance = (1 + 9 + 4 + 0 + 4 + 16) / 6
    assert_allclose(model.observation_covariance_, variance)
    value = -0.5 * 6 * (np.log(2 * np.pi * variance) + 1)
    assert model.n_parameters_ == 1
    assert_allclose(model.score(z), value / 3)
    assert_allclose(model.aic(z), 2 - 2 * value)
    assert_allclose(model.bic(z), np.log(6) - 2 * value)
    assert all(isinstance(ask(z), float) for ask in (model.score, model.aic, model.bic))
    given_only = clone(model)
    given_only = LinearGaussianSSM.from_parameters(**given_only.start)
    assert_allclose(given_only.aic(z), -2 * given_only.loglikelihood(z).sum())
