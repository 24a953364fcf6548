"""The rule without ablation is that of the package, and each safeguard has its part."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from ofer import Candidates, SemanticClassifier
from reproduction.studies.second_volume.open_classes.ridges import gain
from reproduction.studies.second_volume.open_classes.safeguards import WITHOUT, evaluate, infer
from reproduction.studies.second_volume.open_classes.small import draw, load_both

DATA = load_both()
PROBLEM = draw(DATA, "wine groups 3", 0)
SHUFFLED = np.append(
    np.arange(PROBLEM.n), np.random.default_rng(0).permutation(range(PROBLEM.n, len(PROBLEM.X)))
)


@pytest.mark.parametrize("problem", [PROBLEM, draw(DATA, "digits parity 1", 1)])
def test_with_all_safeguards_it_is_the_package(problem):
    classes, used = infer(problem)
    assert used
    assert_array_equal(classes, gain(problem))


def test_widths_are_those_of_the_package():
    n, gammas = PROBLEM.n, PROBLEM.gamma * np.array([0.5, 4.0])
    ridge = PROBLEM.regressor().set_params(gamma=gammas)
    model = SemanticClassifier(ridge, PROBLEM.indicators)
    model.fit(
        PROBLEM.X[:n], PROBLEM.y[:n],
        weak=Candidates(PROBLEM.X[n:], PROBLEM.still_open[n:]),
    )  # fmt: skip
    classes, _ = infer(PROBLEM, width_factors=[0.5, 4.0])
    assert_array_equal(classes, model.predict(PROBLEM.X_test))


def test_the_null_gain_ignores_what_the_package_does():
    wrong = PROBLEM._replace(still_open=PROBLEM.still_open[SHUFFLED])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = gain(wrong)
    classes, used = infer(wrong)
    assert not used
    assert_array_equal(classes, expected)
    assert infer(wrong, null=False)[1]


def test_every_form_is_evaluated():
    for name in WITHOUT:
        found = evaluate(DATA, name, "wine two 3, shuffled", 0)
        assert found["used"] in (0.0, 1.0)
        assert 0 < found["accuracy"] <= 100
    assert evaluate(DATA, "no null gain", "wine two 3, shuffled", 0)["used"]
