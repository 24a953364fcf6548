"""Smoothed moments of hard state-space models against those computed with sixty digits."""

import json
import warnings
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.exceptions import ConvergenceWarning

from ofer import LinearGaussianSSM
from ofer.state_space._kalman import NAMES

STORED = json.loads(Path(__file__).with_name("smoother.json").read_text())
KNOWN = 1e-8  # of a prior deviation: below it a state is known, and roundoff is all that is left
TOLERANCE, ROUNDOFF = 1e-6, 1e-14
stored = pytest.mark.parametrize(
    "entry", STORED, ids=[f"{i} {entry['family']}" for i, entry in enumerate(STORED)]
)


def load(entry, **options):
    """Model, series and smoothed moments."""
    values = dict(zip(NAMES[:6], entry["parameters"], strict=True))
    series = np.array(entry["series"], dtype=float)
    moments = [np.array(one) for one in entry["smoothed"]]
    return LinearGaussianSSM.from_parameters(**values, **options), series, moments


@stored
def test_smoother_keeps_its_digits(entry):
    model, series, (means, covariances, lag_one) = load(entry)
    smoothed = model.smooth([series])
    variances, prior = (
        np.diagonal(one, axis1=1, axis2=2)
        for one in (covariances, model.filter([series]).predicted_covariances[0])
    )
    units = np.sqrt(np.maximum(variances, KNOWN**2 * prior.max(axis=0)))
    squares = units[:, :, None] * units[:, None, :]
    roundoff = ROUNDOFF * np.abs(means)
    assert (np.abs(smoothed.means[0] - means) < TOLERANCE * units + roundoff).all()
    assert (np.abs(smoothed.covariances[0] - covariances) < TOLERANCE * squares).all()
    products = units[1:, :, None] * units[:-1, None, :]
    assert (np.abs(smoothed.lag_one_covariances[0] - lag_one) < TOLERANCE * products).all()
    found = np.diagonal(smoothed.covariances[0], axis1=1, axis2=2)
    assert found.min() >= 0
    assert_array_equal(smoothed.covariances[0], smoothed.covariances[0].mT)


@stored
@pytest.mark.parametrize("units", [1e-9, 1e9])
def test_units_do_not_matter(entry, units):
    """Neither that of one state nor that of the observations."""
    model, series, _ = load(entry)
    A, Q, C, R, mu0, Sigma0 = (np.array(value) for value in entry["parameters"])
    scale = np.ones(len(A))
    scale[0] = units
    outer = np.outer(scale, scale)
    values = (
        A * scale[:, None] / scale, Q * outer, C / scale / units, R / units**2, mu0 * scale,
        Sigma0 * outer,
    )  # fmt: skip
    scaled = LinearGaussianSSM.from_parameters(**dict(zip(NAMES[:6], values, strict=True)))
    ours, expected = scaled.smooth([series / units]), model.smooth([series])
    prior = model.filter([series]).predicted_covariances[0].max(axis=0).diagonal()
    deviations = np.sqrt(
        np.maximum(np.diagonal(expected.covariances[0], axis1=1, axis2=2), KNOWN**2 * prior)
    )
    assert (np.abs(ours.means[0] / scale - expected.means[0]) < TOLERANCE * deviations).all()
    gap = np.abs(ours.covariances[0] / outer - expected.covariances[0])
    assert (gap < TOLERANCE * deviations[:, :, None] * deviations[:, None, :]).all()


@stored
def test_em_from_there_never_falls(entry):
    model, series, _ = load(entry, max_iter=5, tol=0, fit_offset=False)
    held = ("transition_matrix", "transition_covariance", "initial_covariance")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        history = model.fit([series], fixed=held).loglikelihoods_
    assert np.diff(history).min() > -1e-7 * np.abs(history).max()


@stored
def test_company_does_not_matter(entry):
    """A series beside others that end sooner, later and are seen at other places."""
    model, series, _ = load(entry)
    others = [series[:-3], np.vstack([series, series]), np.nan_to_num(series)]
    alone = model.smooth([series])
    together = model.smooth([*others, series])
    deviations = np.sqrt(np.diagonal(alone.covariances[0], axis1=1, axis2=2))
    prior = model.filter([series]).predicted_covariances[0].max(axis=0).diagonal()
    deviations = np.maximum(deviations, KNOWN * np.sqrt(prior))
    assert (np.abs(together.means[3] - alone.means[0]) < 1e-7 * deviations).all()
    gap = np.abs(together.covariances[3] - alone.covariances[0])
    assert (gap < 1e-7 * deviations[:, :, None] * deviations[:, None, :]).all()
