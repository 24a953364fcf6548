"""The ridge regression of changing targets against `KernelSystem`, which knows of no change."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from ofer import KernelSystem
from ofer.weak.latent_ridge import LatentRidge

RNG = np.random.default_rng(0)
N, N_WEAK, M = 8, 14, 4
FEW, MANY = RNG.normal(size=(N + N_WEAK, 3)), RNG.normal(size=(N + N_WEAK, 60))
WEIGHTS = RNG.uniform(0.5, 2.0, size=N + N_WEAK)
WEIGHTS[[2, 5]] = 0.0
TARGETS, LATER = RNG.normal(size=(2, N + N_WEAK, M))
LATER[:N] = TARGETS[:N]
EVERY = np.arange(N_WEAK), np.arange(M)
VECTORS = RNG.normal(size=(M, 6))
kinds = pytest.mark.parametrize("features", [FEW, MANY], ids=["primal", "dual"])
intercepts = pytest.mark.parametrize("fit_intercept", [True, False])


def changed(features, fit_intercept, gram=None):
    """The system, and a ridge that has got its last targets in parts."""
    system = KernelSystem.from_features(features, WEIGHTS, fit_intercept)
    model = LatentRidge(system, TARGETS, N, gram)
    for rows in (np.array([3, 0, 7]), np.array([], dtype=int), np.arange(N_WEAK)[::-1]):
        for columns in (np.array([0, 3]), np.array([1, 2])):
            model.change(rows, columns, LATER[N + rows][:, columns])
    return system, model


@kinds
@intercepts
def test_predictions_after_changes_are_those_of_a_new_fit(features, fit_intercept):
    system, model = changed(features, fit_intercept)
    expected = system.solve(LATER, 0.7).predict(features)[N:]
    model.solve(0.7)
    assert_allclose(model.weak, LATER[N:])
    assert_allclose(model.fitted(*EVERY), expected)
    left_out = next(system.path(LATER, [0.7]))[N:]
    assert_allclose(model.fitted(*EVERY, left_out=True), left_out)
    rows, columns = np.array([9, 2]), np.array([3, 1])
    assert_allclose(model.fitted(rows, columns, left_out=True), left_out[np.ix_(rows, columns)])
    assert_allclose(model.fitted(rows, columns), expected[np.ix_(rows, columns)])


@kinds
@intercepts
def test_penalised_squares_are_those_of_their_definition(features, fit_intercept):
    system, model = changed(features, fit_intercept)
    solution = system.solve(LATER, 0.7)
    missed = LATER - solution.predict(features)
    squares = WEIGHTS @ np.square(missed).sum(axis=1) + 0.7 * np.square(solution.coef).sum()
    model.solve(0.7)
    assert_allclose(model.penalised_squares(), squares)


@kinds
@intercepts
def test_leave_one_out_of_labelled_samples(features, fit_intercept):
    system, model = changed(features, fit_intercept)
    kept = WEIGHTS[:N] > 0
    expected = [missed[:N][kept] for missed in system.loo_residuals(LATER, [0.1, 3.0])]
    for ours, theirs in zip(model.loo_residuals([0.1, 3.0]), expected, strict=True):
        assert_allclose(ours, theirs)
    errors = [WEIGHTS[:N][kept] @ np.square(missed).sum(axis=1) for missed in expected]
    assert_allclose(model.loo_errors([0.1, 3.0]), np.array(errors) / WEIGHTS[:N].sum())


@kinds
def test_mixtures_stand_for_mixtures_of_vectors(features):
    """Products with vectors and squared lengths, without a column for each coordinate."""
    _, model = changed(features, True, gram=VECTORS @ VECTORS.T)
    system = KernelSystem.from_features(features, WEIGHTS)
    whole = LatentRidge(system, LATER @ VECTORS, N)
    model.solve(0.7)
    whole.solve(0.7)
    products = whole.fitted(np.arange(N_WEAK), np.arange(6)) @ VECTORS.T
    assert_allclose(model.fitted(*EVERY), products)
    left_out = whole.fitted(np.arange(N_WEAK), np.arange(6), left_out=True) @ VECTORS.T
    assert_allclose(model.fitted(*EVERY, left_out=True), left_out)
    assert_allclose(model.penalised_squares(), whole.penalised_squares())
    assert_allclose(model.weak_squares(), whole.weak_squares())
    assert_allclose(model.loo_errors([0.1, 3.0]), whole.loo_errors([0.1, 3.0]))


def test_the_first_targets_are_left_alone():
    before = TARGETS.copy()
    changed(FEW, True)
    assert_allclose(TARGETS, before, rtol=0)
