"""Sets of classes: the definition by refits, and coverage."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import binom

from ofer import (
    CrossConformalClassifier,
    GaussianEmbedding,
    KernelRidgeCV,
    OutputFisherRegressor,
    SemanticClassifier,
)

VECTORS = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 3.0], [2.5, 2.5]])  # of the last, no example


def draw(rng, n):
    y = rng.integers(3, size=n)
    return VECTORS[y] + rng.normal(size=(n, 2)), y


def by_hand(X, y, queries, level):
    """Sets from the definition, with n refits."""
    ridge = KernelRidgeCV([0.3], kernel="rbf", gamma=0.3)
    own, others = [], []
    for i in range(len(X)):
        kept = np.delete(np.arange(len(X)), i)
        fit = ridge.fit(X[kept], VECTORS[y[kept]])
        for inputs, scores in ((X[[i]], own), (queries, others)):
            squares = np.square(fit.predict(inputs)[:, None] - VECTORS).sum(axis=2)
            nearest = [np.delete(squares, k, axis=1).min(axis=1) for k in range(4)]
            scores.append(squares - np.transpose(nearest))
    own = np.array([one[0, k] for one, k in zip(own, y, strict=True)])
    return (own[:, None, None] < np.array(others)).sum(axis=0) < level * (len(X) + 1)


@pytest.mark.parametrize("level", [0.6, 0.9])
def test_equals_refits(level):
    rng = np.random.default_rng(0)
    (X, y), (queries, _) = draw(rng, 40), draw(rng, 15)
    classifier = SemanticClassifier(KernelRidgeCV([0.3], kernel="rbf", gamma=0.3), VECTORS)
    model = CrossConformalClassifier(classifier, confidence_level=level).fit(X, y)
    found = model.predict_set(queries)
    assert_array_equal(found, by_hand(X, y, queries, level))
    assert 0 < found.mean() < 1
    assert_array_equal(model.predict(queries), classifier.fit(X, y).predict(queries))


@pytest.mark.parametrize(
    "regressor",
    [
        KernelRidgeCV([1.0], kernel="rbf"),
        OutputFisherRegressor(GaussianEmbedding(), KernelRidgeCV([1.0], kernel="rbf")),
    ],
    ids=lambda one: type(one).__name__,
)
def test_coverage_is_within_binomial_bands(regressor):
    rng, level, hits = np.random.default_rng(0), 0.8, 0
    for _ in range(100):
        (X, y), (query, label) = draw(rng, 25), draw(rng, 1)
        y[:3] = 0, 1, 2
        classifier = SemanticClassifier(regressor, VECTORS)
        model = CrossConformalClassifier(classifier, confidence_level=level).fit(X, y)
        hits += model.predict_set(query)[0, label[0]]
    low, high = binom.ppf([0.001, 0.999], 100, level)
    assert low <= hits <= high


def test_labels_of_any_kind_and_few_samples():
    X, y = np.array([[0.0], [0.1], [1.0], [1.1]]), ["b", "b", "a", "a"]
    model = CrossConformalClassifier(confidence_level=0.8).fit(X, y)
    assert model.classes_.tolist() == ["a", "b"]
    assert_array_equal(model.predict_set([[0.0], [1.0]]), [[False, True], [True, False]])
    few = CrossConformalClassifier(confidence_level=0.81).fit(X, y)
    assert few.predict_set([[0.0]]).all()


def test_sets_grow_with_the_level():
    rng = np.random.default_rng(0)
    X, y = draw(rng, 60)
    sets = [
        CrossConformalClassifier(confidence_level=level).fit(X, y).predict_set(X)
        for level in (0.5, 0.7, 0.9)
    ]
    assert (sets[0] <= sets[1]).all()
    assert (sets[1] <= sets[2]).all()
    assert_allclose(np.diff([one.mean() for one in sets]) > 0, True)
