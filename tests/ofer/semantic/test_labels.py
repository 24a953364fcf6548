"""Labels of all types, vectors with masks, and absent samples."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.linear_model import Ridge

from ofer import (
    Candidates,
    Classes,
    GaussianMixtureEmbedding,
    KernelRidgeCV,
    Memberships,
    OutputFisherRegressor,
    SemanticClassifier,
)

RNG = np.random.default_rng(0)
X = RNG.normal(size=(24, 3))
LABELS = np.arange(24) % 3
QUERIES = RNG.normal(size=(7, 3))
VECTORS = RNG.normal(size=(3, 2))
MIXED = {
    "objects": (np.array([1, "a"] * 12, dtype=object), None),
    "a list": ([1, "a"] * 12, None),
    "a series": (pd.Series([1, "a"] * 12), None),
    "keys": ([1, 2] * 12, {1: [0.0, 1.0], 2: [1.0, 0.0], "a": [1.0, 1.0]}),
    "keys and labels": (["1", "2"] * 12, {1: [0.0, 1.0], 2: [1.0, 0.0]}),
    "an index": ([1, 2] * 12, pd.DataFrame(np.eye(3), index=[1, 2, "a"])),
    "missing ones": (np.array([np.nan, "a"] * 12, dtype=object), None),
}


class Untouched(Ridge):
    def fit(self, X, y):
        raise AssertionError("This is work.")


@pytest.mark.parametrize(("y", "vectors"), MIXED.values(), ids=MIXED.keys())
def test_mixed_labels_are_refused_before_any_work(y, vectors):
    with pytest.raises(ValueError, match="must have labels of one type; got"):
        SemanticClassifier(Untouched(), vectors).fit(X, y)


@pytest.mark.parametrize(
    ("y", "vectors"),
    [
        (np.array([None, "a"] * 12, dtype=object), None),
        ([1, 2] * 12, {(1, 2): [0.0, 1.0], (1, 3): [1.0, 0.0]}),
    ],
)
def test_labels_are_numbers_or_strings(y, vectors):
    with pytest.raises(ValueError, match="must have labels that are numbers or strings; got"):
        SemanticClassifier(Untouched(), vectors).fit(X, y)


@pytest.mark.parametrize(
    ("first", "dtype"),
    [(2**53, np.int64), (2**53, np.uint64), (2**63 + 1, np.uint64), (5, np.uint8)],
)
def test_integers_of_any_size_and_sign_are_labels(first, dtype):
    vectors = {first + k: vector for k, vector in enumerate(VECTORS)}
    expected = SemanticClassifier(class_vectors=VECTORS).fit(X, LABELS).predict(QUERIES)
    y = np.array([first + int(k) for k in LABELS], dtype=dtype)
    found = SemanticClassifier(class_vectors=vectors).fit(X, y).predict(QUERIES)
    assert [int(one) - first for one in found] == expected.tolist()


@pytest.mark.parametrize(
    "convert",
    [
        lambda labels: labels.astype(float),
        lambda labels: labels.astype(object),
        lambda labels: labels.tolist(),
        pd.Series,
        lambda labels: pd.Series(labels, dtype="Int64"),
    ],
)
def test_labels_of_other_types(convert):
    expected = SemanticClassifier(class_vectors=VECTORS).fit(X, LABELS).predict(QUERIES)
    model = SemanticClassifier(class_vectors=VECTORS).fit(X, convert(LABELS))
    assert_array_equal(model.predict(QUERIES), expected)


def test_names_of_any_string_type():
    names = np.array(["c", "a", "b"])
    vectors = dict(zip(names.tolist(), VECTORS, strict=True))
    expected = SemanticClassifier(class_vectors=vectors).fit(X, names[LABELS]).predict(QUERIES)
    for y in (names[LABELS].astype(object), pd.Series(names[LABELS], dtype="category")):
        found = SemanticClassifier(class_vectors=vectors).fit(X, y).predict(QUERIES)
        assert_array_equal(found, expected)


HIDDEN = np.ma.masked_array([5.0, 5.0], mask=[True, False])
MASKS = {
    "a mapping": ({0: [1.0, 0.0], 1: [0.0, 1.0], 2: HIDDEN}, {}),
    "rows": ([[1.0, 0.0], [0.0, 1.0], HIDDEN], {}),
    "an array": (np.ma.masked_array(VECTORS, mask=np.eye(3, 2)), {}),
    "weights": (VECTORS, {"sample_weight": np.ma.masked_array(np.ones(24), mask=LABELS == 1)}),
    "candidates": (
        VECTORS,
        {"weak": Candidates(QUERIES, np.ma.masked_array(np.ones((7, 3)), mask=np.eye(7, 3)))},
    ),
}


@pytest.mark.parametrize(("vectors", "options"), MASKS.values(), ids=MASKS.keys())
def test_masks(vectors, options):
    with pytest.raises(ValueError, match="must have no masked entries; got some"):
        SemanticClassifier(class_vectors=vectors).fit(X, LABELS, **options)


@pytest.mark.parametrize(("kind", "name"), [(Classes, "y"), (Memberships, "labels")])
def test_masks_of_weak_labels(kind, name):
    with pytest.raises(ValueError, match=f"{name} must have no masked entries; got some"):
        kind(QUERIES, np.ma.masked_array(np.arange(7) % 2, mask=np.arange(7) == 3))


def test_dates_are_no_vectors():
    days = np.array([["2020-01-01"], ["2021-01-01"], ["2022-01-01"]], dtype="M8[D]")
    for vectors in (days, dict(enumerate(days))):
        with pytest.raises(ValueError, match="class_vectors must hold numbers; got dates"):
            SemanticClassifier(class_vectors=vectors).fit(X, LABELS)


@pytest.mark.parametrize(
    "regressor",
    [
        KernelRidgeCV(kernel="rbf"),
        Ridge(),
        OutputFisherRegressor(
            GaussianMixtureEmbedding(2, reg_covar=0.1, random_state=0), Ridge(), block_wise=True
        ),
    ],
)
@pytest.mark.filterwarnings("ignore:component")
def test_absent_samples(regressor):
    """Their labels may be no class, and the errors of blocks are those of the others."""
    weights = (np.arange(24) % 4).astype(float)
    there = weights > 0
    y = np.where(there, LABELS, 9)
    expected = SemanticClassifier(regressor).fit(X[there], y[there], weights[there])
    found = SemanticClassifier(regressor).fit(X, y, weights)
    assert_array_equal(found.classes_, expected.classes_)
    scores = expected.decision_function(QUERIES)
    assert_allclose(found.decision_function(QUERIES), scores, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("far", [1e6, 1e9])
@pytest.mark.parametrize("decode", ["output", "embedding"])
def test_a_far_class_leaves_the_others_apart(far, decode):
    """Predicted classes are those of the least direct distance."""
    rng = np.random.default_rng(0)
    y = np.repeat(np.arange(4), 10)
    X = 3.0 * np.eye(4)[y] + 0.3 * rng.normal(size=(40, 4))
    vectors = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [far, far]])
    ridge = KernelRidgeCV([0.01], kernel="rbf", gamma=0.5)
    model = SemanticClassifier(ridge, class_vectors=vectors, decode=decode).fit(X, y)
    queries = X + 0.1 * rng.normal(size=X.shape)
    predicted = model.regressor_.predict(queries)
    distances = np.square(predicted[:, None] - vectors).sum(axis=2)
    np.testing.assert_array_equal(model.predict(queries), distances.argmin(axis=1))


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_the_metric_may_change_after_the_fit(metric):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 3)), np.arange(30) % 3
    vectors = np.array([[0.0, 1.0], [1.0, 0.0], [1.0, 3.0]])
    other = {"euclidean": "cosine", "cosine": "euclidean"}[metric]
    expected = SemanticClassifier(class_vectors=vectors, metric=metric).fit(X, y)
    changed = SemanticClassifier(class_vectors=vectors, metric=other).fit(X, y)
    found = changed.set_params(metric=metric).decision_function(X)
    np.testing.assert_allclose(found, expected.decision_function(X))
