"""Readings of Fisher kernel learning: vectors as they are, and models that are learned once."""

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier
from sklearn.utils import Bunch

from reproduction.datasets.generated.markov_sequences import make_markov_sequences
from reproduction.studies.second_volume.fisher_kernels import learned, readings, representations
from reproduction.studies.second_volume.fisher_kernels.node_scaler import NodeScaler


@pytest.fixture
def data(monkeypatch, tmp_path):
    monkeypatch.setattr(learned, "FOLDER", tmp_path)
    monkeypatch.setitem(readings.PARAMETERS, "learner_max_iter", 5)
    drawn = make_markov_sequences(60, min_steps=10, max_steps=15, random_state=0)
    splits = [(np.arange(40), np.arange(40, 60))]
    return Bunch(objects=drawn.sequences, y=drawn.y, splits=splits, model={}, name="toy")


def parts(data):
    train, test = data.splits[0]
    objects = [[data.objects[i] for i in part] for part in (train, test)]
    scaler = NodeScaler().fit(objects[0])
    return [scaler.transform(part) for part in objects], data.y[train], data.y[test]


def test_vectors_are_what_they_are(data):
    (train, test), y, y_test = parts(data)
    vectors = representations.represent("Fisher", 2, train, y, test, model={}, seed=0)
    nearest = KNeighborsClassifier(1).fit(vectors.train, y).predict(vectors.test)
    found = readings.evaluate(data, "Fisher, raw", "2", 0)
    assert found["1-NN"] == 100 * np.mean(nearest != y_test)
    assert set(found) == {"1-NN", "LMNN", "SVM", "softmax"}


def test_what_is_learned_is_kept(data, monkeypatch, tmp_path):
    first = readings.evaluate(data, "FKL as printed, kept", "2", 0)
    (path,) = tmp_path.iterdir()
    assert path.name.startswith("toy-2-0-")

    def learn(*args):
        raise AssertionError("nobody learns twice")

    monkeypatch.setattr(learned.FisherKernelLearner, "fit", learn)
    assert readings.evaluate(data, "FKL as printed, kept", "2", 0) == first
    data.objects[0] = data.objects[0] + 1e-3  # other data: another file
    with pytest.raises(AssertionError, match="learns twice"):
        readings.evaluate(data, "FKL as printed, kept", "2", 0)


def test_they_are_the_weighted_scores_of_the_table(data):
    (train, test), y, _ = parts(data)
    few = representations.PARAMETERS | {"learner_max_iter": 5}
    expected = representations.represent(
        "FKL as printed", 2, train, y, test, model={}, seed=0, parameters=few
    )
    found = readings._learned(data, 2, train, test, y, 0)
    np.testing.assert_allclose(found.test, expected.test, rtol=1e-6, atol=1e-9)


def test_of_a_part_nothing_is_kept(data, tmp_path):
    data.name = ""
    readings.evaluate(data, "FKL as printed, kept", "2", 0)
    assert [*tmp_path.iterdir()] == []
