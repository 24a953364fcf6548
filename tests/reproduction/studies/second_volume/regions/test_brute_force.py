import numpy as np
from numpy.testing import assert_allclose

from ofer import FullConformalRegressor, JackknifePlus, KernelRidgeCV
from reproduction.studies.second_volume.regions.brute_force import (
    jackknife_plus_by_refits,
    p_values_by_refits,
)

RNG = np.random.default_rng(0)
X, QUERIES = RNG.normal(size=(15, 2)), RNG.normal(size=(4, 2))
Y = np.column_stack([np.sin(X[:, 0]), X[:, 1] ** 2]) + 0.2 * RNG.normal(size=(15, 2))


def test_intervals_are_those_of_all_fits_without_a_sample():
    ridge = KernelRidgeCV([0.1], kernel="rbf", gamma=0.5)
    intervals = JackknifePlus(ridge, simultaneous=False).fit(X, Y).predict_interval(QUERIES)
    assert_allclose(jackknife_plus_by_refits(ridge, X, Y, QUERIES), intervals)


def test_each_output_chooses_anew():
    alphas, outputs = [1e-3, 3.0], Y.mean(axis=0) + RNG.normal(size=(6, 2))
    found = p_values_by_refits(X, Y, QUERIES[0], outputs, alphas, gamma=0.5)
    alone = [p_values_by_refits(X, Y, QUERIES[0], outputs, [a], gamma=0.5) for a in alphas]
    assert ((found == alone[0]) | (found == alone[1])).all()
    ridge = KernelRidgeCV(alphas, kernel="rbf", gamma=0.5)
    model = FullConformalRegressor(ridge, shape="ellipsoid", selection="inside").fit(X, Y)
    assert_allclose(model.p_values(np.tile(QUERIES[0], (6, 1)), outputs), found)
