"""The structured perceptron: against a plain one, and what it learns."""

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.utils import check_random_state

from ofer.companions import StructuredPerceptron


def test_average_is_that_of_all_steps(make_problem):
    """The weights after every step, kept and averaged."""
    problem = make_problem("multiclass")
    model = StructuredPerceptron(n_iter=3, random_state=0).fit(problem.X, problem.y)
    X = np.column_stack([problem.X, np.ones(len(problem.X))])
    rng, W, kept = check_random_state(0), np.zeros((X.shape[1], 3)), []
    for _ in range(3):
        for i in rng.permutation(len(X)):
            predicted = (X[i] @ W).argmax()
            W[:, problem.y[i]] += X[i]
            W[:, predicted] -= X[i]
            kept.append(W.copy())
    np.testing.assert_allclose(model.coef_, np.mean(kept, axis=0), atol=1e-12)


def test_it_learns_what_is_separable(problem):
    rows = np.eye(3)[problem.encoded]
    cuts = np.cumsum(problem.inputs.lengths)[:-1]
    X = np.split(rows, cuts) if problem.space.sequential else rows
    model = StructuredPerceptron(problem.space, random_state=0).fit(X, problem.y)
    assert model.score(X, problem.y) >= 0.95  # labels that tie may be one off on average


def test_transitions_are_learnt():
    """Rows without information: only the order of the labels can tell."""
    X = [np.ones((4, 1))] * 4
    y = [[0, 1, 0, 1]] * 4
    model = StructuredPerceptron("chain", random_state=0).fit(X, y)
    assert model.predict(X[:1])[0].tolist() == [0, 1, 0, 1]


def test_unlabelled_samples_are_ignored(problem):
    partly = StructuredPerceptron(problem.space, random_state=0).fit(problem.X, problem.partly)
    known = np.flatnonzero(problem.labelled)
    X, y = [problem.X[i] for i in known], [problem.y[i] for i in known]
    alone = StructuredPerceptron(problem.space, random_state=0).fit(X, y)
    np.testing.assert_array_equal(partly.coef_, alone.coef_)


def test_sparse_rows_and_no_intercept(problem):
    X = [csr_matrix(x) for x in problem.X] if problem.space.sequential else csr_matrix(problem.X)
    for intercept in (True, False):
        models = [
            StructuredPerceptron(problem.space, fit_intercept=intercept, random_state=0).fit(
                inputs, problem.y
            )
            for inputs in (problem.X, X)
        ]
        assert models[0].coef_.shape[0] == problem.inputs.rows.shape[1] + intercept
        np.testing.assert_allclose(models[0].coef_, models[1].coef_, atol=1e-12)
