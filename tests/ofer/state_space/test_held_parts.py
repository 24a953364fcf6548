"""Parts of matrices that a fit holds by masks."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.exceptions import ConvergenceWarning

from ofer import LinearGaussianSSM
from ofer.state_space._kalman import NAMES, Parameters
from tests.ofer.state_space.joint import (
    PARAMETERS,
    SETS,
    STATES,
    D,
    P,
    Z,
    joint_gaussian,
    with_parameters,
)

FIELDS = dict(zip(NAMES, Parameters._fields, strict=True))
OFF_DIAGONAL = ~np.eye(D, dtype=bool)
DIAGONAL = PARAMETERS._replace(
    Q=np.diag(np.diagonal(PARAMETERS.Q)),
    Sigma0=np.diag(np.diagonal(PARAMETERS.Sigma0)),
    R=np.array([[1.0, 0.4, 0.0], [0.4, 2.0, 0.0], [0.0, 0.0, 0.5]]),
)
BLOCKS = np.array([[False, False, True], [False, False, True], [True, True, False]])
FIRST_HELD = np.array([[True, True, True], [True, False, False], [True, False, False]])
MASKS = [
    {"transition_matrix": [[True, True], [True, False]]},
    {"transition_matrix": [[False, True], [True, False]], "transition_covariance": OFF_DIAGONAL},
    {"transition_matrix": [[True, False], [False, False]], "transition_covariance": True},
    {"observation_matrix": [[True, True], [False, False], [True, False]]},
    {"observation_matrix": [[True, False], [False, True], [False, False]],
     "observation_covariance": BLOCKS},
    {"observation_offset": [True, False, False], "initial_mean": [False, True]},
    {"transition_offset": [True, False], "transition_matrix": [[True, True], [False, False]]},
    {"initial_mean": [True, False], "initial_covariance": OFF_DIAGONAL},
    {"initial_covariance": [[True, True], [True, False]]},
    {"transition_covariance": [[False, True], [True, True]], "initial_mean": True},
    {"observation_offset": [False, True, False], "observation_matrix": True},
    {"transition_matrix": [[False, False], [True, False]], "observation_matrix": [
        [True, False], [True, False], [True, False]], "observation_offset": [False, True, True],
     "transition_covariance": OFF_DIAGONAL, "initial_covariance": OFF_DIAGONAL},
]  # fmt: skip


def fit(model, data, *args, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(data, *args, **options)


def is_held(fixed, name):
    value = getattr(DIAGONAL, FIELDS[name])
    return np.broadcast_to(fixed.get(name, False), np.shape(value))


@pytest.mark.parametrize("kind", SETS)
@pytest.mark.parametrize("fixed", MASKS)
def test_held_entries_stay_and_the_likelihood_rises(fixed, kind):
    model = fit(with_parameters(DIAGONAL, max_iter=25, tol=0), SETS[kind], fixed=fixed)
    history = model.loglikelihoods_
    assert np.diff(history).min() > -1e-9 * abs(history[0])
    assert history[-1] > history[0] + 0.01
    for name in NAMES:
        value, start = getattr(model, f"{name}_"), getattr(DIAGONAL, FIELDS[name])
        held = is_held(fixed, name)
        assert_array_equal(value[held], start[held], err_msg=name)
        assert (value[~held] != start[~held]).all(), name
        if name.endswith("covariance"):
            assert_array_equal(value, value.T)
            assert np.linalg.eigvalsh(value)[0] > 0


@pytest.mark.parametrize("fixed", MASKS)
def test_no_slope_is_left_in_what_is_free(fixed):
    """By central differences of the likelihood, at the end of a long fit."""
    data = with_parameters(DIAGONAL, random_state=1).sample(160, 12)[1]
    data[::5, 3, 1] = np.nan
    model = fit(with_parameters(DIAGONAL, max_iter=1500, tol=1e-11), data, fixed=fixed)
    parameters = model._parameters()
    for name in NAMES:
        field = FIELDS[name]
        value = getattr(parameters, field)
        for at in np.argwhere(~is_held(fixed, name)):
            step = np.zeros(value.shape)
            step[tuple(at)] = 1e-4
            if name.endswith("covariance"):
                step[tuple(at[::-1])] = 1e-4
            up, down = (
                with_parameters(parameters._replace(**{field: value + s * step}))
                .loglikelihood(data)
                .sum()
                for s in (1, -1)
            )
            curvature = max(2 * model.loglikelihoods_[-1] - up - down, 1e-6)
            assert abs(up - down) / 2 < 0.05 * np.sqrt(curvature), (name, at)


@pytest.mark.parametrize("names", [("transition_matrix",), ("initial_mean", "observation_offset")])
def test_a_whole_mask_is_a_name(names):
    data = SETS["ragged, missing"]
    by_name = fit(with_parameters(PARAMETERS, max_iter=5), data, fixed=names)
    full = {name: np.ones(np.shape(getattr(PARAMETERS, FIELDS[name])), bool) for name in names}
    for masks in (dict.fromkeys(names, True), full | {"observation_matrix": False}):
        by_mask = fit(with_parameters(PARAMETERS, max_iter=5), data, fixed=masks)
        assert_array_equal(by_mask.loglikelihoods_, by_name.loglikelihoods_)
        assert by_mask.n_parameters_ == by_name.n_parameters_


def test_batches_hold_what_a_fit_holds():
    fixed = MASKS[-1]
    whole = fit(with_parameters(DIAGONAL, max_iter=6), [*Z, *Z], fixed=fixed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = with_parameters(DIAGONAL, max_iter=6).fit_in_batches([Z, Z], fixed=fixed)
    for name in NAMES:
        assert_allclose(getattr(model, f"{name}_"), getattr(whole, f"{name}_"), rtol=1e-8)


def test_diagonal_noise_with_a_known_sensor():
    model = with_parameters(DIAGONAL, observation_noise="diagonal", max_iter=10, tol=0)
    fit(model, Z, fixed={"observation_covariance": np.diag([True, False, False])})
    R = model.observation_covariance_
    assert R[0, 0] == 1.0
    assert (np.diagonal(R)[1:] != np.diagonal(DIAGONAL.R)[1:]).all()
    assert_array_equal(R, np.diag(np.diagonal(R)))
    known = fit(
        with_parameters(DIAGONAL, observation_noise="diagonal", max_iter=10),
        Z,
        fixed={"observation_covariance": np.eye(P, dtype=bool)},
    )
    assert_array_equal(known.observation_covariance_, np.diag(np.diagonal(DIAGONAL.R)))


def test_a_damped_trend_without_noise_of_its_level():
    """The level has no noise of its own, and the slope shrinks by a rate that is fitted."""
    true = Parameters(
        A=np.array([[1.0, 1.0], [0.0, 0.8]]), Q=np.diag([0.0, 0.3]), C=np.array([[1.0, 0.0]]),
        R=np.eye(1), mu0=np.zeros(2), Sigma0=np.eye(2), a=np.zeros(2), b=np.zeros(1),
    )  # fmt: skip
    data = with_parameters(true, random_state=0).sample(60, 40)[1]
    start = true._replace(A=np.array([[1.0, 1.0], [0.0, 0.3]]), Q=np.diag([0.0, 1.0]))
    fixed = {
        "transition_matrix": [[True, True], [True, False]],
        "transition_covariance": [[True, True], [True, False]],
        "observation_matrix": True,
    }
    model = fit(with_parameters(start, fit_offset=False, max_iter=200), data, fixed=fixed)
    assert abs(model.transition_matrix_[1, 1] - 0.8) < 0.05
    assert abs(model.transition_covariance_[1, 1] - 0.3) < 0.05
    assert_array_equal(model.transition_covariance_[0], 0.0)
    # phi, q, r, and the moments of the first state
    assert model.n_parameters_ == 3 + 2 + 3
    # the noises of level and slope, if they depend on each other, are two numbers to a series
    start = with_parameters(true._replace(Q=np.eye(2)), fit_offset=False, max_iter=2)
    whole = fit(start, data, fixed=("transition_matrix", "observation_matrix"))
    assert whole.n_parameters_ == 2 + 1 + 2 + 3


def distribution(parameters, T):
    mean, S = joint_gaussian(parameters, T)
    return np.append(mean[T * D :], S[T * D :, T * D :])


@pytest.mark.parametrize("fixed", MASKS)
def test_free_parameters_are_the_dimension_of_the_distributions(fixed):
    model = fit(with_parameters(DIAGONAL, max_iter=3), Z, fixed=fixed)
    parameters, slopes = model._parameters(), []
    for name in NAMES:
        field = FIELDS[name]
        value = getattr(parameters, field)
        for at in np.argwhere(~is_held(fixed, name)):
            step = np.zeros(value.shape)
            step[tuple(at)] = 1e-4
            if name.endswith("covariance"):
                step[tuple(at[::-1])] = 1e-4
            up, down = (
                distribution(parameters._replace(**{field: value + s * step}), 6) for s in (1, -1)
            )
            slopes.append((up - down) / np.linalg.norm(up - down))
    assert model.n_parameters_ == np.linalg.matrix_rank(np.array(slopes), tol=1e-6)


SINGULAR = DIAGONAL._replace(Q=np.ones((D, D)))
BAD = [
    (DIAGONAL, {"transition_matrix": [[True, False]]}, r"of the shapes .*got \(1, 2\) for trans"),
    (DIAGONAL, {"transition_matrix": np.eye(2)}, "masks of True and False; got float64 for"),
    (DIAGONAL, {"A": True}, "fixed must be a tuple of names .*or a mapping"),
    (PARAMETERS, {"transition_covariance": OFF_DIAGONAL}, "whole blocks of transition_covariance"),
    (DIAGONAL, {"transition_covariance": [[False, True], [False, False]]}, "whole blocks of"),
    (DIAGONAL, {"transition_covariance": [[True, False], [False, True]]}, "whole blocks of"),
    (DIAGONAL, {"observation_covariance": FIRST_HELD}, "whole blocks of observation_covariance"),
    (SINGULAR, {"transition_covariance": True, "transition_matrix": OFF_DIAGONAL},
     "not hold a part of transition_matrix beside a transition_covariance that is singular"),
]  # fmt: skip


@pytest.mark.parametrize(("parameters", "fixed", "message"), BAD)
def test_bad_masks_are_named(parameters, fixed, message):
    with pytest.raises(ValueError, match=message):
        with_parameters(parameters).fit(Z, fixed=fixed)


def test_parts_need_a_start_and_hidden_states():
    fixed = {"transition_matrix": OFF_DIAGONAL}
    message = "fixed must hold whole parameters unless start has them and states are hidden"
    with pytest.raises(ValueError, match=message):
        LinearGaussianSSM(D).fit(Z, fixed=fixed)
    with pytest.raises(ValueError, match=message):
        with_parameters(DIAGONAL).fit(Z, STATES, fixed=fixed)
