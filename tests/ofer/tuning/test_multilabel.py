import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_array_equal
from scipy import sparse
from sklearn.base import clone
from sklearn.decomposition import PCA
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import Ridge
from sklearn.metrics import f1_score
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from ofer import (
    GaussianEmbedding,
    KernelRidgeCV,
    OutputFisherRegressor,
    TunedThresholdMultilabelClassifier,
)
from ofer.tuning.multilabel import _best_threshold

RNG = np.random.default_rng(0)
X = RNG.uniform(-1, 1, size=(80, 3))
Y = (X + 0.3 * RNG.normal(size=X.shape) > 0.4).astype(int)
RBF = KernelRidgeCV(kernel="rbf", gamma=0.5)


def decide(scores, threshold, at_least_one):
    labels = scores > threshold
    if at_least_one:
        labels[np.arange(len(labels)), scores.argmax(axis=1)] = True
    return labels


@pytest.mark.parametrize("at_least_one", [False, True])
@given(data=st.data())
def test_no_threshold_is_better(at_least_one, data):
    """Against every threshold that makes a difference, ties among the scores included."""
    shape = data.draw(st.tuples(st.integers(1, 6), st.integers(2, 5)))
    scores = data.draw(arrays(float, shape, elements=st.integers(-3, 3).map(float)))
    labels = data.draw(arrays(int, shape, elements=st.integers(0, 1)))
    threshold, found = _best_threshold(scores, labels, at_least_one, np.ones(len(labels)))

    def f1(threshold):
        decided = decide(scores, threshold, at_least_one)
        return f1_score(labels, decided, average="samples", zero_division=0)

    assert found == pytest.approx(f1(threshold), abs=1e-12)
    assert found >= max(f1(t) for t in np.arange(-3.5, 3.5)) - 1e-12


@pytest.mark.parametrize("at_least_one", [False, True])
def test_threshold_is_that_of_refits(at_least_one):
    """Leave-one-out with refits at the chosen ridge finds the same threshold."""
    model = TunedThresholdMultilabelClassifier(RBF, at_least_one=at_least_one).fit(X, Y)
    ridge = clone(RBF).set_params(alphas=[model.regressor_.alpha_])
    scores = np.vstack(
        [
            clone(ridge).fit(np.delete(X, i, 0), np.delete(Y, i, 0)).predict(X[[i]])
            for i in range(len(X))
        ]
    )
    threshold, found = _best_threshold(scores, Y, at_least_one, np.ones(len(Y)))
    assert model.threshold_ == pytest.approx(threshold, abs=1e-9)
    assert model.best_score_ == pytest.approx(found)
    assert_array_equal(
        model.predict(X), decide(model.regressor_.predict(X), threshold, at_least_one)
    )


@pytest.mark.parametrize("at_least_one", [False, True])
def test_weights_are_repetitions_in_the_choice_of_a_threshold(at_least_one):
    scores, weights = RNG.normal(size=Y.shape), np.arange(80) % 4
    repeated = (np.repeat(one, weights, axis=0) for one in (scores, Y))
    expected = _best_threshold(*repeated, at_least_one, np.ones(weights.sum()))
    seen = weights > 0
    found = _best_threshold(scores[seen], Y[seen], at_least_one, weights[seen])
    assert found == pytest.approx(expected)


PIPELINES = [
    make_pipeline(StandardScaler(), RBF),
    make_pipeline(PCA(2, whiten=True), RBF),
    make_pipeline(StandardScaler(), OutputFisherRegressor(GaussianEmbedding(), RBF)),
    OutputFisherRegressor(GaussianEmbedding(), make_pipeline(StandardScaler(), RBF)),
]


def test_a_pipeline_has_the_threshold_of_its_last_step():
    inputs = X * [1.0, 1e3, 1e-3]
    scaled = StandardScaler().fit_transform(inputs)
    expected = TunedThresholdMultilabelClassifier(RBF).fit(scaled, Y)
    for regressor in (PIPELINES[0], *PIPELINES[2:]):
        model = TunedThresholdMultilabelClassifier(regressor).fit(inputs, Y)
        assert model.threshold_ == pytest.approx(expected.threshold_, abs=1e-9)


def test_weights_need_a_regressor_that_takes_them():
    model = TunedThresholdMultilabelClassifier(KNeighborsRegressor())
    with pytest.raises(ValueError, match="sample_weight must be None for KNeighborsRegressor"):
        model.fit(X, Y, np.ones(80))


def test_at_least_one_label():
    few = np.eye(3, dtype=int)[RNG.integers(0, 3, 80)]
    model = TunedThresholdMultilabelClassifier(RBF, at_least_one=True).fit(X, few)
    assert (model.predict(X).sum(axis=1) >= 1).all()
    free = TunedThresholdMultilabelClassifier(RBF).fit(X, few)
    assert_array_equal(free.predict(X), free.decision_function(X) > 0)
    assert model.best_score_ >= free.best_score_


def test_labels_may_be_sparse():
    expected = TunedThresholdMultilabelClassifier(RBF).fit(X, Y).predict(X)
    found = TunedThresholdMultilabelClassifier(RBF).fit(X, sparse.csr_matrix(Y)).predict(X)
    assert_array_equal(found, expected)


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (2 * Y, "y must hold indicators of labels, 0 or 1; got 2"),
        (np.zeros_like(Y), "y must have at least one label that is 1; got none"),
        (Y[:, 0], "Expected 2D array, got 1D array"),
        (np.where(Y == 1, np.nan, 0.0), "Input y contains NaN"),
        (Y[:-1], "inconsistent numbers of samples"),
    ],
)
def test_labels_that_are_none(labels, message):
    with pytest.raises(ValueError, match=message):
        TunedThresholdMultilabelClassifier(RBF).fit(X, labels)


@pytest.mark.parametrize("regressor", [Ridge(), DummyRegressor()])
def test_regressors_without_leave_one_out(regressor):
    message = f"regressor must have leave-one-out predictions.*{type(regressor).__name__}"
    with pytest.raises(ValueError, match=message):
        TunedThresholdMultilabelClassifier(regressor).fit(X, Y)
