import numpy as np
import pytest
from numpy.testing import assert_allclose

from ofer.metrics import arrmse
from reproduction.studies.synthetic import d1, d2, definitions
from reproduction.studies.synthetic.definitions import DEFINITIONS, errors
from reproduction.studies.time_series import simulated_series

Y, NOISE = np.random.default_rng(0).normal(2.0, size=(2, 50, 3))
TRAINING = Y[:20] + 0.5
IN_UNITS = {"lengths", "root mean square"}


@pytest.fixture(scope="module")
def data():
    return definitions.load()


def test_each_definition_has_a_number():
    assert [*errors(Y, NOISE, TRAINING), "of training"] == list(DEFINITIONS)


@pytest.mark.parametrize(
    ("predicted", "level"),
    [
        (0.0, ["relative", "relative, squared", "absolute", "each output", "each sample"]),
        (Y.mean(axis=0), ["centred", "centred, squared", "each output, centred"]),
        (TRAINING.mean(axis=0), ["centred in training"]),
    ],
)
def test_constants_have_the_level_one(predicted, level):
    found = errors(Y, np.broadcast_to(predicted, Y.shape), TRAINING)
    assert_allclose([found[name] for name in level], 1.0)


def test_units_matter_to_three_definitions_alone():
    one, other = (errors(Y * c, (Y + NOISE) * c, TRAINING * c) for c in (1.0, 3.0))
    for name, value in one.items():
        factor = 9.0 if name == "mean square" else 3.0 if name in IN_UNITS else 1.0
        assert_allclose(other[name], factor * value)


def test_of_each_output_about_its_mean_is_arrmse():
    found = errors(Y, Y + NOISE, TRAINING)["each output, centred"]
    assert_allclose(found, arrmse(Y, Y + NOISE))


@pytest.mark.parametrize(
    ("method", "setting", "expected"),
    [
        ("full", "Table 1, 10", lambda data: d1.evaluate(data["D1"], "full", "10", 1)),
        (
            "reduced",
            "Table 3, 2-GMM 10",
            lambda data: d1.evaluate(data["D1"], "reduced", "2-GMM 10", 1),
        ),
        ("m-KRR", "Table 4, 12", lambda data: d2.evaluate(data["D2"], "m-KRR", "12", 1)),
        (
            "m-KRR",
            "Table 5, 100",
            lambda data: simulated_series.evaluate(data["series"], "m-KRR", "100", 1),
        ),
    ],
)
def test_the_first_is_that_of_our_tables(data, method, setting, expected, monkeypatch):
    monkeypatch.setitem(d1.PARAMETERS, "n_calls", 1)
    found = definitions.evaluate(data, method, setting, 1)["relative"]
    expected = expected(data)
    assert_allclose(found, expected.get("rrmse", expected.get("rrmse observed")), rtol=1e-7)


def test_errors_of_training_are_those_of_training_samples(data):
    n = 12
    found = definitions.evaluate(data, "m-KRR", f"Table 4, {n}", 0)["of training"]
    parts = definitions.random_split(len(data["D2"].Y), 0, **d2.SPLITS)
    X, Y = (values[parts.train(n)] for values in (data["D2"].X, data["D2"].Y))
    predicted = d2.select("m-KRR", X, Y, seed=0).predict(X)
    assert_allclose(found, np.linalg.norm(predicted - Y) / np.linalg.norm(Y))
