"""Gaussian kernels against direct differences, wherever rows are."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from scipy.spatial.distance import cdist

from ofer import KernelRidgeCV, NystroemRidgeCV
from ofer.kernels._distances import GaussianCentres, gaussian_kernel

RNG = np.random.default_rng(0)
X = 3.0 * RNG.normal(size=(40, 3))
FAR = [1e3, 1e6, 1e9, 1e12, 1e100]


def direct(A, B, gamma=0.3):
    return np.exp(-gamma * cdist(A, B, "sqeuclidean"))


def some_far(far):
    """A far row, one next to it, one on the other side, and one in between."""
    return np.vstack([X, [[far] * 3, [far * (1 + 1e-15)] * 3, [-far] * 3, [far, 0.0, 0.0]]])


@pytest.mark.parametrize("far", FAR)
@pytest.mark.parametrize("wrap", [np.array, sparse.csr_array])
def test_far_rows_take_no_digits(far, wrap):
    rows = some_far(far)
    queries = rows[::3]
    K = gaussian_kernel(wrap(rows), Z := wrap(rows), 0.3)
    assert_allclose(gaussian_kernel(Z, Z, 0.3), direct(rows, rows), atol=1e-13)
    assert_allclose(K, direct(rows, rows), atol=1e-13)
    assert_allclose(gaussian_kernel(wrap(queries), Z, 0.3), direct(queries, rows), atol=1e-13)


@pytest.mark.parametrize("offset", FAR)
def test_rows_that_are_all_far_or_in_two_places(offset):
    """A shift costs the digits that it takes from the rows, and no more."""
    moved = X + offset
    for rows in (moved, np.vstack([X, moved])):
        assert_allclose(gaussian_kernel(rows, rows, 0.3), direct(rows, rows), atol=1e-13)


def test_a_gram_matrix_is_symmetric_with_ones():
    rows = some_far(1e9)
    K = gaussian_kernel(rows, rows, 0.3)
    assert_array_equal(K, K.T)
    assert_array_equal(np.diag(K), 1.0)


@pytest.mark.parametrize("unit", [1e-150, 1e-9, 1e9, 1e130])
def test_units(unit):
    found = gaussian_kernel(unit * X, unit * X, 0.3 / unit / unit)
    assert_allclose(found, direct(X, X), atol=1e-13)


def test_a_row_alone_is_a_row_in_company():
    centres = GaussianCentres(X, 0.3)
    queries = some_far(1e12)
    alone = np.vstack([centres.kernel(queries[[i]]) for i in range(len(queries))])
    assert_allclose(centres.kernel(queries), alone, rtol=1e-12, atol=1e-300)


@pytest.mark.parametrize("far", FAR)
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_ridge_regression_with_a_far_sample(far, fit_intercept):
    """Of positive weight: predictions are those of direct distances and a linear solve."""
    x, y = RNG.uniform(-3, 3, size=(60, 1)), RNG.normal(size=61)
    rows, queries = np.vstack([x, [[far]]]), np.linspace(-3, 3, 7)[:, None]
    K, k, n = direct(rows, rows), direct(queries, rows), len(rows)
    border = np.ones((n, 1)) if fit_intercept else np.zeros((n, 0))
    corner = np.zeros((border.shape[1], border.shape[1]))
    system = np.block([[K + 0.1 * np.eye(n), border], [border.T, corner]])
    solved = np.linalg.solve(system, np.append(y, corner[:, :1]))
    right = k @ solved[:n] + solved[n:].sum()
    options = {"gamma": 0.3, "fit_intercept": fit_intercept}
    exact = KernelRidgeCV([0.1], kernel="rbf", **options).fit(rows, y)
    assert_allclose(exact.predict(queries), right, atol=1e-10)
    sums = NystroemRidgeCV([0.1], **options).fit(rows, y)
    assert_allclose(sums.predict(queries), right, atol=1e-6)
