"""Scores that are equal up to roundoff are equal: the order of the samples decides nothing."""

import numpy as np
import pytest

from ofer import (
    CrossConformalClassifier,
    FullConformalRegressor,
    JackknifePlus,
    KernelRidgeCV,
    SemanticClassifier,
)

KINDS = np.repeat([0, 1, 2], 10)
X = np.eye(3)[KINDS]  # inputs of three values, so that most scores have twins
Y = np.array([0] * 7 + [1] * 3 + [1] * 6 + [0] * 4 + [2] * 7 + [1] * 3)
QUERIES, OUTPUTS = np.repeat(np.eye(3), 3, axis=0), np.tile([0.0, 1.0, 2.0], 3)
RIDGE = KernelRidgeCV([0.4], kernel="rbf", gamma=0.7)
ORDERS = [np.random.default_rng(seed).permutation(30) for seed in range(8)]

pytestmark = pytest.mark.filterwarnings("ignore")  # of copies, which these are


@pytest.mark.parametrize("make", [JackknifePlus, FullConformalRegressor])
def test_regions_do_not_depend_on_the_order(make):
    answers = set()
    for order in ORDERS:
        model = make(RIDGE, confidence_level=0.7).fit(X[order], 1.0 * Y[order])
        inside = model.contains(QUERIES, OUTPUTS)
        lower, upper = model.predict_interval(QUERIES).T
        np.testing.assert_array_equal(inside, (lower <= OUTPUTS) & (upper >= OUTPUTS))
        answers.add(tuple(inside))
    assert len(answers) == 1


@pytest.mark.parametrize("selection", ["fixed", "inside"])
def test_sets_of_classes_do_not_depend_on_the_order(selection):
    model = CrossConformalClassifier(
        SemanticClassifier(RIDGE), confidence_level=0.8, allow_empty=True, selection=selection
    )
    sets = [model.fit(X[order], Y[order]).predict_set(np.eye(3)) for order in ORDERS]
    for one in sets:
        np.testing.assert_array_equal(one, sets[0])


@pytest.mark.parametrize("unit", [1e-9, 1.0, 1e9])
@pytest.mark.parametrize("offset", [0.0, 1e3])
def test_sets_depend_on_no_unit_and_no_origin(unit, offset):
    vectors = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    expected = CrossConformalClassifier(
        SemanticClassifier(RIDGE, class_vectors=vectors), confidence_level=0.8
    ).fit(X, Y)
    moved = CrossConformalClassifier(
        SemanticClassifier(RIDGE, class_vectors=unit * (vectors + offset)), confidence_level=0.8
    ).fit(X, Y)
    np.testing.assert_array_equal(moved.predict_set(np.eye(3)), expected.predict_set(np.eye(3)))


@pytest.mark.parametrize("shape", ["box", "ellipsoid"])
@pytest.mark.parametrize("selection", ["fixed", "inside"])
def test_intervals_hold_what_regions_of_several_outputs_contain(shape, selection):
    rng = np.random.default_rng(0)
    inputs, queries = rng.normal(size=(25, 2)), rng.normal(size=(60, 2))
    outputs = np.round(np.column_stack([inputs[:, 0], inputs.sum(axis=1)]), 1)
    model = FullConformalRegressor(
        KernelRidgeCV([0.1, 1.0], kernel="rbf", gamma=0.5),
        confidence_level=0.8, shape=shape, selection=selection,
    ).fit(inputs, outputs)  # fmt: skip
    tried = model.predict(queries) + np.logspace(-3, 0, 60)[:, None] * rng.normal(size=(60, 2))
    lower, upper = np.moveaxis(model.predict_interval(queries), -1, 0)
    held = ((lower <= tried) & (tried <= upper)).all(axis=1)
    inside = model.contains(queries, tried)
    assert inside.any()
    assert held[inside].all()
