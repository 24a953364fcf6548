"""Readings of the tables on images: what a constant and the mean of the features do."""

import numpy as np
import pytest

from reproduction.studies.images import classification, feature_readings
from reproduction.studies.images.tasks import describe, take


@pytest.fixture(scope="module")
def data():
    """Four classes in the plane of their vectors, far from the origin."""
    rng = np.random.default_rng(0)
    vectors = np.array([[0.0, 0.0], [1.0, 0.0], [4.0, 3.0], [5.0, 3.0]]) + 6
    labels = np.repeat(np.arange(4), 30)
    features = np.hstack([vectors[labels], np.ones((120, 1))]) + 0.2 * rng.normal(size=(120, 3))
    return describe(features, labels, vectors, range(1, 4), largest=8, n_test=60)


FORMS = ("Sem-KRR", "Sem-IOKR", "OFER-GMM as printed", "OFER-GMM as printed, C > 1")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("per_class", [1, 5])
def test_without_an_intercept_it_is_the_method_of_the_table(form, per_class, data):
    task = take(data, per_class, 0)
    expected = classification.evaluate(form, data, task)
    assert classification.evaluate_printed(form, data, task, fit_intercept=False) == expected


@pytest.mark.parametrize("form", FORMS)
def test_with_an_intercept_the_mean_of_the_features_does_not_matter(form, data):
    task = take(data, 5, 1)
    moved = feature_readings._with_features(task, lambda X: X - task.X.mean(axis=0))
    found = [
        classification.evaluate_printed(form, data, one, fit_intercept=True)["accuracy"]
        for one in (task, moved)
    ]
    assert found[0] == found[1]


def test_a_reading_changes_the_features_and_nothing_else(data, monkeypatch):
    seen = {}

    def keep(form, data, task, *, fit_intercept):
        seen[fit_intercept, task.X.shape[1], round(abs(task.X.mean(axis=0)[0]), 6) == 0] = task.y
        return {"accuracy": 0.0}

    monkeypatch.setattr(classification, "evaluate_printed", keep)
    for method in feature_readings._methods(["Sem-KRR"]):
        feature_readings.evaluate(data, method, "3", 0)
    assert {*seen} == {(False, 4, False), (True, 3, False), (False, 3, True)}
    first, *others = seen.values()
    assert all((labels == first).all() for labels in others)
