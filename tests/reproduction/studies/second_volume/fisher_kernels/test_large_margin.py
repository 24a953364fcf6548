"""Large-margin nearest neighbours against the definition and differences."""

import numpy as np
from numpy.testing import assert_allclose

from reproduction.studies.second_volume.fisher_kernels import large_margin
from reproduction.studies.second_volume.fisher_kernels.large_margin import (
    LargeMarginNearestNeighbor,
)


def draw(n=25, d=3, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)), np.arange(n) % 3, rng.normal(size=(2, d))


def by_loops(L, X, y, n_neighbors, mu):
    """The printed loss, literally; target neighbours by the distances of X."""
    total, distance = 0.0, lambda A, i, j: ((A[i] - A[j]) ** 2).sum()
    Z = X @ L.T
    for i in range(len(X)):
        same = sorted(
            (j for j in range(len(X)) if j != i and y[j] == y[i]), key=lambda j: distance(X, i, j)
        )
        for j in same[:n_neighbors]:
            total += (1 - mu) * distance(Z, i, j)
            for l in np.flatnonzero(y != y[i]):
                total += mu * max(0, 1 + distance(Z, i, j) - distance(Z, i, l))
    return total / len(X)


def evaluate(L, X, y, n_neighbors=2, mu=0.3):
    return large_margin.loss(L, X, y, large_margin.target_neighbors(X, y, n_neighbors), mu)


def test_loss():
    X, y, L = draw()
    assert_allclose(evaluate(L, X, y)[0], by_loops(L, X, y, 2, 0.3), rtol=1e-12)


def test_gradient():
    X, y, L = draw()
    differences = np.empty_like(L)
    for place in np.ndindex(L.shape):
        shift = np.zeros_like(L)
        shift[place] = 1e-7
        differences[place] = (evaluate(L + shift, X, y)[0] - evaluate(L - shift, X, y)[0]) / 2e-7
    assert_allclose(evaluate(L, X, y)[1], differences, rtol=1e-6)


def test_fit_lowers_the_loss():
    X, y, _ = draw(60)
    model = LargeMarginNearestNeighbor(2, mu=0.3, max_iter=200).fit(X, y)
    assert_allclose(model.loss_, by_loops(model.components_, X, y, 2, 0.3), rtol=1e-10)
    assert model.loss_ < 0.97 * by_loops(np.eye(3), X, y, 2, 0.3)
