"""Systems of the table of tags and their leads, on a part of the data."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.utils import Bunch

from ofer import InputOutputKernelRegressor, KernelSystem
from reproduction.studies.second_volume.bibtex import evaluation, forms, leads
from reproduction.studies.second_volume.bibtex.evaluation import evaluate, load_parts


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
    monkeypatch.setattr(evaluation, "PARAMETERS", evaluation.PARAMETERS | sizes)


def test_one_component_is_the_ridge(part, monkeypatch):
    monkeypatch.setattr(
        evaluation,
        "PARAMETERS",
        evaluation.PARAMETERS | {"n_components": [1], "inputs": ["unit length"]},
    )
    ofer = evaluate(part, "OFER, threshold, one tag", "exact", 0)
    ridge = evaluate(part, "ridge, threshold, one tag", "exact", 0)
    assert ofer["f1"] == pytest.approx(ridge["f1"], abs=1e-9)


def test_iokr_of_one_ridge_is_the_package(part):
    """What is tuned here by F1 is the system that the package has."""
    training = evaluation.training_part(part)
    model = InputOutputKernelRegressor(
        kernel="rbf", gamma=evaluation.GAMMA_X, output_gamma=0.5, alphas=[1.0]
    ).fit(training.X, training.Y)
    system = KernelSystem.from_kernel(rbf_kernel(training.X, gamma=evaluation.GAMMA_X))
    targets = rbf_kernel(training.Y, training.candidates, gamma=0.5)
    K = rbf_kernel(part.test["standardised"], training.X, gamma=evaluation.GAMMA_X)
    found = training.candidates[system.solve(targets, 1.0).predict(K).argmax(axis=1)]
    assert np.mean((found == model.predict(part.test["standardised"])).all(axis=1)) > 0.99


def test_chosen_iokr_is_that_of_one_of_its_forms(part):
    training = evaluation.training_part(part)
    forms = ["unit length", "binary"]
    alone = [leads.choose_iokr(training, [form])(part.test) for form in forms]
    several = leads.choose_iokr(training, forms)(part.test)
    assert any(np.array_equal(several, one) for one in alone)
    seen = {tuple(tags) for tags in training.candidates}
    assert {tuple(tags) for tags in several} <= seen


def test_nearest_seen_is_the_nearest():
    rng = np.random.default_rng(0)
    candidates = rng.integers(0, 2, size=(20, 6)).astype(float)
    predicted = rng.normal(size=(50, 6))
    apart = np.square(predicted[:, None] - candidates).sum(axis=2)
    found = leads.nearest_seen(predicted, candidates)
    assert_allclose(np.square(predicted - found).sum(axis=1), apart.min(axis=1))


def test_differences_are_taken_entry_by_entry(part):
    names = "ridge, threshold", "IOKR, one solve", "ridge, threshold, one tag"
    found = leads.evaluate(part, names[0], "exact", 0)
    own, iokr, ridge = (evaluate(part, name, "exact", 0) for name in names)
    assert found["f1"] == pytest.approx(own["f1"])
    assert found["f1 se"] == pytest.approx(own["se"])
    assert found["lead"] == pytest.approx(own["f1"] - iokr["f1"])
    assert found["behind"] == pytest.approx(ridge["f1"] - own["f1"])
    # The triangle inequality of the two deviations.
    assert abs(own["se"] - iokr["se"]) <= found["lead se"] <= own["se"] + iokr["se"]
    itself = leads.evaluate(part, names[2], "exact", 0)
    assert (itself["behind"], itself["behind se"]) == (0.0, 0.0)


def test_forms_lead_over_iokr_entry_by_entry(part):
    found = forms.evaluate(part, forms.METHOD, "unit length", 0)
    model = InputOutputKernelRegressor(output_gamma=0.5)
    model.fit(part.train["unit length"], part.outputs["Y"])
    own = evaluation.scores_by_example(model.predict(part.test["unit length"]), part.Y_test)
    iokr = evaluate(part, "IOKR, one solve", "exact", 0)
    assert found["f1"] == pytest.approx(100 * own.mean())
    assert found["lead"] == pytest.approx(found["f1"] - iokr["f1"])
    assert abs(found["f1 se"] - iokr["se"]) <= found["lead se"] <= found["f1 se"] + iokr["se"]
