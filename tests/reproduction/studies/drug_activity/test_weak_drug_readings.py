"""The readings of Table 10: kernel and intercept."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.kernel_ridge import KernelRidge
from sklearn.preprocessing import normalize
from sklearn.utils import Bunch

from ofer import KernelSystem
from reproduction.engine.table import Task
from reproduction.methods.kernel_readings import MixtureReading, gaussian
from reproduction.methods.weak_mixtures import WeakOfer
from reproduction.methods.weak_samples import WeakSamples, seen
from reproduction.studies.drug_activity.methods.weak_readings import OnGaussian
from reproduction.studies.drug_activity.tables.ofer_readings_10 import (
    CONSTANT,
    WIDTHS,
)


@pytest.fixture
def data():
    """Two hundred molecules as vectors of unit length, with activities of two levels."""
    rng = np.random.default_rng(0)
    X = normalize(rng.random((200, 5)))
    Y = 5 + 3 * (X[:, :1] > 0.4) + X @ rng.normal(size=(5, 3)) + 0.1 * rng.normal(size=(200, 3))
    return Bunch(K=X @ X.T, Y=Y)


@pytest.fixture
def task(data):
    """Forty of them labelled, a hundred weak, and the others to be predicted."""
    K, Y, n, seen, rest = data.K, data.Y, 40, slice(140), slice(150, None)
    weak = WeakSamples(K[seen, seen], K[rest, seen], Y[n:140])
    return Task(K[:n, :n], Y[:n], K[rest, :n], Y[rest], 0, weak=weak)


@pytest.mark.parametrize("n_weak", [0, 100])
def test_the_width_of_the_gaussian_is_chosen_without_weak_labels(task, n_weak):
    reading = MixtureReading(intercept=True, widths=WIDTHS, n_components=(1, 2))
    width = reading.choose(task).width
    samples = seen(task, n_weak)
    K, K_test = (gaussian(part, task.X, width) for part in (samples.K, samples.K_test))
    same = task._replace(
        X=K[:40, :40], X_test=K_test[:, :40], weak=samples._replace(K=K, K_test=K_test)
    )
    method = WeakOfer(n_weak, (1, 2))
    outputs, chosen = OnGaussian(reading, method)(task)
    assert_allclose(outputs, method(same).outputs)
    assert chosen == {"width": width, **method(same).chosen}


@pytest.mark.parametrize("alpha", [1e-4, 1e3])
def test_a_large_constant_is_an_intercept(data, alpha):
    K, Y = data.K[:40, :40], data.Y[:40]
    expected = KernelSystem.from_kernel(K).solve(Y, alpha).predict(data.K[40:, :40])
    ridge = KernelRidge(alpha=alpha, kernel="precomputed").fit(K + CONSTANT, Y)
    found = ridge.predict(data.K[40:, :40] + CONSTANT)
    assert_allclose(found, expected, rtol=1e-3)
