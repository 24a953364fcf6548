"""Readings of how components are chosen: the same forms as in the tables, and their rows."""

import numpy as np
import pytest
from sklearn.utils import Bunch

from reproduction.papers.ofer.images import accuracy_readings, classification, weak_as_printed
from reproduction.papers.ofer.images import choice_readings as module
from reproduction.papers.ofer.images.classification import MIXED
from reproduction.papers.ofer.images.tasks import describe, take

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


@pytest.mark.parametrize("per_class", [1, 3])
def test_two_components_or_more_are_rows_of_the_tables(data, per_class):
    task = take(data, per_class, 0)
    found = module.find(data, task)
    for form, evaluate in ((FEW, classification.evaluate), (MANY, weak_as_printed.evaluate)):
        expected = evaluate(f"{form}{MIXED}", data, task)
        del expected["rank"]
        assert found[f"{form}, by accuracy{MIXED}"] == expected


def test_accuracy_chooses_among_all_sizes_what_makes_fewest_errors(data, monkeypatch):
    """With one size left out after the other, the errors of none are fewer."""
    task = take(data, 3, 0)
    tried = []
    monkeypatch.setattr(module, "_predict", lambda *given: tried.append(given[-2]) or {})
    module.find(data, task)
    both = len(module.CHOICES[1:])
    for every, mixed in zip(tried[::both], tried[1::both], strict=True):
        assert every[:2] <= mixed[:2]
        assert mixed.place > 0
        assert every.place == 0 or every[:2] == mixed[:2]


def test_each_split_is_found_once(data, monkeypatch):
    calls = []

    def find(data, task):
        calls.append(task.seed)
        return {f"{FEW}, by accuracy": {"accuracy": 1.0}, f"{MANY}, by accuracy": {"accuracy": 2.0}}

    monkeypatch.setattr(module, "find", find)
    for split in (0, 1):
        module.evaluate(data, f"{FEW}, by accuracy", "1", split)
    assert module.evaluate(data, f"{MANY}, by accuracy", "1", 1) == {"accuracy": 2.0}
    assert calls == [0, 1]
    module.evaluate(Bunch(**data), f"{FEW}, by accuracy", "1", 1)
    assert calls == [0, 1, 1]


def test_readings_name_methods_that_there_are():
    plain = accuracy_readings.CALTECH101, accuracy_readings.AWA
    for experiment in (module.CALTECH101, module.AWA, *plain):
        for readings in experiment.facts.readings:
            for choice in readings.choices[1:]:
                labels = readings.methods(choice, experiment.methods)
                assert {*labels} == {*readings.labels}


def by_accuracy(form, data, monkeypatch, sizes, alphas=(0.01, 0.1, 1.0, 10.0)):
    """A form without weak labels, with some candidates, in both modules."""
    monkeypatch.setitem(classification.PARAMETERS, "n_components", sizes)
    monkeypatch.setitem(classification.PARAMETERS, "alphas", [*alphas])
    return accuracy_readings.evaluate(data, f"{form}, by accuracy", "3", 0)


def test_accuracy_chooses_as_it_does_in_the_tables(data, monkeypatch):
    found = by_accuracy(FEW, data, monkeypatch, [2, 3])
    expected = classification.evaluate(f"{FEW}{MIXED}", data, take(data, 3, 0))
    assert found == {name: expected[name] for name in ("accuracy", "n_components")}


@pytest.mark.parametrize("form", ["Sem-KRR", "Sem-IOKR"])
def test_without_a_choice_rows_are_those_of_the_tables(data, monkeypatch, form):
    found = by_accuracy(form, data, monkeypatch, [1], alphas=[0.1])
    expected = classification.evaluate(form, data, take(data, 3, 0))
    assert found["accuracy"] == expected["accuracy"]
