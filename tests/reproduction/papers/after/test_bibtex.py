"""Sketched IOKR: two ways to the same predictions, on a part of the data."""

import numpy as np
import pytest
from sklearn.utils import Bunch

from reproduction.papers.after import bibtex
from reproduction.papers.after.bibtex import evaluate, load_parts


@pytest.fixture(scope="module")
def data():
    return load_parts()


@pytest.fixture(scope="module")
def part(data):
    train, test = ({k: v[:300] for k, v in part.items()} for part in (data.train, data.test))
    Y = data.outputs["Y"][:300]
    outputs = {"Y": Y, "candidates": np.unique(Y, axis=0)}
    return Bunch(train=train, test=test, outputs=outputs, Y_test=data.Y_test[:300])


@pytest.fixture(autouse=True)
def small(monkeypatch):
    sizes = {"n_centres": 150, "n_output_features": 40, "n_components": [1, 2]}
    monkeypatch.setattr(bibtex, "PARAMETERS", bibtex.PARAMETERS | sizes)


def test_parts(data):
    assert data.outputs["Y"].shape == (4880, 159)
    assert data.Y_test.shape == (2515, 159)
    np.testing.assert_allclose(data.train["standardised"].std(axis=0), 1.0)
    np.testing.assert_allclose(np.square(data.test["unit length"]).sum(axis=1), 1.0)


@pytest.mark.parametrize(
    ("ours", "plain", "setting"),
    [("IOKR", "IOKR, one solve", "exact"), ("SISOKR", "SISOKR, one solve", "sketched")],
)
def test_the_estimators_are_the_plain_algorithm(part, ours, plain, setting):
    found = evaluate(part, ours, setting, 0)
    assert found["f1"] == pytest.approx(evaluate(part, plain, setting, 0)["f1"], abs=0.2)
    assert found["f1"] > 5


def test_one_component_is_the_ridge(part, monkeypatch):
    monkeypatch.setattr(
        bibtex, "PARAMETERS", bibtex.PARAMETERS | {"n_components": [1], "inputs": ["unit length"]}
    )
    ofer = evaluate(part, "OFER, threshold, one tag", "exact", 0)
    ridge = evaluate(part, "ridge, threshold, one tag", "exact", 0)
    assert ofer["f1"] == pytest.approx(ridge["f1"], abs=1e-9)
