"""The statements of OFER: that the routes to a number are two, and that a false one is found."""

import numpy as np
import pytest

from ofer import GaussianMixtureEmbedding
from reproduction.studies.embedding.tables.ofer_theory import EXPERIMENT
from reproduction.studies.embedding.theory import Mixture, closed_form, embed, evaluate


@pytest.fixture(scope="module")
def fitted():
    Y = np.random.default_rng(0).normal(size=(60, 2))
    Y[30:] += 4.0
    return Y, GaussianMixtureEmbedding(
        2, covariance_type="full", scaling="score", decoder="raw"
    ).fit(Y)


def test_embedding_and_closed_form_are_those_of_the_package(fitted):
    Y, model = fitted
    mixture = Mixture(model.weights_, model.means_, model.covariances_)
    H = embed(mixture, Y)
    assert np.allclose(H, model.transform(Y))
    H = H + np.random.default_rng(1).normal(size=H.shape)
    assert np.allclose(closed_form(mixture, H), model.inverse_transform(H))


def test_a_search_beats_the_closed_form_of_predictions_alone():
    beaten = {s: evaluate(None, "closed form", s, 0)["beaten"] for s in
              ("one Gaussian", "mixture, exact", "mixture, spherical")}  # fmt: skip
    assert beaten["one Gaussian"] == beaten["mixture, exact"] == 0
    assert beaten["mixture, spherical"] > 0.9


@pytest.mark.parametrize("method", ["error (8)", "covariance block"])
def test_two_routes_meet(method):
    assert evaluate(None, method, "one Gaussian", 3)["deviation"] < 1e-6


def test_series_are_solved_at_once_and_step_by_step():
    assert evaluate(None, "closed form", "series", 0)["deviation"] < 1e-10
    assert evaluate(None, "ridges apart", "mixture, learnt", 0)["deviation"] < 1e-8


def test_every_statement_has_a_case():
    assert {unit.method for unit in EXPERIMENT.units()} == {*EXPERIMENT.methods}
