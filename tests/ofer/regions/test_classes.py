"""Sets of classes: the definition by refits, and coverage."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy.stats import binom
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from ofer import (
    CrossConformalClassifier,
    GaussianEmbedding,
    KernelRidgeCV,
    OutputFisherRegressor,
    SemanticClassifier,
)

quiet = pytest.mark.filterwarnings("ignore:alphas should have")  # the grids here are short
VECTORS = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 3.0], [2.5, 2.5]])  # of the last, no example


def draw(rng, n):
    y = rng.integers(3, size=n)
    return VECTORS[y] + rng.normal(size=(n, 2)), y


def by_hand(X, y, queries, level, groups=None):
    """Sets from the definition, with n refits."""
    groups = np.arange(len(X)) if groups is None else groups
    ridge = KernelRidgeCV([0.3], kernel="rbf", gamma=0.3)
    own, others = [], []
    for i in range(len(X)):
        kept = np.flatnonzero(groups != groups[i])
        fit = ridge.fit(X[kept], VECTORS[y[kept]])
        for inputs, scores in ((X[[i]], own), (queries, others)):
            squares = np.square(fit.predict(inputs)[:, None] - VECTORS).sum(axis=2)
            nearest = [np.delete(squares, k, axis=1).min(axis=1) for k in range(4)]
            scores.append(squares - np.transpose(nearest))
    own = np.array([one[0, k] for one, k in zip(own, y, strict=True)])
    return (own[:, None, None] < np.array(others)).sum(axis=0) < level * (len(X) + 1)


@pytest.mark.parametrize("groups", [None, np.arange(25) % 7])
@pytest.mark.parametrize("level", [0.6, 0.9])
def test_equals_refits(level, groups):
    rng = np.random.default_rng(0)
    (X, y), (queries, _) = draw(rng, 25), draw(rng, 15)
    classifier = SemanticClassifier(KernelRidgeCV([0.3], kernel="rbf", gamma=0.3), VECTORS)
    model = CrossConformalClassifier(classifier, confidence_level=level, allow_empty=True)
    found = model.fit(X, y, groups=groups).predict_set(queries)
    assert_array_equal(found, by_hand(X, y, queries, level, groups))
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
        (X, y), (query, label) = draw(rng, 15), draw(rng, 1)
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


@pytest.mark.parametrize("empty", [False, True])
def test_sets_grow_with_the_level(empty):
    rng = np.random.default_rng(0)
    X, y = draw(rng, 60)
    sets = [
        CrossConformalClassifier(confidence_level=level, allow_empty=empty).fit(X, y).predict_set(X)
        for level in (0.5, 0.7, 0.9)
    ]
    assert (sets[0] <= sets[1]).all()
    assert (sets[1] <= sets[2]).all()
    assert sets[0].mean() < sets[2].mean()


def separated(n=60):
    """Three classes that are told apart almost always, in units that differ."""
    rng = np.random.default_rng(3)
    y = rng.integers(3, size=n)
    return (VECTORS[y] + 0.5 * rng.normal(size=(n, 2))) * [1.0, 1000.0], y


def test_no_set_is_empty_unless_that_is_asked_for():
    """What is added is a class of the fewest odd fits: sets only grow."""
    (X, y), (queries, labels) = separated(), separated(300)
    linear = SemanticClassifier(KernelRidgeCV())  # has hardly any ties
    model = CrossConformalClassifier(make_pipeline(StandardScaler(), linear))
    model = model.set_params(confidence_level=0.7).fit(X, y)
    found = model.predict_set(queries)
    with_empty = model.set_params(allow_empty=True).predict_set(queries)
    empty = ~with_empty.any(axis=1)
    assert 0 < empty.mean() < 0.5
    assert_array_equal(found[~empty], with_empty[~empty])
    assert found.any(axis=1).all()
    assert found[empty].sum(axis=1).mean() < 1.1
    assert found[np.arange(300), labels].mean() > with_empty[np.arange(300), labels].mean()


def in_front_and_inside(scaler, ridge):
    return (
        make_pipeline(scaler, SemanticClassifier(ridge)),
        SemanticClassifier(make_pipeline(scaler, ridge)),
    )


@pytest.mark.parametrize("weights", [None, np.arange(60) % 3], ids=["equal", "weighted"])
@pytest.mark.parametrize("place", [0, 1])
def test_pipelines_are_exact_given_their_scaler(place, weights):
    (X, y), (queries, _) = separated(), separated(50)
    ridge = KernelRidgeCV([0.3], kernel="rbf", gamma=0.5)
    estimator = in_front_and_inside(StandardScaler(), ridge)[place]
    model = CrossConformalClassifier(estimator).fit(X, y, weights)
    scaler = StandardScaler().fit(X, sample_weight=weights)
    alone = CrossConformalClassifier(SemanticClassifier(ridge))
    alone.fit(scaler.transform(X), y, weights)
    scaled = scaler.transform(queries)
    assert_array_equal(model.predict_set(queries), alone.predict_set(scaled))
    assert_array_equal(model.predict(queries), alone.predict(scaled))


def test_what_takes_no_weights_says_so():
    (X, y), model = separated(), CrossConformalClassifier(SemanticClassifier(KNeighborsRegressor()))
    with pytest.raises(ValueError, match="sample_weight must be None for KNeighborsRegressor"):
        model.fit(X, y, np.ones(60))


@pytest.mark.parametrize("level", [90, -1])
def test_the_level_is_checked_where_it_is_used(level):
    X, y = draw(np.random.default_rng(0), 30)
    model = CrossConformalClassifier().fit(X, y).set_params(confidence_level=level)
    with pytest.raises(ValueError, match="'confidence_level' parameter"):
        model.predict_set(X)


def test_other_classifiers_are_refused_before_they_are_fitted():
    X, y = draw(np.random.default_rng(0), 30)
    for other in (LogisticRegression(), make_pipeline(StandardScaler(), LogisticRegression())):
        with pytest.raises(ValueError, match=r"estimator must be a SemanticClassifier.*; got "):
            CrossConformalClassifier(other).fit(X, y)


@quiet
@pytest.mark.parametrize("weighted", [False, True])
def test_inside_equals_refits_with_each_class(weighted):
    rng, alphas = np.random.default_rng(3), [0.01, 0.3, 3.0]
    (X, y), (queries, _) = draw(rng, 14), draw(rng, 6)
    weights = rng.integers(1, 3, size=14).astype(float) if weighted else None
    seen = np.append(np.ones(14) if weights is None else weights, 1.0)
    classifier = SemanticClassifier(KernelRidgeCV(alphas, kernel="rbf", gamma=0.3), VECTORS)
    options = {"confidence_level": 0.7, "allow_empty": True, "selection": "inside"}
    found = CrossConformalClassifier(classifier, **options).fit(X, y, weights).predict_set(queries)
    for query, row in zip(queries, found, strict=True):
        for label in range(4):
            inputs, labels = np.vstack([X, query]), np.append(y, label)
            # with default scoring, in units of the variances of all
            ridge = KernelRidgeCV(alphas, kernel="rbf", gamma=0.3)
            ridge.fit(inputs, VECTORS[labels], seen)
            left_out = VECTORS[labels] - ridge.loo_residuals_
            squares = np.square(left_out[:, None] - VECTORS).sum(axis=2)
            own = squares[np.arange(15), labels]
            squares[np.arange(15), labels] = np.inf
            scores = own - squares.min(axis=1)
            assert row[label] == ((scores[:-1] < scores[-1]).sum() < 0.7 * 15)


@quiet
@pytest.mark.parametrize("options", [{}, {"smoothed": True, "random_state": 0}])
def test_inside_keeps_the_level(options):
    rng, held = np.random.default_rng(0), []
    ridge = KernelRidgeCV([0.1, 10.0], kernel="rbf", gamma=0.3)
    options = options | {"allow_empty": True, "selection": "inside", "confidence_level": 0.8}
    model = CrossConformalClassifier(SemanticClassifier(ridge), **options)
    for _ in range(60):
        X, y = draw(rng, 12 + 40)
        y[:3] = range(3)  # each class is there
        sets = model.fit(X[:12], y[:12]).predict_set(X[12:])
        held.append(sets[np.arange(40), y[12:]].mean())
    expected = 0.8 if "smoothed" in options else np.ceil(0.8 * 13) / 13
    assert abs(np.mean(held) - expected) < 4 * np.std(held) / np.sqrt(60) + 0.02


def test_inside_needs_kernel_ridge_regression():
    rng = np.random.default_rng(0)
    X, y = draw(rng, 20)
    other = SemanticClassifier(OutputFisherRegressor(GaussianEmbedding()))
    for classifier, groups in ((other, None), (SemanticClassifier(), np.arange(20) % 5)):
        model = CrossConformalClassifier(classifier, selection="inside")
        with pytest.raises(ValueError, match="selection must be 'fixed' with groups, or if"):
            model.fit(X, y, groups=groups)
