"""The simulation of tests on repeated splits."""

import numpy as np
import pytest

from reproduction.papers.ofer import levels_of_tests as levels
from reproduction.statistics.splits import repeated_splits


@pytest.fixture
def small(monkeypatch):
    for name, value in {"n_objects": 120, "n_repetitions": 60, "n_groups": 7}.items():
        monkeypatch.setitem(levels.PARAMETERS, name, value)


@pytest.mark.parametrize("population", levels.POPULATIONS)
def test_differences_are_those_of_two_ridge_regressions(small, population):
    X, Y = levels._draw(np.random.default_rng(3), population)
    seeds = np.random.default_rng(3)
    levels._draw(seeds, population)
    cuts = repeated_splits(
        120, n_splits=10, train_fraction=0.6, train_sizes=[20], random_state=seeds.integers(2**31)
    )
    values, groups = levels._repeat(np.random.default_rng(3), population, 20)
    for k in (0, 9):
        train, test, errors = cuts[k].train(20), cuts[k].test, []
        for view in X:
            Z = view[train]
            coef = np.linalg.solve(Z.T @ Z + np.eye(Z.shape[1]), Z.T @ Y[train])
            errors.append(np.square(Y[test] - view[test] @ coef).sum(axis=1))
        sums = (*errors, np.square(Y[test]).sum(axis=1), np.ones(len(test)))
        for kept, found in ((test >= 0, values[k]), (test % 7 != 4, groups[k, 4])):
            a, b, size, number = (part[kept].sum() for part in sums)
            if population.endswith("squared error"):
                expected = (a - b) / number
            else:
                expected = np.sqrt(a / size) - np.sqrt(b / size)
            np.testing.assert_allclose(found, expected)


def test_to_exchange_the_methods_turns_the_sign(small, monkeypatch):
    draw = levels._draw
    values, _ = levels._repeat(np.random.default_rng(0), levels.POPULATIONS[0], 20)

    def exchanged(rng, population):
        X, Y = draw(rng, population)
        return X[::-1], Y

    monkeypatch.setattr(levels, "_draw", exchanged)
    turned, _ = levels._repeat(np.random.default_rng(0), levels.POPULATIONS[0], 20)
    np.testing.assert_allclose(turned, -values)


def test_every_test_has_its_rates(small):
    found = levels.evaluate(None, levels.POPULATIONS[0], "20", 0)
    for test in levels.TESTS:
        for level in (0.05, 0.001):
            assert found[f"{test}, {level}"] <= found[f"{test}, {level}, with a difference"]
    assert found["corrected, 0.05"] <= found["Student, 0.05"]
