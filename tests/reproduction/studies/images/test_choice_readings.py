"""Readings of how components are chosen: the same forms as in the tables, and their rows."""

import numpy as np
import pytest

from reproduction.studies.images import choice_readings, classification, weak_as_printed
from reproduction.studies.images.classification import MIXED
from reproduction.studies.images.tasks import describe, take

FEW, MANY = "OFER-GMM as printed", "wOFER+2500 as printed"


@pytest.fixture
def data(monkeypatch):
    """Twelve classes in three groups; inputs are noisy linear images of the class vectors."""
    monkeypatch.setitem(classification.PARAMETERS, "n_components", [1, 2, 3])
    rng = np.random.default_rng(0)
    vectors = np.repeat(rng.normal(size=(3, 6)), 4, axis=0) + 0.3 * rng.normal(size=(12, 6))
    labels = rng.permutation(np.repeat(np.arange(12), 30))
    features = vectors[labels] @ rng.normal(size=(6, 20)) + rng.normal(size=(360, 20))
    return describe(features + 3.0, labels, vectors, [1, 2, 3], largest=4, n_test=100)


def without_rank(found):
    return {name: value for name, value in found.items() if name != "rank"}


@pytest.mark.parametrize("per_class", [1, 3])
@pytest.mark.parametrize(
    ("form", "evaluate"), [(FEW, classification.evaluate), (MANY, weak_as_printed.evaluate)]
)
def test_two_components_or_more_are_rows_of_the_tables(data, per_class, form, evaluate):
    expected = evaluate(f"{form}{MIXED}", data, take(data, per_class, 0))
    method = f"{form}, by accuracy{MIXED}"
    found = choice_readings.evaluate(data, method, str(per_class), 0)
    assert found == without_rank(expected)


@pytest.mark.parametrize("form", [FEW, MANY])
def test_accuracy_chooses_among_all_sizes(data, monkeypatch, form):
    """Without the size of one component, what is left are two or more."""
    every = choice_readings.evaluate(data, f"{form}, by accuracy", "3", 0)
    mixed = choice_readings.evaluate(data, f"{form}, by accuracy{MIXED}", "3", 0)
    assert mixed["n_components"] > 1
    assert every["n_components"] == 1 or every == mixed
    monkeypatch.setitem(classification.PARAMETERS, "n_components", [2, 3])
    assert choice_readings.evaluate(data, f"{form}, by accuracy", "3", 0) == mixed


@pytest.mark.parametrize("form", ["Sem-KRR", "Sem-IOKR"])
def test_without_a_choice_rows_are_those_of_the_tables(data, monkeypatch, form):
    monkeypatch.setitem(classification.PARAMETERS, "alphas", [0.1])
    found = choice_readings.evaluate(data, f"{form}, by accuracy", "3", 0)
    assert found == without_rank(classification.evaluate(form, data, take(data, 3, 0)))
