"""The structured perceptron: against a plain one, and what it learns."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.utils import check_random_state

from ofer.companions import ChainOutputs
from ofer.companions.local_structured.inputs import Inputs
from ofer.companions.local_structured.perceptron import learn_weights, predict_encoded


def learn(inputs, y, space, n_iter=10, fit_intercept=True):
    rng = check_random_state(0)
    return learn_weights(inputs, y, space, n_iter=n_iter, fit_intercept=fit_intercept, rng=rng)


def test_average_is_that_of_all_steps(make_problem):
    """The weights after every step, kept and averaged."""
    problem = make_problem("multiclass")
    coef, shared = learn(problem.inputs, problem.encoded, problem.space, n_iter=3)
    X = np.column_stack([problem.X, np.ones(len(problem.X))])
    rng, W, kept = check_random_state(0), np.zeros((X.shape[1], 3)), []
    for _ in range(3):
        for i in rng.permutation(len(X)):
            predicted = (X[i] @ W).argmax()
            W[:, problem.y[i]] += X[i]
            W[:, predicted] -= X[i]
            kept.append(W.copy())
    np.testing.assert_allclose(coef, np.mean(kept, axis=0), atol=1e-12)
    assert shared.shape == (0,)


def test_transitions_are_learnt():
    """Rows without information: only the order of the labels can tell."""
    space = ChainOutputs().fit([[0, 1]])
    inputs, y = Inputs(np.ones((16, 1)), np.full(4, 4)), np.tile([0, 1], 8)
    weights = learn(inputs, y, space)
    found = predict_encoded(inputs, space, *weights, fit_intercept=True)
    np.testing.assert_array_equal(found, y)


@pytest.mark.parametrize("intercept", [True, False])
def test_sparse_rows_and_no_intercept(problem, intercept):
    sparse = Inputs(csr_matrix(problem.inputs.rows), problem.inputs.lengths)
    (coef, shared), (other, other_shared) = (
        learn(inputs, problem.encoded, problem.space, fit_intercept=intercept)
        for inputs in (problem.inputs, sparse)
    )
    assert coef.shape[0] == problem.inputs.rows.shape[1] + intercept
    np.testing.assert_allclose(coef, other, atol=1e-12)
    np.testing.assert_allclose(shared, other_shared, atol=1e-12)
