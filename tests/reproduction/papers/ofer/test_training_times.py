import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.kernel_ridge import KernelRidge

from reproduction.papers.ofer.timed_models import MODELS, Problem
from reproduction.statistics.timing import shortest_time


def test_kernel_matrices_are_of_the_model_and_the_inputs():
    rng = np.random.default_rng(0)
    X, X_test = rng.normal(size=(40, 5)), rng.normal(size=(12, 5))
    Y = X[:, :4] + 0.1 * rng.normal(size=(40, 4))
    problem = Problem(X, X_test, X, X_test, Y, 0, n_components=2)
    model = MODELS["m-KRR"](problem)
    model.fit(problem.X, problem.y)
    expected = KernelRidge(1.0).fit(problem.X, problem.y).predict(problem.X_test)
    assert_allclose(model.predict(problem.X_test), expected, atol=1e-10)


def test_the_shortest_time_counts(monkeypatch):
    clock = iter([0.0, 0.05, 1.0, 1.03, 2.0, 2.04])
    monkeypatch.setattr("time.thread_time", lambda: next(clock))
    assert shortest_time(lambda: "value") == ("value", pytest.approx(0.03))


def test_a_slow_call_is_not_repeated(monkeypatch):
    clock = iter([0.0, 5.0])
    monkeypatch.setattr("time.thread_time", lambda: next(clock))
    assert shortest_time(lambda: None)[1] == 5.0
