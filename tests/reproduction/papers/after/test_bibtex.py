"""OFER with one component on tags is the ridge, on a part of the data."""

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


def test_one_component_is_the_ridge(part, monkeypatch):
    monkeypatch.setattr(
        bibtex, "PARAMETERS", bibtex.PARAMETERS | {"n_components": [1], "inputs": ["unit length"]}
    )
    ofer = evaluate(part, "OFER, threshold, one tag", "exact", 0)
    ridge = evaluate(part, "ridge, threshold, one tag", "exact", 0)
    assert ofer["f1"] == pytest.approx(ridge["f1"], abs=1e-9)
