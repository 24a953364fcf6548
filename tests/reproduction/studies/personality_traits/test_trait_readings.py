"""The readings of Table 7: kernels, their width, and an intercept."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from sklearn.kernel_ridge import KernelRidge
from sklearn.utils import Bunch

from reproduction.studies.personality_traits import clips
from reproduction.studies.personality_traits.clips import draw
from reproduction.studies.personality_traits.tables.ofer_readings_traits import (
    EXPERIMENT,
    METHODS,
)


@pytest.fixture
def task(monkeypatch):
    """Clips in which a few words tell the level of all five scores."""
    sizes = {"n_labelled": [40, 90], "n_test": 150, "thresholds": [0.75, 0.7]}
    for name, value in sizes.items():
        monkeypatch.setitem(clips.PARAMETERS, name, value)
    rng = np.random.default_rng(0)
    level = rng.normal(size=400)
    counts = rng.poisson(np.exp(np.outer(level, np.linspace(-1, 1, 40))))
    Y = np.clip(0.5 + 0.13 * (level[:, None] + 0.5 * rng.normal(size=(400, 5))), 0, 1)
    return draw(Bunch(counts=sparse.csr_matrix(counts, dtype=float), Y=Y), "1", 0)


def test_inputs_have_unit_length(task):
    """As the Gaussian of their distances needs."""
    assert task.X.shape == (40, 40)
    assert task.X_test.shape == (150, 40)
    assert_allclose(np.diag(task.X), 1.0)


def test_ridge_regression_with_a_linear_kernel_is_that_of_scikit_learn(task):
    found = EXPERIMENT.methods["m-KRR, linear, no intercept"](task)
    ridge = KernelRidge(alpha=found.chosen["alpha"], kernel="precomputed").fit(task.X, task.Y)
    assert_allclose(found.outputs, ridge.predict(task.X_test), rtol=1e-6)
    assert {*found.chosen} == {"alpha"}


def test_iokr_with_the_kernel_of_ridge_regression_makes_its_predictions(task):
    reading = "Gaussian, width by folds, intercept"
    ridge, iokr = (EXPERIMENT.methods[f"{name}, {reading}"](task) for name in METHODS[:2])
    assert_allclose(iokr.outputs, ridge.outputs, rtol=1e-4)
    assert iokr.chosen == ridge.chosen
