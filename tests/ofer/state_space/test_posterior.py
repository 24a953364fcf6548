"""Paths drawn given whole series have the joint distribution of all states."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.exceptions import ConvergenceWarning

from ofer import LinearGaussianSSM
from tests.ofer.state_space.joint import (
    MODEL,
    PARAMETERS,
    SETS,
    D,
    P,
    Z,
    conditioned,
    every_set,
    with_parameters,
)


class Scripted(np.random.RandomState):
    """Draws that are affine in given noise (n, T, D + P), each number of which is standard."""

    def __init__(self, noise):
        super().__init__(0)
        states, series = np.split(noise, [D], axis=2)
        self.script = [*np.swapaxes(states, 0, 1), series]

    def standard_normal(self, size=None):
        noise = self.script.pop(0)
        assert noise.shape == size
        return noise


def affine_map(model, data):
    """For each series the path without noise (T, D), and the images (k, T, D) of units of noise."""
    T = max(len(z) for z in data)
    k = T * (D + P)
    noise = np.vstack([np.eye(k), np.zeros((1, k))]).reshape(k + 1, T, D + P)
    rng = Scripted(np.tile(noise, (len(data), 1, 1)))
    for paths in model.sample_posterior(data, k + 1, rng):
        yield paths[-1], paths[:-1] - paths[-1]
    assert rng.script == []


@every_set
def test_paths_are_those_of_the_joint_gaussian(data):
    """Exactly, through the linear map from the noise to the paths."""
    for z, (mean, images) in zip(data, affine_map(MODEL, data), strict=True):
        m, V = conditioned(PARAMETERS, z, len(z))
        assert_allclose(mean, m, rtol=0, atol=1e-10)
        assert_allclose(np.einsum("kti,ksj->tisj", images, images), V, rtol=0, atol=1e-10)


def test_a_level_of_the_series_does_not_matter():
    far = with_parameters(PARAMETERS._replace(b=PARAMETERS.b + 1e8))
    ours, expected = far.sample_posterior(Z + 1e8, 2, 0), MODEL.sample_posterior(Z, 2, 0)
    assert_allclose(ours, expected, atol=1e-6)


def test_states_without_noise_of_observations_are_known():
    exact = with_parameters(PARAMETERS._replace(C=np.eye(D), R=np.zeros((D, D)), b=np.zeros(D)))
    states, series = exact.sample(3, 5, 0)
    assert_allclose(exact.sample_posterior(series, 4)[:, 2], states, atol=1e-10)


def test_shapes_are_those_of_the_series():
    array = MODEL.sample_posterior(Z, 3, random_state=1)
    assert array.shape == (len(Z), 3, 6, D)
    listed = MODEL.sample_posterior(list(Z), 3, random_state=1)
    assert_array_equal(np.array(listed), array)
    ragged = MODEL.sample_posterior(SETS["ragged, missing"], 2)
    assert [one.shape for one in ragged] == [(2, len(z), D) for z in SETS["ragged, missing"]]
    assert MODEL.sample_posterior(Z).shape == (len(Z), 1, 6, D)


def test_seeds():
    once, again = (MODEL.sample_posterior(Z, 2) for _ in range(2))
    assert_array_equal(once, again)  # the model has an integer seed
    assert_array_equal(MODEL.sample_posterior(Z, 2, MODEL.random_state), once)
    assert np.abs(MODEL.sample_posterior(Z, 2, 5) - once).min() > 0
    assert_array_equal(MODEL.sample(2, 3, 5)[0], MODEL.sample(2, 3, np.random.RandomState(5))[0])
    assert np.abs(MODEL.sample(2, 3, 5)[0] - MODEL.sample(2, 3)[0]).min() > 0


@pytest.mark.parametrize(("n_samples", "error"), [(0, ValueError), (1.5, TypeError)])
def test_bad_number_of_samples(n_samples, error):
    with pytest.raises(error, match=f"n_samples must .*; got {n_samples}"):
        MODEL.sample_posterior(Z, n_samples)


@pytest.mark.parametrize("units", [[1e-8, 1.0, 1e7], [1e7, 1e-8, 1e-8], [1e-8, 1e-8, 1e-8]])
def test_draws_have_the_units_of_their_columns(units):
    R = PARAMETERS.R * np.outer(units, units)
    scaled = PARAMETERS._replace(C=PARAMETERS.C * np.c_[units], R=R, b=PARAMETERS.b * units)
    drawn, expected = with_parameters(scaled).sample(20, 6, 0)[1], MODEL.sample(20, 6, 0)[1]
    assert_allclose(drawn / units, expected, rtol=1e-10, atol=1e-10)


def test_draws_are_the_same_with_eigenvectors_of_other_signs_and_order(monkeypatch):
    """Which these are is up to the numerical library of a machine."""
    model = with_parameters(PARAMETERS._replace(Q=np.ones((D, D)), R=np.eye(P)))
    expected = [model.sample(3, 5, 0)[1], model.sample_posterior(Z, 2, 0)]
    eigh, calls = np.linalg.eigh, []

    def other(a):
        calls.append(a)
        values, vectors = eigh(a)
        equal = np.allclose(values, values[0])
        return values, -vectors[:, ::-1] if equal else -vectors

    monkeypatch.setattr(np.linalg, "eigh", other)
    found = [model.sample(3, 5, 0)[1], model.sample_posterior(Z, 2, 0)]
    assert calls
    for one, another in zip(found, expected, strict=True):
        assert_allclose(one, another, rtol=0, atol=1e-10)


def test_parameters_set_after_a_fit_wait_for_the_next_one():
    model = LinearGaussianSSM(D, max_iter=1, random_state=0)
    with pytest.warns(ConvergenceWarning):
        model.fit(Z)
    expected = model.sample_posterior(Z, 2)
    assert_array_equal(model.set_params(n_states=D + 2).sample_posterior(Z, 2), expected)
