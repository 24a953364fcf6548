"""The simulation of tests on repeated splits."""

import numpy as np
import pytest

from reproduction.statistics.splits import repeated_splits
from reproduction.studies.levels_of_tests import simulation
from reproduction.studies.levels_of_tests.tables.ofer_test_levels import EXPERIMENT

N, K, G = 1000, 3, 7


@pytest.fixture
def small(monkeypatch):
    changes = {"n_objects": N, "n_splits": K, "n_repetitions": 50, "n_groups": G}
    for name, value in changes.items():
        monkeypatch.setitem(simulation.PARAMETERS, name, value)
    simulation._block.cache_clear()
    yield
    simulation._block.cache_clear()


def repeat(population):
    """A repetition, and the splits that it sees."""
    cuts = repeated_splits(N, n_splits=K, train_fraction=0.6, train_sizes=[500], random_state=0)
    trains = [np.array([cut.train(size) for cut in cuts]) for size in simulation.SIZES]
    tests = np.array([np.sort(cut.test) for cut in cuts])
    places = trains, tests, simulation._first_of_groups(tests)
    return simulation._repeat(np.random.default_rng(3), population, *places), cuts


@pytest.mark.parametrize("population", simulation.POPULATIONS)
def test_differences_are_those_of_two_ridge_regressions(small, population):
    X, Y = simulation._draw(np.random.default_rng(3), population)
    found, cuts = repeat(population)
    group = np.arange(N) * G // N
    for (values, groups), size in zip(found, simulation.SIZES, strict=True):
        train, test, losses = cuts[2].train(size), cuts[2].test, []
        for view in X.astype(float):
            Z = view[train]
            coef = np.linalg.solve(Z.T @ Z + np.eye(Z.shape[1]), Z.T @ Y[train])
            predicted = view[test] @ coef
            if population.startswith("classes"):
                losses.append(predicted.argmax(axis=1) != Y[test].argmax(axis=1))
            else:
                losses.append(np.square(Y[test] - predicted).sum(axis=1))
        for kept, value in ((test >= 0, values[2]), (group[test] != 4, groups[2, 4])):
            a, b = (loss[kept].mean() for loss in losses)
            if population.endswith("RRMSE"):
                a, b = np.sqrt(np.array([a, b]) / np.square(Y[test][kept]).sum(axis=1).mean())
            np.testing.assert_allclose(value, a - b, rtol=1e-3, atol=1e-5)


@pytest.mark.parametrize("population", simulation.POPULATIONS)
def test_to_exchange_the_methods_turns_the_sign(small, monkeypatch, population):
    draw = simulation._draw
    found, _ = repeat(population)

    def exchanged(rng, population):
        X, Y = draw(rng, population)
        return X[::-1], Y

    monkeypatch.setattr(simulation, "_draw", exchanged)
    for before, turned in zip(found, repeat(population)[0], strict=True):
        np.testing.assert_array_equal(turned[0], -before[0])
        np.testing.assert_array_equal(turned[1], -before[1])


def test_every_test_has_its_rates(small):
    found = {
        test: simulation.evaluate(None, test, f"100 of {simulation.POPULATIONS[0]}", 0)
        for test in EXPERIMENT.methods
    }
    for rates in found.values():
        for level in simulation.LEVELS:
            assert rates[f"rate_{level}"] <= rates[f"power_{level}"]
            assert rates[f"detectable_{level}"] > rates["standard error"]
    assert found["corrected"]["rate_05"] <= found["Student"]["rate_05"]


def test_the_pigeonhole_bootstrap_is_that_of_many_draws():
    rng = np.random.default_rng(0)
    cells = rng.normal(size=(K, 1)) + rng.normal(size=(1, G)) + rng.normal(size=(K, G))
    without = (cells.sum(axis=1, keepdims=True) - cells) / (G - 1)
    (found,) = simulation._pigeonhole(cells.mean(axis=1)[None], without[None])
    rows, columns = rng.integers(K, size=(20_000, K, 1)), rng.integers(G, size=(20_000, 1, G))
    drawn = cells[rows, columns].mean(axis=(1, 2))
    np.testing.assert_allclose(found, drawn.std(), rtol=0.02)
