"""The four readings of Table 9: kernel and intercept, everything else alike."""

import numpy as np
import pytest
from sklearn.kernel_ridge import KernelRidge
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.preprocessing import normalize
from sklearn.utils import Bunch

from ofer import GaussianMixtureEmbedding, KernelRidgeCV, OutputFisherRegressor
from ofer.metrics import rrmse
from reproduction.engine.table import Task
from reproduction.methods.kernel_readings import (
    IokrReading,
    MixtureReading,
    RidgeReading,
    gaussian,
)

N = 40
ALPHAS = tuple(np.logspace(-6, 3, 10).tolist())


@pytest.fixture
def data():
    """Sixty molecules as vectors of unit length, with activities far from zero."""
    rng = np.random.default_rng(0)
    X = normalize(rng.random((60, 5)))
    Y = 5 + X @ rng.normal(size=(5, 3)) + 0.1 * rng.normal(size=(60, 3))
    return Bunch(K=X @ X.T, Y=Y, X=X)


@pytest.fixture
def task(data):
    return Task(data.K[:N, :N], data.Y[:N], data.K[N:, :N], data.Y[N:], seed=3)


def test_the_gaussian_kernel_is_that_of_the_distances(data):
    n = 31  # 465 pairs, so that one distance is in the middle
    apart = np.linalg.norm(data.X[:n, None] - data.X[:n], axis=2)[np.triu_indices(n, 1)]
    gamma = 1 / (2 * (0.5 * np.median(apart)) ** 2)
    expected = rbf_kernel(data.X[n:], data.X[:n], gamma)
    made = gaussian(data.K[n:, :n], data.K[:n, :n], 0.5)
    np.testing.assert_allclose(made, expected, rtol=1e-9)


def test_folds_choose_what_scikit_learn_does(task):
    """Without an intercept, where scikit-learn has the method, too."""
    search = GridSearchCV(
        KernelRidge(kernel="precomputed"),
        {"alpha": ALPHAS},
        cv=KFold(5, shuffle=True, random_state=3),
        scoring=lambda model, X, y: -rrmse(y, model.predict(X)),
    ).fit(task.X, task.Y)
    outputs, chosen = RidgeReading(intercept=False, alphas=ALPHAS)(task)
    assert chosen == search.best_params_
    np.testing.assert_allclose(outputs, search.predict(task.X_test), rtol=1e-6)


@pytest.mark.parametrize("widths", [(None,), (1.0,)])
@pytest.mark.parametrize("intercept", [False, True])
def test_iokr_predicts_what_ridge_regression_does(task, widths, intercept):
    """So it may take what ridge regression would choose."""
    ridge, iokr = (
        reading(intercept=intercept, widths=widths, alphas=(0.1,))(task)
        for reading in (RidgeReading, IokrReading)
    )
    assert iokr.chosen == ridge.chosen
    np.testing.assert_allclose(iokr.outputs, ridge.outputs, rtol=1e-4)


@pytest.mark.parametrize("intercept", [False, True])
def test_the_printed_form_is_the_estimator_with_one_ridge(task, intercept):
    reading = MixtureReading(intercept=intercept, alphas=(0.1,), n_components=(2,))
    model = OutputFisherRegressor(
        GaussianMixtureEmbedding(2, scaling="score", decoder="raw", random_state=3),
        KernelRidgeCV([0.1], kernel="precomputed", fit_intercept=intercept),
        block_wise=False,
    )
    expected = model.fit(task.X, task.Y).predict(task.X_test)
    np.testing.assert_allclose(reading(task).outputs, expected, rtol=1e-7)
