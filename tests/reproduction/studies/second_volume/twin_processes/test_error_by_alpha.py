import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy.stats import ttest_1samp

from ofer.companions import TwinGaussianProcess
from reproduction.studies.second_volume.twin_processes.certainties import mean_and_half_width
from reproduction.studies.second_volume.twin_processes.error_by_alpha import (
    distance_to,
    errors_by_alpha,
)

RNG = np.random.default_rng(0)


def test_the_errors_at_an_alpha_are_those_of_its_model():
    X = np.sort(RNG.uniform(0, 3, size=(20, 1)), axis=0)
    Y, news = np.hstack([np.sin(X), np.cos(X)]), np.array([[0.5], [1.5]])
    true = np.hstack([np.sin(news), np.cos(news)])
    widths = {"bandwidth_x": 0.5, "bandwidth_y": 0.5}
    errors = errors_by_alpha(X, Y, {"news": (news, distance_to(true))}, **widths)["news"]
    model = TwinGaussianProcess(alpha=0.5, ridge_x=1e-3, ridge_y=1e-3, **widths).fit(X, Y)
    distances = np.linalg.norm(model.predict(news) - true, axis=1)
    assert_allclose(errors[0.5], distances.mean(), rtol=1e-6)


def test_the_interval_is_that_of_students_test():
    values = RNG.normal(size=9)
    frame = pd.DataFrame({"metric": "certainty", "setting": "toy", "value": values})
    mean, half = mean_and_half_width(frame, "certainty")
    assert mean["toy"] == pytest.approx(values.mean())
    assert half["toy"] == pytest.approx(
        ttest_1samp(values, 0).confidence_interval(0.95).high - values.mean()
    )
