"""Inputs and outputs far from zero, huge, and of different scales."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from sklearn.base import clone
from sklearn.linear_model import RidgeCV

from ofer import (
    GaussianMixtureEmbedding,
    KernelRidgeCV,
    KernelSystem,
    OutputFisherRegressor,
)
from ofer.kernels import median_gamma
from ofer.ridge import decomposition
from ofer.utils import memory
from tests.ofer.estimators import KERNEL_MACHINES

RNG = np.random.default_rng(0)
OFFSETS = [0.0, 1e2, 1e3, 1e4, 1e5, 1e7, 1e8, 1e9]
KERNELS = ["linear", "rbf", "laplacian", "poly", "sigmoid", "cosine", "chi2", "additive_chi2"]


def gap_of_refits(model, X, Y, rows=range(0, 20, 7)):
    """Largest difference of leave-one-out predictions and honest ones, in spreads of the target."""
    promised, gaps = Y - model.loo_residuals_, []
    for i in rows:
        others = np.arange(len(X)) != i
        again = clone(model).set_params(alphas=[model.alpha_]).fit(X[others], Y[others])
        gaps.append(np.abs(again.predict(X[[i]])[0] - promised[i]) / Y.std(axis=0))
    return np.max(gaps)


@pytest.mark.parametrize("d", [3, 40])  # fewer features than samples, and more
@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("offset", OFFSETS)
def test_leave_one_out_is_what_refits_do_or_there_is_a_warning(offset, kernel, fit_intercept, d):
    rng = np.random.default_rng(1)
    X = offset + rng.uniform(size=(20, d))
    Y = np.column_stack([np.sin(3 * (X[:, 0] - offset)), X[:, 1] - offset])
    options = {"kernel": kernel, "fit_intercept": fit_intercept, "gamma": 0.5}
    exact = kernel in ("rbf", "laplacian") or (kernel == "linear" and fit_intercept)
    for alphas in (None, [1e-3]):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            warnings.filterwarnings("ignore", "alphas should have")
            model = KernelRidgeCV(alphas, **options).fit(X, Y)
            gap = None if caught else gap_of_refits(model, X, Y)
        assert not (exact and caught)
        assert caught or gap < 1e-4


@pytest.mark.parametrize("offset", [1e7, 1e9])
def test_linear_kernel_far_from_zero_equals_ridge(offset):
    X, q = RNG.normal(size=(40, 4)), RNG.normal(size=(5, 4))
    y = X @ [1.0, 2.0, 0.0, -1.0] + 0.1 * RNG.normal(size=40)
    model = KernelRidgeCV([0.5]).fit(X + offset, y)
    expected = RidgeCV([0.5]).fit(X, y).predict(q)
    assert_allclose(model.predict(q + offset), expected, atol=1e-5)


@pytest.mark.parametrize("covariance_type", ["spherical", "full"])
@pytest.mark.parametrize("scaling", ["natural", "score"])
def test_mixtures_far_from_zero(scaling, covariance_type):
    """With outputs that are multiples of 1 / 256 the offset is exact."""
    rng = np.random.default_rng(0)
    X, group = rng.normal(size=(40, 3)), 8.0 * (np.arange(40) % 2)[:, None]
    Y = np.round(256 * (rng.normal(size=(40, 2)) + group)) / 256
    embedding = GaussianMixtureEmbedding(
        2, scaling=scaling, covariance_type=covariance_type, random_state=0
    )
    model = OutputFisherRegressor(embedding, KernelRidgeCV([0.1], kernel="rbf"))
    expected = model.fit(X, Y).predict(X[:9] + 0.1)
    moved = model.fit(X, Y + 2.0**27).predict(X[:9] + 0.1) - 2.0**27
    assert_allclose(moved, expected, atol=1e-6)
    assert_allclose(model.embedding_.posterior(Y + 2.0**27).max(axis=1), 1.0, atol=0.1)


def test_the_plain_error_sees_the_largest_target():
    X = RNG.normal(size=(30, 2))
    noise = RNG.normal(size=30)
    Y = np.column_stack([1e4 * noise, X[:, 0]])
    plain = KernelRidgeCV(scoring="neg_mean_squared_error").fit(X, Y)
    assert plain.alpha_ == KernelRidgeCV().fit(X, Y[:, 0]).alpha_
    assert KernelRidgeCV().fit(X, Y).alpha_ < plain.alpha_
    expected = -np.mean(np.square(plain.loo_residuals_))
    assert plain.best_score_ == pytest.approx(expected)


def test_huge_outputs_and_inputs_are_named():
    X, Y = RNG.normal(size=(10, 2)), RNG.normal(size=(10, 2))
    with pytest.raises(ValueError, match=r"y must be at most 1e\+140 .*; got \d\.\d+e\+200"):
        KernelRidgeCV().fit(X, Y * 1e200)
    with pytest.raises(ValueError, match=r"X must be at most 1e\+140 in absolute value"):
        KernelRidgeCV().fit(sparse.csr_matrix(X * 1e200), Y)


@pytest.mark.parametrize("kernel", ["rbf", "linear"])
def test_predictions_in_blocks_are_those_of_one(kernel, monkeypatch):
    X, Y, queries = RNG.normal(size=(90, 3)), RNG.normal(size=(90, 2)), RNG.normal(size=(200, 3))
    for make in KERNEL_MACHINES:
        model = make(kernel=kernel).fit(X, Y)
        whole = model.predict(queries)
        with monkeypatch.context() as patch:
            patch.setattr(memory, "BATCH", 1)
            assert_allclose(model.predict(queries), whole, atol=1e-12)
            again = clone(model).fit(X, Y)
        assert_allclose(again.predict(queries), whole, atol=1e-10)


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("weighted", [True, False])
def test_one_ridge_by_a_cholesky_factor_is_one_of_many(weighted, fit_intercept, monkeypatch):
    monkeypatch.setattr(decomposition, "SMALL", 2)
    rng = np.random.default_rng(3)
    X, Y = rng.normal(size=(40, 3)), rng.normal(size=(40, 2))
    weights = rng.uniform(0.5, 2.0, 40) if weighted else None
    K = np.exp(-0.5 * np.square(X[:, None] - X).sum(axis=2))
    many = KernelSystem.from_kernel(K, weights, fit_intercept)
    one = KernelSystem.from_kernel(K, weights, fit_intercept, alpha=0.1)
    assert not one.eigenvalues.any()
    assert many.eigenvalues.all()
    assert_allclose(one.solve(Y, 0.1).coef, many.solve(Y, 0.1).coef, atol=1e-9)
    assert_allclose(one.solve(Y, 0.1).intercept, many.solve(Y, 0.1).intercept, atol=1e-9)
    (found,), (_, expected) = one.loo_residuals(Y, [0.1]), many.loo_residuals(Y, [1.0, 0.1])
    assert_allclose(found, expected, atol=1e-9)
    with pytest.raises(ValueError, match=r"alphas must be 0\.1 for this system, made for one; got"):
        one.solve(Y, 0.2)
    with pytest.warns(UserWarning, match="not positive semi-definite"):
        KernelSystem.from_kernel(K - 0.05 * np.eye(40), weights, fit_intercept, alpha=1.0)


def test_the_default_width_of_inputs_far_from_zero():
    X = RNG.normal(size=(50, 3))
    assert_allclose(median_gamma(X + 1e9), median_gamma(X), rtol=1e-5)
