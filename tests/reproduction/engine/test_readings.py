"""Readings of a table: what is declared before anything is computed."""

import pytest

from reproduction.engine import Dimension, Experiment, Facts, Readings, get_experiment
from reproduction.engine.catalogue import list_experiments

KERNEL = Dimension(name="kernel", words="“a kernel”", options=("linear", "Gaussian"), why="simple")
BIAS = Dimension(name="bias", words="no word", options=("none", "one"), why="as printed")
CHOICES = (("linear", "none"), ("linear", "one"), ("Gaussian", "none"))
READINGS = Readings(
    of="toy-table-01",
    dimensions=(KERNEL, BIAS),
    choices=CHOICES,
    labels={"KRR": "m-KRR, {kernel}, {bias}"},
)


def evaluate(data, method, setting, split):
    return {"error": 1.0}


def declare(id="toy-readings", methods=None, readings=(READINGS,)):
    methods = methods or tuple(", ".join(("m-KRR", *choice)) for choice in CHOICES)
    return Experiment(
        id=id, title="A toy", load=dict, evaluate=evaluate, methods=methods, settings=("1",),
        n_splits=1, parameters={}, facts=Facts(readings=readings),
    )  # fmt: skip


def test_labels_carry_the_reading():
    known = ["m-KRR, linear, one"]
    assert READINGS.methods(("linear", "one"), known) == {"KRR": known[0]}
    assert READINGS.methods(("linear", "none"), known) == {}  # the rows of the table stay
    assert declare().facts.readings[0] is READINGS


@pytest.mark.parametrize(
    ("change", "error", "match"),
    [
        ({"id": "toy-other"}, ValueError, r'id .* must have the word "readings"; got'),
        (
            {"methods": ("m-KRR, linear, none",)},
            ValueError,
            "methods must have 'm-KRR, linear, one'",
        ),
        ({"readings": READINGS}, TypeError, "readings must be a tuple"),
    ],
)
def test_an_experiment_has_every_reading(change, error, match):
    with pytest.raises(error, match=match):
        declare(**change)


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"choices": CHOICES[1:]}, "choices must begin with the default"),
        ({"missing": ("a",)}, "missing must name other methods than labels; got 'a'"),
        ({"choices": (*CHOICES, CHOICES[0])}, "choices must not repeat"),
        ({"choices": (CHOICES[0], ("linear",))}, "choices must have an option of each"),
        ({"choices": (CHOICES[0], ("linear", "two"))}, "choices must have an option of each"),
        ({"labels": {}}, "must have dimensions and labels"),
    ],
)
def test_faults_of_readings(change, match):
    given = {"of": "toy", "dimensions": (KERNEL, BIAS), "choices": CHOICES, "labels": {"a": "b"}}
    with pytest.raises(ValueError, match=match):
        Readings(**given | change)


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"words": ""}, "words must be a string that is not empty"),
        ({"options": ("a", "a")}, "options must be a tuple of two or more"),
        ({"options": ("a",)}, "options must be a tuple of two or more"),
    ],
)
def test_faults_of_a_dimension(change, match):
    given = {"name": "kernel", "words": "none", "options": ("a", "b"), "why": "simple"}
    with pytest.raises(ValueError, match=match):
        Dimension(**given | change)


@pytest.mark.parametrize("id", [id for id in list_experiments() if "readings" in id.split("-")])
def test_readings_of_the_book_fit_the_table_that_they_read(id):
    """The same settings, methods and samples, or some of them."""
    experiment = get_experiment(id)
    assert experiment.facts.readings
    for readings in experiment.facts.readings:
        read = get_experiment(readings.of)
        assert {*readings.labels} <= {*read.methods}
        assert {*experiment.settings} & {*read.settings}
        assert {*experiment.datasets} <= {*read.datasets}
