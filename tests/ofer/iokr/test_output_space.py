import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import approx_fprime, minimize
from sklearn.metrics.pairwise import rbf_kernel

from ofer.iokr._output_space import climb, gaussian_expansions, nearest
from ofer.kernels._distances import GaussianCentres

RNG = np.random.default_rng(0)
N_QUERIES, N_CENTRES = 25, 40


def problem(d, signed=True):
    """Weights of kernel ridge regression, of both signs, centres and starts as in predictions."""
    Y = RNG.normal(size=(N_CENTRES, d))
    X = Y[:, :1] + 0.5 * RNG.normal(size=(N_CENTRES, 1))
    queries = RNG.normal(size=(N_QUERIES, 1))
    K = rbf_kernel(X, gamma=2.0) + 0.1 * np.eye(N_CENTRES)
    weights = np.linalg.solve(K, rbf_kernel(X, queries, gamma=2.0)).T
    weights = weights if signed else np.abs(weights)
    gamma = 0.5 / d
    starts = Y[nearest(weights, rbf_kernel(Y, gamma=gamma), np.ones(N_CENTRES))]
    return weights, Y, starts, gamma


def values(weights, Y, points, gamma):
    return (weights * rbf_kernel(points, Y, gamma=gamma)).sum(axis=1)


@pytest.mark.parametrize("d", [1, 3, 60])
@pytest.mark.parametrize("signed", [True, False])
def test_never_worse_than_scipy_from_the_same_start(d, signed):
    weights, Y, starts, gamma = problem(d, signed)
    assert (weights < 0).any() == signed
    found = climb(weights, Y, starts, gamma)
    theirs, unit = [], 1.0 / np.sqrt(gamma)
    centres = GaussianCentres(Y / unit, 1.0)
    for a, start in zip(weights, starts, strict=True):

        def loss(u, a=a):
            value, gradient = gaussian_expansions(a[None], centres, u[None] / unit, [0])
            return -value[0], -gradient[0] / unit

        theirs.append(-minimize(loss, start, jac=True, method="L-BFGS-B", tol=1e-14).fun)
    ours = values(weights, Y, found, gamma)
    assert (ours >= np.array(theirs) - 1e-10).all()
    assert (ours >= values(weights, Y, starts, gamma)).all()


@pytest.mark.parametrize("d", [1, 4])
def test_gradients_equal_finite_differences(d):
    weights, Y, _, _ = problem(d)
    rows = np.array([3, 0, 7, 3])
    points, centres = RNG.normal(size=(4, d)), GaussianCentres(Y, 1.0)
    found, gradients = gaussian_expansions(weights, centres, points, rows)
    assert_allclose(found, values(weights[rows], Y, points, 1.0))
    for row, point, gradient in zip(rows, points, gradients, strict=True):
        numeric = approx_fprime(
            point, lambda u, row=row: gaussian_expansions(weights, centres, u[None], [row])[0][0]
        )
        assert_allclose(gradient, numeric, atol=1e-6)


def test_a_single_gaussian_and_none():
    Y = RNG.normal(size=(3, 2))
    weights = np.array([[0.0, 2.0, 0.0], [0.0, 0.0, 0.0]])
    found = climb(weights, Y, Y[[0, 0]], 0.1)
    assert_allclose(found, Y[[1, 0]], atol=1e-6)
