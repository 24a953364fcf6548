import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from sklearn.kernel_ridge import KernelRidge

from ofer.metrics import rrmse
from reproduction.papers.ofer.synthetic import d1
from reproduction.papers.ofer.synthetic.forensics import EXPERIMENT, LEARNERS, LEVEL, PARAMETERS
from reproduction.papers.ofer.synthetic.printed_curves import (
    distances,
    printed_curve,
)

MAKERS = EXPERIMENT.load()


def errors(method, setting, split=1):
    return EXPERIMENT.evaluate(MAKERS, method, setting, split)


@pytest.mark.parametrize(
    ("method", "form", "n_components"),
    [("median chosen", "reduced", 1), ("full 1-GMM", "full", 1), ("reduced 2-GMM", "reduced", 2)],
)
def test_methods_are_those_of_tables_1_and_3(method, form, n_components, monkeypatch):
    monkeypatch.setitem(d1.PARAMETERS, "n_calls", 1)
    setting = "D1 apart median noisy"
    data = MAKERS["D1"](300, random_state=1, **PARAMETERS["data"][setting])
    train, test = np.arange(50), np.arange(100, 300)
    expected = d1.assess(data, form, n_components, train, test, seed=1)
    assert_allclose(errors(method, setting)["rrmse 50"], expected["rrmse"], rtol=1e-5)


@pytest.mark.parametrize("setting", ["D2 blobs linear clean", "series 1 seen noise 2"])
def test_defaults_are_those_of_sklearn(setting):
    name, *_ = setting.split()
    n = max(PARAMETERS["sizes"][name])
    data = MAKERS[name](n + 200, random_state=1, **PARAMETERS["data"][setting])
    X, Y = data.X.reshape(n + 200, -1), data.Y.reshape(n + 200, -1)
    for kernel, method in (("rbf", "default 1"), ("linear", "linear 1")):
        ridge = KernelRidge(kernel=kernel).fit(X[:n], Y[:n])
        expected = rrmse(Y[n:], ridge.predict(X[n:]))
        assert_allclose(errors(method, setting)[f"rrmse {n}"], expected, rtol=1e-6)


def test_centres_are_as_far_apart_as_those_of_make_blobs():
    centres = np.random.default_rng(0).uniform(-10, 10, size=(2, 20_000, 5))
    distance = np.sqrt(np.square(centres[0] - centres[1]).sum(axis=1).mean())
    assert_allclose(PARAMETERS["data"]["D2 blobs linear clean"]["separation"], distance, rtol=0.01)


def test_error_of_the_test_mean_leads_to_centred_errors():
    setting = "D2 overlap linear noisy"
    data = MAKERS["D2"](500, random_state=1, **PARAMETERS["data"][setting])
    test = data.Y[300:]
    level = errors(LEVEL, setting)["rrmse"]
    assert_allclose(level, np.linalg.norm(test - test.mean(axis=0)) / np.linalg.norm(test))
    rows = [
        (method, setting, 1, metric, value)
        for method in (LEARNERS[0], LEVEL)
        for metric, value in errors(method, setting).items()
    ]
    frame = pd.DataFrame(rows, columns=["method", "setting", "split", "metric", "value"])
    table = distances(frame, "D2")
    both = table.loc[(setting, LEARNERS[0])].drop(columns="distance")
    assert_allclose(both.loc["centred"] * level, both.loc["outputs"])


@pytest.mark.parametrize("data", ["D1", "D2", "series"])
def test_distance_of_the_printed_curve_is_zero(data):
    curve = printed_curve(data)
    rows = [
        (method, f"{data} a", 0, f"rrmse {n}", factor * value)
        for method, factor in (("linear chosen", 1.0), ("linear 1", 1.1))
        for n, value in curve.items()
    ]
    rows.append((LEVEL, f"{data} a", 0, "rrmse", 0.5))
    frame = pd.DataFrame(rows, columns=["method", "setting", "split", "metric", "value"])
    table = distances(frame, data)
    found = table["distance"].xs("outputs", level="definition").droplevel("setting")
    assert_allclose(found[["linear chosen", "linear 1"]], [0, np.log(1.1)], atol=1e-12)
    assert table.index[0] == (f"{data} a", "linear chosen", "outputs")
