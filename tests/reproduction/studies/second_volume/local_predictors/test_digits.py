"""Splits of the digits and their units."""

import numpy as np
import pytest

from reproduction.studies.second_volume.local_predictors.digits import (
    evaluate,
    load_unit_digits,
    split_digits,
)


@pytest.fixture(scope="module")
def data():
    return load_unit_digits()


def test_part_of_the_training_labels_are_given(data):
    X, y, given, X_test, y_test = split_digits(data, 0)
    known = given >= 0
    assert (len(X), len(X_test), len(y_test)) == (600, 300, 300)
    assert 0.25 < known.mean() < 0.35
    assert np.array_equal(given[known], y[known])
    assert np.allclose(np.linalg.norm(X, axis=1), 1.0)
    assert not {*map(bytes, X)} & {*map(bytes, X_test)}


def test_outputs_that_are_held_stay_as_random_as_they_begin(data):
    found = evaluate(data, "random, none", "10 neighbours", 0)
    assert found["unlabelled"] == pytest.approx(90.0, abs=5.0)
    good = evaluate(data, "neighbors, none", "10 neighbours", 0)
    assert good["unlabelled"] < 20.0
