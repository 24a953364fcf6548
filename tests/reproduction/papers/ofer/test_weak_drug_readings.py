"""The readings of Table 10: kernel and intercept."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.kernel_ridge import KernelRidge
from sklearn.preprocessing import normalize
from sklearn.utils import Bunch

from ofer import KernelSystem
from reproduction.engine.table import Task
from reproduction.papers.ofer.methods.weak_mixtures import WeakOfer
from reproduction.papers.ofer.methods.weak_samples import WeakSamples
from reproduction.papers.ofer.weak import drug_readings
from reproduction.papers.ofer.weak.drug_readings import EXPERIMENT, PARAMETERS, READINGS, fit_ours


@pytest.fixture
def data():
    """Two hundred molecules as vectors of unit length, with activities of two levels."""
    rng = np.random.default_rng(0)
    X = normalize(rng.random((200, 5)))
    Y = 5 + 3 * (X[:, :1] > 0.4) + X @ rng.normal(size=(5, 3)) + 0.1 * rng.normal(size=(200, 3))
    return Bunch(K=X @ X.T, Y=Y)


@pytest.mark.parametrize("n_weak", [0, 100])
def test_with_the_tanimoto_kernel_and_an_intercept_ours_is_that_of_the_table(data, n_weak):
    K, Y, n = data.K, data.Y, 40
    seen, rest = slice(n + n_weak), slice(150, None)
    samples = WeakSamples(K[seen, seen], K[rest, seen], Y[n : n + n_weak])
    task = Task(K[:n, :n], Y[:n], K[rest, :n], Y[rest], 0, weak=samples)
    outputs, chosen = WeakOfer(n_weak, tuple(PARAMETERS["n_components"]))(task)[:2]
    found = fit_ours(K[seen, seen], Y[:n], Y[n : n + n_weak], True, seed=0)
    assert found.embedding_.n_components == chosen["n_components"]
    rows = K[rest, : found.n_features_in_]
    assert_allclose(found.predict(rows), outputs, rtol=1e-6)


@pytest.mark.parametrize("alpha", [1e-4, 1e3])
def test_a_large_constant_is_an_intercept(data, alpha):
    K, Y = data.K[:40, :40], data.Y[:40]
    expected = KernelSystem.from_kernel(K).solve(Y, alpha).predict(data.K[40:, :40])
    ridge = KernelRidge(alpha=alpha, kernel="precomputed").fit(K + PARAMETERS["constant"], Y)
    found = ridge.predict(data.K[40:, :40] + PARAMETERS["constant"])
    assert_allclose(found, expected, rtol=1e-3)


def test_the_table_has_the_first_reading_of_the_printed_forms():
    methods = READINGS.methods(READINGS.choices[0], EXPERIMENT.methods)
    assert {*methods} == {*drug_readings.OURS}
    assert len(READINGS.methods(READINGS.choices[1], EXPERIMENT.methods)) == 7
