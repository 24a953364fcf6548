"""What no unit, no far sample, no order and no failed fit may change in local predictors."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_matrix
from sklearn.exceptions import NotFittedError

from ofer.companions import ChainOutputs, LocalStructuredPredictor
from ofer.companions.local_structured.neighborhoods import find_neighborhoods, nearest_neighbors
from ofer.companions.local_structured.training import Trainer

# Some of the small problems collapse, or end above their start; that is not asked about here.
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")

RNG = np.random.default_rng(0)
TRUTH = RNG.integers(3, size=60)
X = 2.0 * np.eye(3)[TRUTH] + 0.7 * RNG.normal(size=(60, 3))
PARTLY = np.where(RNG.random(60) < 0.4, TRUTH, -1)
ROWS = [RNG.normal(size=(6, 3)) for _ in range(24)]
TAGS = [list(np.where(one[:, 0] > 0, "a", "b")) if i % 3 else None for i, one in enumerate(ROWS)]
QUICK = {"n_neighbors": 5, "n_iter": 8, "random_state": 0}
STARTS = ["neighbors", "global", "random"]


def serially(tasks):
    return [function(*args, **options) for function, args, options in tasks]


@pytest.mark.parametrize("unit", [1e-12, 1e-9, 0.0254, 1e3, 1e12])
@pytest.mark.parametrize("y_init", STARTS)
@pytest.mark.parametrize("make", [np.asarray, csr_matrix], ids=["dense", "sparse"])
def test_classes_in_another_unit(make, y_init, unit):
    model = LocalStructuredPredictor(y_init=y_init, **QUICK)
    ours = model.fit(make(X), PARTLY)
    start, outputs, predicted = ours.initial_transduction_, ours.transduction_, ours.predict(X)
    history = ours.objective_history_
    other = model.fit(make(unit * X), PARTLY)
    assert_array_equal(other.initial_transduction_, start)
    assert_array_equal(other.transduction_, outputs)
    assert_array_equal(other.predict(unit * X), predicted)
    assert_allclose(other.objective_history_, history, rtol=1e-9)
    assert len(np.unique(start)) == 3


@pytest.mark.parametrize("unit", [1e-12, 1e-3, 1e9])
@pytest.mark.parametrize("intercept", [False, True])
def test_a_perceptron_s_start_in_another_unit(intercept, unit):
    """Its constant and its transitions are in the unit of the rows."""
    model = LocalStructuredPredictor(
        "chain", y_init="global", fit_intercept=intercept, **QUICK | {"n_iter": 1}
    )
    ours = model.fit(ROWS, TAGS).initial_transduction_
    other = model.fit([unit * one for one in ROWS], TAGS).initial_transduction_
    assert_array_equal(np.concatenate(other), np.concatenate(ours))
    right = [np.where(one[:, 0] > 0, "a", "b") for one in ROWS]
    assert np.mean(np.concatenate(ours) == np.concatenate(right)) > 0.9


@pytest.mark.parametrize("unit", [1e-12, 1e-3, 1e9])
@pytest.mark.parametrize("loss", ["zero_one", "hamming"])
@pytest.mark.parametrize("y_init", STARTS)
def test_sequences_in_another_unit(y_init, loss, unit):
    model = LocalStructuredPredictor(ChainOutputs(loss=loss), y_init=y_init, **QUICK)
    ours = model.fit(ROWS, TAGS)
    learnt, predicted = np.concatenate(ours.transduction_), np.concatenate(ours.predict(ROWS))
    history = ours.objective_history_
    scaled = [unit * one for one in ROWS]
    other = model.fit(scaled, TAGS)
    assert_allclose(other.objective_history_, history, rtol=1e-9)
    assert_array_equal(np.concatenate(other.transduction_), learnt)
    assert_array_equal(np.concatenate(other.predict(scaled)), predicted)


@pytest.mark.parametrize("n_columns", [3, 20])  # of few and of many, searches differ
def test_neighbours_beside_a_far_sample(n_columns):
    points = RNG.normal(size=(40, n_columns))
    far = np.vstack([points, np.full((2, n_columns), 1e9), np.full((1, n_columns), 1e9 + 1e3)])
    found = find_neighborhoods(far, 4, serially)
    assert_array_equal(found[:40], find_neighborhoods(points, 4, serially))
    near = nearest_neighbors(far, points + 0.1, 4, serially)
    assert_array_equal(near, nearest_neighbors(points, points + 0.1, 4, serially))
    assert set(found[42]) >= {40, 41, 42}


def test_a_start_beside_a_far_sample():
    """Neighbours of unlabelled samples, which are searched without the others."""
    wide = np.hstack([X, 0.1 * RNG.normal(size=(60, 20))])
    model = LocalStructuredPredictor(**QUICK)
    ours = model.fit(wide, PARTLY).initial_transduction_
    for offset in (0.0, 1e9):
        far = offset + np.vstack([wide, np.full((1, 23), 1e9)])
        other = model.fit(far, np.append(PARTLY, 0)).initial_transduction_
        assert np.mean(other[:-1] == ours) > (0.99 if offset == 0 else 0.9)


def test_a_query_alone_equals_it_in_company():
    model = LocalStructuredPredictor(**QUICK).fit(X, PARTLY)
    company = model.predict(np.vstack([X, np.full((1, 3), 1e9)]))[:-1]
    assert_array_equal(company, np.concatenate([model.predict(one[None]) for one in X]))


def test_order_of_samples_and_names_of_labels():
    order, names = RNG.permutation(60), np.array(["c", "a", "b"])
    ours = LocalStructuredPredictor(**QUICK).fit(X, PARTLY)
    other = LocalStructuredPredictor(**QUICK).fit(X[order], PARTLY[order])
    assert_array_equal(other.predict(X), ours.predict(X))
    assert_array_equal(other.transduction_, ours.transduction_[order])
    named = [names[label] if label >= 0 else None for label in PARTLY]
    other = LocalStructuredPredictor(**QUICK).fit(X, named)
    assert_array_equal(other.transduction_, names[ours.transduction_])


FAILURES = {
    "refused labels": ({}, X[:, :2], [*PARTLY[:-1], "b"], ValueError),
    "refused parameter": ({"n_neighbors": 99}, X[:, :2], PARTLY, ValueError),
    "interrupted": ({"kernel": "rbf"}, X[:, :2], PARTLY, KeyboardInterrupt),
}


@pytest.mark.parametrize("name", FAILURES)
def test_a_failed_fit_leaves_the_model(name, monkeypatch):
    params, inputs, outputs, error = FAILURES[name]
    model, untouched = (LocalStructuredPredictor(**QUICK) for _ in range(2))
    before = model.fit(X, PARTLY).predict(X)
    if error is KeyboardInterrupt:

        def interrupt(*args):
            raise KeyboardInterrupt

        monkeypatch.setattr(Trainer, "iterate", interrupt)
    for one in (model, untouched):
        with pytest.raises(error):
            one.set_params(**params).fit(inputs, outputs)
    assert_array_equal(model.predict(X), before)
    assert model.n_features_in_ == 3
    for question in (lambda: untouched.predict(X), lambda: untouched.classes_):
        with pytest.raises(NotFittedError):
            question()
