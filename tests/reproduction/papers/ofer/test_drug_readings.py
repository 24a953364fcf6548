"""The four readings of Table 9: kernel and intercept, everything else alike."""

from itertools import product

import numpy as np
import pytest
from sklearn.kernel_ridge import KernelRidge
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.preprocessing import normalize
from sklearn.utils import Bunch

from ofer import (
    GaussianMixtureEmbedding,
    InputOutputKernelRegressor,
    KernelRidgeCV,
    KernelSystem,
    OutputFisherRegressor,
)
from ofer.metrics import rrmse
from reproduction.papers.ofer import drug_readings, kernel_readings
from reproduction.papers.ofer.drug_readings import EXPERIMENT, INTERCEPTS, KERNELS, label
from reproduction.papers.ofer.kernel_readings import Choice, gaussian

N = 40


@pytest.fixture
def data():
    """Sixty molecules as vectors of unit length, with activities far from zero."""
    rng = np.random.default_rng(0)
    X = normalize(rng.random((60, 5)))
    Y = 5 + X @ rng.normal(size=(5, 3)) + 0.1 * rng.normal(size=(60, 3))
    return Bunch(K=X @ X.T, Y=Y, X=X)


def test_the_gaussian_kernel_is_that_of_the_distances(data):
    n = 31  # 465 pairs, so that one distance is in the middle
    apart = np.linalg.norm(data.X[:n, None] - data.X[:n], axis=2)[np.triu_indices(n, 1)]
    gamma = 1 / (2 * (0.5 * np.median(apart)) ** 2)
    expected = rbf_kernel(data.X[n:], data.X[:n], gamma)
    made = gaussian(data.K[n:, :n], data.K[:n, :n], 0.5)
    np.testing.assert_allclose(made, expected, rtol=1e-9)


def test_folds_choose_what_scikit_learn_does(data):
    """Without an intercept, where scikit-learn has the method, too."""
    K, Y = data.K[:N, :N], data.Y[:N]
    folds = KFold(5, shuffle=True, random_state=3)
    grid = {"alpha": drug_readings.PARAMETERS["alphas"]}
    search = GridSearchCV(
        KernelRidge(kernel="precomputed"),
        grid,
        cv=folds,
        scoring=lambda model, X, y: -rrmse(y, model.predict(X)),
    )
    chosen = drug_readings.select("m-KRR", "Tanimoto", "no intercept", K, Y, seed=3)
    assert chosen.alpha == search.fit(K, Y).best_params_["alpha"]
    assert chosen.width is chosen.n_components is None


@pytest.mark.parametrize(("kernel", "intercept"), [*product(KERNELS, INTERCEPTS)])
def test_iokr_predicts_what_ridge_regression_does(data, kernel, intercept):
    """So it may take what ridge regression would choose."""
    K, Y = data.K[:N, :N], data.Y[:N]
    K_test, K = kernel_readings.inputs(data.K[N:, :N], K, 1.0 if kernel == "Gaussian" else None)
    has = intercept == "intercept"
    ridge = KernelSystem.from_kernel(K, fit_intercept=has).solve(Y, 0.1).predict(K_test)
    iokr = InputOutputKernelRegressor(
        [0.1],
        kernel="precomputed",
        fit_intercept=has,
        output_kernel="linear",
        preimage="gradient",
    )
    np.testing.assert_allclose(iokr.fit(K, Y).predict(K_test), ridge, rtol=1e-4)


@pytest.mark.parametrize("intercept", [False, True])
def test_the_printed_form_is_the_estimator_with_one_ridge(data, intercept):
    K, Y = data.K[:N, :N], data.Y[:N]
    choice = Choice(width=None, n_components=2, alpha=0.1)
    direct = kernel_readings.predict(
        "OFER-GMM as printed", choice, intercept, K, Y, data.K[N:, :N], seed=0, em={}
    )
    model = OutputFisherRegressor(
        GaussianMixtureEmbedding(2, scaling="score", decoder="raw", random_state=0),
        KernelRidgeCV([0.1], kernel="precomputed", fit_intercept=intercept),
        block_wise=False,
    )
    np.testing.assert_allclose(model.fit(K, Y).predict(data.K[N:, :N]), direct, rtol=1e-7)


def test_every_method_has_every_reading():
    assert len(EXPERIMENT.methods) == 4 * 2 * 2 + 1
    assert label("IOKR", "Gaussian", "intercept") in EXPERIMENT.methods
