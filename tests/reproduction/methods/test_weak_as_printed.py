"""The printed form of weak labels: two ways to one number, and its limits."""

import numpy as np
import pytest
from sklearn.frozen import FrozenEstimator
from sklearn.kernel_ridge import KernelRidge
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import KFold, ParameterGrid

from ofer import GaussianMixtureEmbedding, Memberships, OutputFisherRegressor
from ofer.embeddings import CollapsedComponentWarning
from ofer.metrics import rrmse
from reproduction.engine.table import Task
from reproduction.methods.weak_as_printed import (
    WEAK_WEIGHTS,
    WeakOferAsPrinted,
    condition,
)
from reproduction.methods.weak_samples import WeakSamples

pytestmark = pytest.mark.filterwarnings(
    f"ignore::{CollapsedComponentWarning.__module__}.CollapsedComponentWarning"
)
ALPHAS, N, SEEN = (0.01, 1.0), 25, slice(45)


@pytest.fixture
def task():
    """Sixty samples of two components: 25 are labelled, twenty weak, the others to be predicted."""
    rng = np.random.default_rng(0)
    component = rng.integers(2, size=60)
    K = rbf_kernel(component[:, None] + 0.3 * rng.normal(size=(60, 3)))
    Y = 4.0 * component[:, None] + rng.normal(size=(60, 2)) + 10.0
    weak = WeakSamples(K[SEEN, SEEN], K[45:, SEEN], Y[N:45])
    return Task(K[:N, :N], Y[:N], K[45:, :N], Y[45:], 0, weak=weak)


def _fit(task, rows, count, alpha, weight):
    """The printed form through the package's public estimator."""
    K, rows = task.weak.K, np.asarray(rows)
    mixture = GaussianMixtureEmbedding(count, scaling="score", decoder="raw", random_state=0)
    mixture.fit(task.Y[rows])
    model = OutputFisherRegressor(
        FrozenEstimator(mixture), KernelRidge(alpha=alpha, kernel="precomputed")
    )
    seen = np.concatenate([rows, np.arange(N, len(K))])
    return model.fit(
        K[np.ix_(rows, rows)],
        task.Y[rows],
        weak=Memberships(
            K[np.ix_(np.arange(N, len(K)), seen)], mixture.predict_proba(task.weak.Y), weight=weight
        ),
    ), seen


def test_choice_is_that_of_a_plain_grid_search(task):
    folds, errors = KFold(5, shuffle=True, random_state=0), {}
    grid = {"count": [2, 3], "alpha": ALPHAS, "weight": WEAK_WEIGHTS}
    for point in ParameterGrid(grid):
        own = []
        for train, test in folds.split(task.Y):
            model, seen = _fit(task, train, **point)
            own.append(rrmse(task.Y[test], model.predict(task.weak.K[np.ix_(test, seen)])))
        errors[point["count"], point["alpha"], point["weight"]] = np.mean(own)
    method = WeakOferAsPrinted(20, (2, 3), ALPHAS)
    assert tuple(method.choose(task)) == min(errors, key=errors.get)


def test_prediction_is_that_of_the_estimator(task):
    method = WeakOferAsPrinted(20, (2,), ALPHAS)
    model, _ = _fit(task, range(N), *method.choose(task))
    np.testing.assert_allclose(method(task).outputs, model.predict(task.weak.K_test), rtol=1e-9)


def test_without_weak_samples_it_is_the_form_as_printed(task):
    method = WeakOferAsPrinted(0, (1, 2, 3), ALPHAS)
    choice = method.choose(task)
    model = OutputFisherRegressor(
        GaussianMixtureEmbedding(
            choice.n_components, scaling="score", decoder="raw", random_state=0
        ),
        KernelRidge(alpha=choice.alpha, kernel="precomputed"),
        block_wise=False,
    )
    expected = model.fit(task.X, task.Y).predict(task.X_test)
    np.testing.assert_allclose(method(task).outputs, expected, rtol=1e-9)


def test_conditioning_is_ridge_regression(task):
    K, Y = task.weak.K, np.vstack([task.Y, task.weak.Y])
    kernel, mean = condition(K, 20, 0.3, Y[20:])
    expected = KernelRidge(alpha=0.3, kernel="precomputed").fit(K[20:, 20:], Y[20:])
    np.testing.assert_allclose(mean, expected.predict(K[:20, 20:]), rtol=1e-8)
    assert np.all(np.linalg.eigvalsh(kernel) > -1e-9)
    assert np.trace(kernel) < np.trace(K[:20, :20])
