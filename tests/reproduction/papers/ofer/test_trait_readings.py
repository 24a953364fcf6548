"""The readings of Table 7: kernels, their width, and an intercept."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.kernel_ridge import KernelRidge
from sklearn.metrics.pairwise import linear_kernel
from sklearn.utils import Bunch

from ofer.metrics import rrmse
from reproduction.papers.ofer import personality_traits, trait_readings
from reproduction.papers.ofer.trait_readings import EXPERIMENT, METHODS, READINGS, evaluate


@pytest.fixture
def clips(monkeypatch):
    """Clips in which a few words tell the level of all five scores, and few choices."""
    monkeypatch.setitem(personality_traits.PARAMETERS, "n_labelled", [40, 90])
    monkeypatch.setitem(personality_traits.PARAMETERS, "n_test", 150)
    monkeypatch.setitem(personality_traits.PARAMETERS, "thresholds", [0.75, 0.7])
    monkeypatch.setitem(trait_readings.PARAMETERS, "n_components", [1, 2])
    monkeypatch.setitem(trait_readings.PARAMETERS, "alphas", [0.1, 1.0])
    rng = np.random.default_rng(0)
    level = rng.normal(size=400)
    counts = rng.poisson(np.exp(np.outer(level, np.linspace(-1, 1, 40))))
    scores = 0.5 + 0.13 * (level[:, None] + 0.5 * rng.normal(size=(400, 5)))
    return Bunch(counts=sparse.csr_matrix(counts, dtype=float), Y=np.clip(scores, 0, 1))


def test_ridge_regression_with_a_linear_kernel_is_that_of_scikit_learn(clips):
    found = evaluate(clips, "m-KRR, linear, no intercept", "1", 0)
    part = personality_traits.take_split(clips.Y, "1", 0)
    weigh = TfidfTransformer(sublinear_tf=True).fit(clips.counts[part.labelled])
    X, X_test = (weigh.transform(clips.counts[rows]) for rows in (part.labelled, part.test))
    ridge = KernelRidge(alpha=found["alpha"], kernel="precomputed")
    ridge.fit(linear_kernel(X), clips.Y[part.labelled])
    predicted = ridge.predict(linear_kernel(X_test, X))
    assert_allclose(found["rrmse"], rrmse(clips.Y[part.test], predicted))
    assert {*found} == {"rrmse", "alpha"}


def test_iokr_with_the_kernel_of_ridge_regression_makes_its_predictions(clips):
    reading = "Gaussian, width by folds, intercept"
    ridge, iokr = (evaluate(clips, f"{name}, {reading}", "1", 1) for name in ("m-KRR", "IOKR"))
    assert_allclose(iokr["rrmse"], ridge["rrmse"], rtol=1e-4)
    assert (iokr["width"], iokr["alpha"]) == (ridge["width"], ridge["alpha"])


def test_every_method_has_every_reading():
    for choice in READINGS.choices:
        assert {*READINGS.methods(choice, EXPERIMENT.methods)} == {*METHODS}
