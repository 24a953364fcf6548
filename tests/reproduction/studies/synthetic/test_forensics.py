import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.kernel_ridge import KernelRidge

from ofer.metrics import rrmse
from reproduction.studies.synthetic import d1
from reproduction.studies.synthetic.forensics import MAKERS, PARAMETERS, evaluate


def errors(method, setting, split=1):
    return evaluate(None, method, setting, split)


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
