"""A diagonal covariance of observations, and intervals of forecasts."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import norm
from sklearn.exceptions import ConvergenceWarning

from ofer import LinearGaussianSSM
from ofer.state_space._kalman import NAMES
from tests.ofer.state_space.joint import (
    MODEL,
    PARAMETERS,
    SETS,
    STATES,
    D,
    P,
    Z,
    every_set,
    with_parameters,
)


def fit(data, *states, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        options = {"observation_noise": "diagonal", "max_iter": 25, "tol": 0} | options
        return LinearGaussianSSM(D, **options).fit(data, *states)


@every_set
def test_em_is_monotone_and_the_noise_diagonal(data):
    model, full = fit(data), fit(data, observation_noise="full")
    assert np.diff(model.loglikelihoods_).min() > -1e-9
    assert model.loglikelihoods_[-1] > model.loglikelihoods_[0] + 0.1
    R = model.observation_covariance_
    assert_array_equal(R, np.diag(np.diagonal(R)))
    assert (np.diagonal(R) > 0).all()
    assert full.n_parameters_ - model.n_parameters_ == P * (P - 1) // 2
    assert_allclose(model.loglikelihoods_[-1], model.loglikelihood(data).sum(), rtol=1e-10)


def test_one_column_is_as_ever():
    single = Z[:, :, :1]
    ours, expected = fit(single), fit(single, observation_noise="full")
    assert_array_equal(ours.loglikelihoods_, expected.loglikelihoods_)


def test_given_states_give_residual_variances():
    model, full = fit(Z, STATES), fit(Z, STATES, observation_noise="full")
    expected = np.diag(np.diagonal(full.observation_covariance_))
    assert_allclose(model.observation_covariance_, expected, rtol=1e-12)
    assert_allclose(model.observation_matrix_, full.observation_matrix_, rtol=1e-12)


def test_a_start_that_is_held_stays():
    options = {"observation_noise": "diagonal", "max_iter": 3}
    model = with_parameters(PARAMETERS, **options)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        held = model.fit(Z, fixed=("observation_covariance",))
    assert_array_equal(held.observation_covariance_, PARAMETERS.R)


def test_a_known_diagonal_is_found():
    R = np.diag([1.0, 2.0, 4.0])
    known = with_parameters(PARAMETERS._replace(R=R, a=np.zeros(D)))
    series = known.sample(200, 50, 0)[1]
    start = with_parameters(
        PARAMETERS._replace(a=np.zeros(D)), observation_noise="diagonal", max_iter=60
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = start.fit(series, fixed=set(NAMES) - {"observation_covariance"})
    assert_allclose(np.diagonal(model.observation_covariance_), np.diagonal(R), rtol=0.15)


def test_unknown_noises_are_refused():
    with pytest.raises(ValueError, match="observation_noise"):
        LinearGaussianSSM(1, observation_noise="scalar").fit(Z)


@pytest.mark.parametrize("level", [0.5, 0.9, 0.99])
def test_intervals_are_quantiles(level):
    future = MODEL.forecast(SETS["ragged, missing"], 3)
    lower, upper = future.intervals(level)
    deviations = np.sqrt(np.diagonal(future.covariances, axis1=2, axis2=3))
    assert_allclose(norm.cdf(upper, future.means, deviations), 0.5 + level / 2)
    assert_allclose(norm.cdf(lower, future.means, deviations), 0.5 - level / 2)


def test_intervals_cover():
    series = MODEL.sample(4000, 12, 0)[1]
    lower, upper = MODEL.forecast(series[:, :8], 4).intervals(0.8)
    inside = (lower < series[:, 8:]) & (series[:, 8:] < upper)
    assert_allclose(inside.mean(axis=0), 0.8, atol=0.03)


@pytest.mark.parametrize("level", [0.0, 1.0, 1.5, np.nan])
def test_bad_levels(level):
    with pytest.raises(ValueError, match="level must be"):
        MODEL.forecast(Z, 1).intervals(level)
