"""The printed form of weak labels: two ways to one number, and its limits."""

import numpy as np
import pytest
from sklearn.frozen import FrozenEstimator
from sklearn.kernel_ridge import KernelRidge
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import KFold, ParameterGrid

from ofer import GaussianMixtureEmbedding, OutputFisherRegressor
from ofer.embeddings import CollapsedComponentWarning
from ofer.metrics import rrmse
from reproduction.papers.ofer.weak.as_printed import (
    WEAK_WEIGHTS,
    Problem,
    choose,
    condition,
    predict_as_printed,
)

pytestmark = pytest.mark.filterwarnings(
    f"ignore::{CollapsedComponentWarning.__module__}.CollapsedComponentWarning"
)


@pytest.fixture
def drawn():
    rng = np.random.default_rng(0)
    component = rng.integers(2, size=60)
    X = component[:, None] + 0.3 * rng.normal(size=(60, 3))
    Y = 4.0 * component[:, None] + rng.normal(size=(60, 2)) + 10.0
    return rbf_kernel(X), Y


def _problem(K, Y, n=25, n_weak=20, **options):
    seen = n + n_weak
    given = {"n_components": [1, 2, 3], "alphas": [0.01, 1.0], "seed": 0, "em": {}} | options
    return Problem(K[:seen, :seen], Y[:n], Y[n:seen], **given)


def _fit(problem, rows, count, alpha, weight):
    """The printed form through the package's public estimator."""
    n, rows = len(problem.Y), np.asarray(rows)
    mixture = GaussianMixtureEmbedding(count, scaling="score", decoder="raw", random_state=0)
    mixture.fit(problem.Y[rows])
    model = OutputFisherRegressor(
        FrozenEstimator(mixture), KernelRidge(alpha=alpha, kernel="precomputed")
    )
    seen = np.concatenate([rows, np.arange(n, len(problem.K))])
    return model.fit(
        problem.K[np.ix_(rows, rows)],
        problem.Y[rows],
        X_weak=problem.K[np.ix_(np.arange(n, len(problem.K)), seen)],
        membership_weak=mixture.predict_proba(problem.Y_weak),
        weak_weight=weight,
    ), seen


def test_choice_is_that_of_a_plain_grid_search(drawn):
    problem, folds = _problem(*drawn, n_components=[2, 3]), KFold(5, shuffle=True, random_state=0)
    errors = {}
    grid = {"count": [2, 3], "alpha": problem.alphas, "weight": WEAK_WEIGHTS}
    for point in ParameterGrid(grid):
        own = []
        for train, test in folds.split(problem.Y):
            model, seen = _fit(problem, train, **point)
            own.append(rrmse(problem.Y[test], model.predict(problem.K[np.ix_(test, seen)])))
        errors[point["count"], point["alpha"], point["weight"]] = np.mean(own)
    assert tuple(choose(problem, folds)) == min(errors, key=errors.get)


def test_prediction_is_that_of_the_estimator(drawn):
    K, Y = drawn
    problem, folds = _problem(K, Y, n_components=[2]), KFold(5, shuffle=True, random_state=0)
    predicted, choice = predict_as_printed(problem, folds, K[45:, :45])
    model, _ = _fit(problem, range(25), *choice)
    np.testing.assert_allclose(predicted, model.predict(K[45:, :45]), rtol=1e-9)


def test_without_weak_samples_it_is_the_form_as_printed(drawn):
    K, Y = drawn
    problem, folds = _problem(K, Y, n_weak=0), KFold(5, shuffle=True, random_state=0)
    predicted, choice = predict_as_printed(problem, folds, K[45:, :25])
    model = OutputFisherRegressor(
        GaussianMixtureEmbedding(
            choice.n_components, scaling="score", decoder="raw", random_state=0
        ),
        KernelRidge(alpha=choice.alpha, kernel="precomputed"),
        block_wise=False,
    )
    expected = model.fit(K[:25, :25], Y[:25]).predict(K[45:, :25])
    np.testing.assert_allclose(predicted, expected, rtol=1e-9)


def test_conditioning_is_ridge_regression(drawn):
    K, Y = drawn
    kernel, mean = condition(K[:50, :50], 20, 0.3, Y[20:50])
    expected = KernelRidge(alpha=0.3, kernel="precomputed").fit(K[20:50, 20:50], Y[20:50])
    np.testing.assert_allclose(mean, expected.predict(K[:20, 20:50]), rtol=1e-8)
    assert np.all(np.linalg.eigvalsh(kernel) > -1e-9)
    assert np.trace(kernel) < np.trace(K[:20, :20])
