"""Outputs below a detection limit."""

import numpy as np
import pytest
from sklearn.utils import Bunch

from reproduction.studies.second_volume.bounds import detection
from reproduction.studies.second_volume.bounds.detection import (
    BOUNDED,
    CLIPPED,
    DETECTED,
    HALF,
    KNOWN,
    LIMIT,
    evaluate,
)

RNG = np.random.default_rng(0)
X = RNG.normal(size=(120, 3))
Y = 8 + X[:, :2] + 0.1 * RNG.normal(size=(120, 2))
DATA = {"toy": Bunch(X=X, Y=Y)}


def test_only_positive_outputs_of_many_values_count(monkeypatch):
    columns = {"few": np.ones(120), "negative": X[:, 0], "one": Y[:, 0], "other": Y[:, 1]}
    sets = {
        "both": Bunch(X=X, Y=np.column_stack([*columns.values()])),
        "none": Bunch(X=X, Y=X),
    }
    monkeypatch.setattr(detection, "load", lambda: sets)
    found = detection.load_positive()
    assert list(found) == ["concentrations", "both"]
    np.testing.assert_array_equal(found["both"].Y, Y)


@pytest.mark.parametrize("method", [DETECTED, LIMIT, HALF, CLIPPED, BOUNDED])
def test_nobody_sees_what_is_below_the_limit(method, monkeypatch):
    task = detection._draw(DATA["toy"], 0)
    y = task.Y[:, 0]
    limit = np.quantile(y, 0.4)
    hidden = np.where(y <= limit, 1e-3, y)
    told, same = (
        detection._fit(task.X, one, limit, method).predict(task.X_test) for one in (y, hidden)
    )
    np.testing.assert_array_equal(told, same)
    known = detection._fit(task.X, hidden, limit, KNOWN).predict(task.X_test)
    assert not np.allclose(known, detection._fit(task.X, y, limit, KNOWN).predict(task.X_test))


def test_bounds_help_where_outputs_follow_inputs():
    methods = (DETECTED, BOUNDED, KNOWN)
    detected, bounded, known = (
        np.mean([evaluate(DATA, method, "toy, 40 %", split)["arrmse"] for split in range(4)])
        for method in methods
    )
    assert known < bounded < detected
