"""Errors in a feature space from inner products alone, against residuals of vectors."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.metrics.pairwise import rbf_kernel

from ofer import KernelSystem
from ofer.ridge.leave_one_out import Ridges, ridges_of, squared_loo_errors

ALPHAS = [1e-2, 1.0, 30.0]
N = 12


@pytest.mark.parametrize("d", [1, 3, 9, 11, 30])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("fit_intercept", [False, True])
def test_squared_errors_need_inner_products_alone(d, weighted, fit_intercept):
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(N, d)) + 2.0, rng.normal(size=(N, 2)) + 5.0
    weights = np.where(np.isin(range(N), (1, 7)), 0.0, rng.uniform(0.5, 2.0, N))
    weights = weights if weighted else None
    for system in (
        KernelSystem.from_features(X, weights, fit_intercept),
        KernelSystem.from_kernel(X @ X.T, weights, fit_intercept),
    ):
        errors = squared_loo_errors(system, Y @ Y.T, ALPHAS)
        for found, residuals in zip(errors, system.loo_residuals(Y, ALPHAS), strict=True):
            assert_allclose(found, np.square(residuals).sum(axis=1), rtol=1e-8)


@pytest.mark.parametrize("gamma", [0.05, 5.0])
@pytest.mark.parametrize("copies", [1, 3])
def test_squared_errors_of_many_ridges_at_once(gamma, copies):
    """Eigenvalues that decay to nothing, and equal ones; ridges of ten decades, in any order."""
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(60, 2)), rng.normal(size=(60 * copies, 3))
    K = np.kron(np.eye(copies), rbf_kernel(X, gamma=gamma))
    system = KernelSystem.from_kernel(K)
    alphas = rng.permutation(system.mean_eigenvalue * np.logspace(-5, 5, 31))
    errors = squared_loo_errors(system, Y @ Y.T, alphas)
    for found, residuals in zip(errors, system.loo_residuals(Y, alphas), strict=True):
        assert_allclose(found, np.square(residuals).sum(axis=1), rtol=1e-5)
        assert_allclose(found.mean(), np.square(residuals).sum() / len(Y), rtol=1e-7)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("fit_intercept", [False, True])
def test_one_ridge_has_the_errors_that_it_has_among_several(weighted, fit_intercept):
    rng = np.random.default_rng(3)
    X, Y = rng.normal(size=(40, 3)), rng.normal(size=(40, 2))
    weights = rng.uniform(0.5, 2.0, 40) if weighted else None
    K = rbf_kernel(X, gamma=0.5)
    many = KernelSystem.from_kernel(K, weights, fit_intercept)
    one = KernelSystem.from_kernel(K, weights, fit_intercept, alpha=0.1)
    (found,) = squared_loo_errors(one, Y @ Y.T, [0.1])
    _, expected = squared_loo_errors(many, Y @ Y.T, [1.0, 0.1])
    assert_allclose(found, expected, atol=1e-9)


@pytest.mark.parametrize("fit_intercept", [False, True])
@pytest.mark.parametrize("is_dual", [False, True])
def test_some_rows_have_the_residuals_of_all(is_dual, fit_intercept):
    """Given what all samples add up to, as batches of a stream have it."""
    rng = np.random.default_rng(0)
    X, Y, weights = rng.normal(size=(N, 3)), rng.normal(size=(N, 2)), rng.uniform(0.5, 2.0, size=N)
    system = KernelSystem.from_features(X, weights, fit_intercept)
    if is_dual:
        system = KernelSystem.from_kernel(X @ X.T, weights, fit_intercept)
    roots, shares = system.samples.roots, system.samples.shares
    centred, alphas, rows = roots[:, None] * (Y - shares @ Y), np.array([[0.1], [3.0]]), [7, 2]
    whole = ridges_of(system, alphas)
    few = Ridges(system.coordinates[rows], whole.inverse, roots[rows], shares[rows], is_dual)
    found = few.loo_residuals(centred[rows], system.coordinates.T @ centred)
    expected = np.stack([*system.loo_residuals(Y, alphas[:, 0])], axis=1)
    assert_allclose(whole.loo_residuals(centred), expected, atol=1e-10)
    assert_allclose(found, expected[rows], atol=1e-10)
