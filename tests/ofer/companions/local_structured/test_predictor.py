"""LocalStructuredPredictor: what it predicts, where it starts, and what it refuses."""

import itertools
import re

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from scipy.spatial.distance import cdist
from sklearn.datasets import load_wine, make_blobs
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler, normalize

from ofer.companions import (
    LocalStructuredPredictor,
    MulticlassOutputs,
    TreeOutputs,
)
from ofer.companions.local_structured import predictor as module
from ofer.companions.local_structured.neighborhoods import Neighborhoods
from ofer.companions.local_structured.perceptron import learn_weights, predict_encoded

QUICK = {"n_neighbors": 6, "n_iter": 8, "C": 0.3}


def fit(problem, **params):
    return LocalStructuredPredictor(problem.space, **(QUICK | params)).fit(
        problem.X, problem.partly
    )


def as_list(outputs):
    return [np.asarray(y).tolist() for y in outputs]


def test_prediction_is_that_of_the_average_predictor(problem, make_problem):
    """Equation (21), with explicit weights and an enumeration."""
    model = fit(problem, fit_intercept=True)
    space, K = problem.space, problem.space.n_codes_
    neighborhoods = Neighborhoods.of(model.neighbors_, problem.inputs)
    sizes = neighborhoods.sizes
    cuts = np.cumsum(sizes)[:-1]
    rows = np.column_stack([problem.inputs.rows, np.ones(len(problem.inputs.rows))])
    weights = [
        rows[r].T @ a
        for r, a in zip(
            np.split(neighborhoods.rows, cuts),
            np.split(model.dual_coef_, cuts),
            strict=True,
        )
    ]
    name = {v: k for k, v in {"chain": "zero_one", "hamming": "hamming"}.items()}.get(
        getattr(space, "loss", None), "multiclass" if space.n_codes_ == 3 else "tree"
    )
    fresh = make_problem(name, n=15, seed=1)
    predicted = model.predict(fresh.X)
    centres = [np.atleast_2d(x).mean(axis=0) for x in problem.X]
    for x, y in zip(fresh.X, predicted, strict=True):
        x = np.atleast_2d(x)
        near = np.argsort(cdist(x.mean(axis=0)[None], centres)[0])[: model.n_neighbors]
        scores = np.column_stack([x, np.ones(len(x))]) @ np.mean([weights[i] for i in near], axis=0)
        shared = model.shared_coef_[near].mean(axis=0)
        if not space.sequential:
            assert y == (space.codes_ @ scores[0]).argmax()
            continue

        def value(states, scores=scores, shared=shared):
            moves = sum(shared[a * K + b] for a, b in itertools.pairwise(states))
            return sum(scores[t, s] for t, s in enumerate(states)) + moves

        best = max(itertools.product(range(K), repeat=len(x)), key=value)
        assert y.tolist() == list(best)


def test_predictions_in_parts(problem, monkeypatch):
    model = fit(problem)
    whole = as_list(model.predict(problem.X))
    monkeypatch.setattr(module, "_KERNEL_VALUES", 1)
    assert as_list(model.predict(problem.X)) == whole


def test_objective_at_the_start_is_the_largest_loss(make_problem):
    """With zero weights the bound is the greatest loss there is, once for each predictor."""
    for name, loss in (("multiclass", 1.0), ("chain", 1.0)):
        model = fit(make_problem(name))
        assert model.objective_history_[0] == pytest.approx(loss * len(model.neighbors_))


@pytest.mark.filterwarnings("ignore:the objective is larger at the end")
def test_labelled_outputs_are_kept(problem):
    for y_step in ("literal", "upper_bound", None):
        model = fit(problem, y_step=y_step, y_init="random", random_state=0)
        for given_y, learnt, known in zip(
            problem.y, model.transduction_, problem.labelled, strict=True
        ):
            if known:
                np.testing.assert_array_equal(learnt, given_y)


def test_start_from_the_nearest_labelled_rows(problem):
    model = fit(problem)
    known = np.repeat(problem.labelled, problem.inputs.lengths)
    nearest = KNeighborsClassifier(5, weights="distance").fit(
        problem.inputs.rows[known], problem.encoded[known]
    )
    expected = np.where(known, problem.encoded, nearest.predict(problem.inputs.rows))
    np.testing.assert_array_equal(np.hstack(model.initial_transduction_), expected)


def test_start_from_a_global_predictor(problem):
    model = fit(problem, y_init="global", random_state=3)
    seen, unseen = (
        problem.inputs.take(np.flatnonzero(part)) for part in (problem.labelled, ~problem.labelled)
    )
    known = np.repeat(problem.labelled, problem.inputs.lengths)
    options = {"n_iter": 10, "fit_intercept": False, "rng": np.random.RandomState(3)}
    weights = learn_weights(seen, problem.encoded[known], problem.space, **options)
    expected = problem.encoded.copy()
    expected[~known] = predict_encoded(unseen, problem.space, *weights, fit_intercept=False)
    np.testing.assert_array_equal(np.hstack(model.initial_transduction_), expected)


def test_random_start_is_reproducible_and_uses_all_labels(problem):
    first, again, other = (fit(problem, y_init="random", random_state=s) for s in (0, 0, 1))
    starts = [as_list(model.initial_transduction_) for model in (first, again, other)]
    assert starts[0] == starts[1] != starts[2]
    assert set(np.hstack(first.initial_transduction_)) == {0, 1, 2}


def test_start_from_given_outputs(problem):
    model = fit(problem, y_init=problem.y, y_step=None)
    assert as_list(model.transduction_) == as_list(problem.y)


def test_labels_may_be_words_with_none_for_missing():
    X, y = make_blobs(60, centers=3, random_state=0)
    words = np.array(["ant", "bee", "cat"])[y]
    partly = [word if i % 4 == 0 else None for i, word in enumerate(words)]
    model = LocalStructuredPredictor(eta0=0.1).fit(X, partly)
    assert model.score(X, words) > 0.8
    numbers = LocalStructuredPredictor(eta0=0.1).fit(X, np.where(np.arange(60) % 4 == 0, y, -1))
    np.testing.assert_array_equal(
        model.predict(X), np.array(["ant", "bee", "cat"])[numbers.predict(X)]
    )


def test_score_is_one_minus_the_mean_loss():
    X, y = np.array([[0.0], [1.0], [5.0], [6.0]]), np.array([0, 1, 2, -1])
    tree = TreeOutputs([-1, 0, 0, 1, 1], leaves=[3, 4, 2])
    model = LocalStructuredPredictor(tree, n_neighbors=1, n_iter=5).fit(X, y)
    np.testing.assert_array_equal(model.predict(X[:3]), [0, 1, 2])
    assert model.score(X[:3], [1, 1, 0]) == 0.0  # losses 1, 0 and 2


@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([["a", "b"], ["a"]], r"y\[0\] must have 1 labels, .* row of X\[0\]; got 2"),
        ([["a"], ["a"]], r"y\[1\] must have 2 labels, .* row of X\[1\]; got 1"),
    ],
)
def test_a_score_needs_a_label_for_each_step(y, message):
    """As many labels as steps in all are not enough, if they belong to other sequences."""
    X = [np.zeros((1, 1)), np.ones((2, 1))]
    model = LocalStructuredPredictor("chain", n_neighbors=2).fit(X, [["a"], ["a", "b"]])
    model.score(X, [["a"], ["b", "b"]])
    with pytest.raises(ValueError, match=message):
        model.score(X, y)


def test_collapse_is_told():
    """Inputs that say nothing, and a majority."""
    X, y, start = np.zeros((30, 2)), np.full(30, -1), np.zeros(30, int)
    y[:2] = 0, 1
    start[1:6] = 1
    model = LocalStructuredPredictor(n_neighbors=30, y_init=start)
    with pytest.warns(UserWarning, match=r"have become .*0.*frequent.*y_step=None"):
        model.fit(X, y)
    np.testing.assert_array_equal(model.transduction_[2:], 0)
    model.set_params(y_step=None).fit(X, y)  # no warning


# Units

WINE = load_wine(return_X_y=True)


@pytest.mark.parametrize("unit", [1e-6, 1.0, 1e6])
def test_the_unit_of_rows_does_not_matter(unit):
    X, y = StandardScaler().fit_transform(WINE[0]), WINE[1]
    y = np.where(np.arange(178) % 3 == 0, y, -1)
    model, other = (LocalStructuredPredictor().fit(factor * X, y) for factor in (1.0, unit))
    np.testing.assert_array_equal(other.predict(unit * X), model.predict(X))
    np.testing.assert_allclose(other.objective_history_, model.objective_history_, rtol=1e-9)
    np.testing.assert_array_equal(other.transduction_, model.transduction_)


def test_rows_of_unit_length_have_the_penalty_and_step_of_the_paper():
    X = normalize(StandardScaler().fit_transform(WINE[0]))
    model = LocalStructuredPredictor().fit(X, WINE[1])
    assert (model.C_, model.eta0_) == pytest.approx((0.1, 1.0))
    given = LocalStructuredPredictor(C=0.1, eta0=1.0).fit(X, WINE[1])
    np.testing.assert_allclose(model.dual_coef_, given.dual_coef_, atol=1e-12)


def test_columns_of_different_units_are_told():
    X, y = WINE
    with pytest.warns(UserWarning, match=r"half or more of the columns of X.*Standardise X"):
        model = LocalStructuredPredictor().fit(X, y)
    assert model.objective_history_[-1] < 100
    LocalStructuredPredictor().fit(StandardScaler().fit_transform(X), y)  # no warning
    LocalStructuredPredictor().fit(csr_matrix(X), y)


@pytest.mark.filterwarnings("ignore:half or more of the columns")
def test_long_steps_are_told():
    model = LocalStructuredPredictor(C=0.1, eta0=1.0)
    with pytest.warns(UserWarning, match=r"objective is larger at the end, .*eta0 than 1, or"):
        model.fit(*WINE)
    assert model.objective_history_[-1] > 2 * model.objective_history_[0]


def test_without_a_step_that_helps_the_start_is_kept(make_problem):
    """Random outputs of sequences, which nothing explains."""
    problem = make_problem("chain")
    model = LocalStructuredPredictor(
        problem.space, n_neighbors=6, n_iter=8, y_init="random", random_state=1, y_step=None
    )
    with pytest.warns(UserWarning, match="the objective is larger at the end"):
        model.fit(problem.X, problem.partly)
    assert model.objective_history_[0] == model.objective_history_.min()
    np.testing.assert_array_equal(model.dual_coef_, 0)


# What is refused

X = np.arange(12.0).reshape(6, 2)
Y = np.array([0, 1, -1, -1, 0, 1])
CHAINS = [np.ones((3, 2)), np.ones((2, 2)), np.ones((1, 2))]


@pytest.mark.parametrize(
    ("params", "error", "message"),
    [
        ({"n_neighbors": 7}, ValueError, "n_neighbors must be at most n_samples=6; got 7"),
        (
            {"y_init": [0, 1]},
            ValueError,
            "y_init must have one output for each of 6 samples; got 2",
        ),
        ({"y_init": [0, 1, 2, 0, 0, 0]}, ValueError, "y must have labels among 0, 1; got 2"),
    ],
)
def test_bad_parameters(params, error, message):
    with pytest.raises(error, match=message):
        LocalStructuredPredictor(**({"n_neighbors": 2} | params)).fit(X, Y)


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (np.full(6, -1), "y must have an output for at least one sample; got only -1 or None"),
        ([None] * 6, "y must have an output for at least one sample; got only -1 or None"),
        (Y[:5], "y must have an output, or a mark for none, for each of n_samples=6 inputs; got 5"),
        ([0, 1, 4, -1, -1, -1], "y must have labels among 0, 1, 2; got 4"),
    ],
)
def test_bad_labels(y, message):
    space = MulticlassOutputs([0, 1, 2])
    with pytest.raises(ValueError, match=re.escape(message)):
        LocalStructuredPredictor(space, n_neighbors=2).fit(X, y)


@pytest.mark.parametrize(
    ("X", "y", "error", "message"),
    [
        (CHAINS, [[0, 1, 0], [1], None], ValueError, "y[1] must have 2 labels, one for each row"),
        (CHAINS, [None] * 3, ValueError, "at least one sample; got only None"),
        (CHAINS, [[0, 1, 0]], ValueError, "for each of n_samples=3 inputs; got 1"),
        (CHAINS, 3, TypeError, "y must be a list of sequences of labels, or None; got 3"),
        ([*CHAINS[:2], np.ones((2, 3))], [None] * 3, ValueError, "X[2] must have 2 columns"),
        ([*CHAINS[:2], np.ones((0, 2))], [None] * 3, ValueError, "X[2] must have at least 1 steps"),
        ([*CHAINS[:2], np.ones(2)], [None] * 3, ValueError, "X[2] must be a 2-D array"),
        (np.ones((3, 2)), [None] * 3, ValueError, "X must have shape (n, T, p) or be a list"),
        (
            [csr_matrix(CHAINS[0]), CHAINS[1]],
            [None] * 2,
            ValueError,
            "X[1] must be a sparse matrix with rows, like others",
        ),
        (
            [csr_matrix(CHAINS[0]), csr_matrix(np.ones((1, 5)))],
            [None] * 2,
            ValueError,
            "X[1] must have 2 columns; got shape (1, 5)",
        ),
        ([np.full((1, 2), np.nan)], [[0]], ValueError, "X[0] must be finite; got nan"),
        ([csr_matrix([[np.inf, 1.0]])], [[0]], ValueError, "contains infinity"),
    ],
)
def test_bad_sequences(X, y, error, message):
    with pytest.raises(error, match=re.escape(message)):
        LocalStructuredPredictor("chain", n_neighbors=1).fit(X, y)


def test_bad_starts_of_sequences():
    model = LocalStructuredPredictor("chain", n_neighbors=1, y_init=[[0, 0, 0], [0], [0]])
    with pytest.raises(ValueError, match=re.escape("y_init[1] must have 2 labels; got 1")):
        model.fit(CHAINS, [[0, 1, 0], None, None])
