"""Estimators at their defaults, and rules for widths."""

import numpy as np
import pytest
from scipy.spatial.distance import pdist
from sklearn.linear_model import RidgeCV
from sklearn.metrics import r2_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import Bunch

from ofer.kernels import median_gamma
from reproduction.studies.defaults import every_estimator, widths
from reproduction.studies.defaults.real_sets import squared_errors, take_part

RNG = np.random.default_rng(0)
LABELS = np.arange(60) % 3
X = 1e3 * np.eye(3)[LABELS, :2] + RNG.normal(size=(60, 2)) * [100.0, 1.0]
TOY = {"toy": Bunch(X=X, Y=np.eye(3)[LABELS], labels=LABELS)}


def test_parts_are_in_units_of_the_training_part():
    with_holes = np.column_stack([X, np.full(60, 7.0)])
    with_holes[::5, 0] = np.nan
    data = Bunch(X=with_holes, Y=X)
    raw = take_part(data, "raw", 1, n_train=30, n_test=10)
    assert raw.X.shape == (30, 2)  # without the constant
    assert raw.Y_test.shape == (10, 2)
    assert np.isfinite(raw.X_test).all()
    scaled = take_part(data, "standardised", 1, n_train=30, n_test=10)
    np.testing.assert_allclose(scaled.X.std(axis=0), 1.0)
    moved = (raw.X_test - raw.X.mean(axis=0)) / raw.X.std(axis=0)
    np.testing.assert_allclose(scaled.X_test, moved)
    np.testing.assert_array_equal(scaled.Y, raw.Y)


def test_errors_are_relative_to_the_training_mean():
    part = Bunch(Y=np.array([[0.0, 5.0], [2.0, 5.0]]), Y_test=np.array([[3.0, 5.0], [-1.0, 5.0]]))
    predicted = np.array([[2.0, 5.0], [-1.0, 4.0]])
    (error,) = squared_errors(part, predicted)  # the second target has no error to be relative to
    assert error == 1 / 8
    assert 1 - error == r2_score(part.Y_test[:, 0], predicted[:, 0])


def test_methods_see_the_same_split():
    part = take_part(TOY["toy"], "raw", 2, n_train=every_estimator.PARAMETERS["n_train"])
    rival = make_pipeline(StandardScaler(), RidgeCV(every_estimator.PARAMETERS["ridges"]))
    predicted = rival.fit(part.X, part.Y).predict(part.X_test)
    found = {
        form: every_estimator.evaluate(TOY, "RidgeCV", f"toy, {form}", 2)
        for form in ("raw", "standardised")
    }
    expected = 1 - squared_errors(part, predicted).mean()
    for one in found.values():
        assert one == {"r2": pytest.approx(expected), "warned": 0.0}


def test_rules_of_widths():
    rules = widths.width_rules(X)
    assert rules["1 / features"] == [0.5]
    assert rules["median distance"] == [median_gamma(X)]
    mean = 2 * np.square(pdist(X)).sum() / len(X) ** 2  # those of a row and itself counted
    assert rules["mean distance"] == [pytest.approx(1 / mean)]
    assert [4 * rules["mean distance, searched"][0]] == rules["mean distance"]
    moved = widths.width_rules(X + np.array([0.0, 1e6]))  # which changes no distance
    np.testing.assert_allclose(moved["mean distance"], 1 / mean)
    assert moved["variance of all entries"][0] < 0.01 / mean
