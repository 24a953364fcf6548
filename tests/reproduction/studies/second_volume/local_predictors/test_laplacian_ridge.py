import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.datasets import load_iris, make_blobs
from sklearn.linear_model import Ridge

from ofer.companions import TreeOutputs
from reproduction.studies.second_volume.local_predictors.baselines.laplacian_ridge import (
    LaplacianRidgeClassifier,
    graph_laplacian,
)


@pytest.fixture(scope="module")
def iris():
    X, y = load_iris(return_X_y=True)
    known = np.random.default_rng(0).random(len(y)) < 0.3
    return X, y, np.where(known, y, -1)


def with_ones(X):
    return np.column_stack([X, np.ones(len(X))])


def test_without_smoothness_it_is_ridge_regression(iris):
    X, _, partly = iris
    known, rows = partly >= 0, with_ones(X)
    model = LaplacianRidgeClassifier(smoothness=0.0, alpha=0.1).fit(X, partly)
    ridge = Ridge(alpha=0.1 * known.sum(), fit_intercept=False)
    ridge.fit(rows[known], np.eye(3)[partly[known]])
    np.testing.assert_allclose(model.coef_, ridge.coef_.T, atol=1e-10)
    np.testing.assert_array_equal(model.predict(X), (rows @ ridge.coef_.T).argmax(axis=1))


def test_both_systems_agree_and_sparse_rows_are_like_dense_ones():
    """With more columns than rows, all but four of them empty, another system is solved."""
    X, y = make_blobs(60, n_features=4, centers=3, random_state=0)
    partly = np.where(np.arange(60) % 3 == 0, y, -1)
    wide = np.column_stack([X, np.zeros((60, 100))])
    expected = LaplacianRidgeClassifier(alpha=0.05, smoothness=2.0).fit(X, partly).coef_
    for other in (csr_matrix(X), wide, csr_matrix(wide)):
        found = LaplacianRidgeClassifier(alpha=0.05, smoothness=2.0).fit(other, partly).coef_
        np.testing.assert_allclose(found[[*range(4), -1]], expected, atol=1e-8)


def test_it_minimises_its_objective():
    """Against the gradient, written out."""
    X, y = make_blobs(40, centers=3, random_state=0)
    partly = np.where(np.arange(40) % 3 == 0, y, -1)
    model = LaplacianRidgeClassifier(alpha=0.2, smoothness=3.0, n_neighbors=4).fit(X, partly)
    w, known, rows, L = model.coef_, partly >= 0, with_ones(X), graph_laplacian(X, 4)
    residual = rows[known] @ w - np.eye(3)[partly[known]]
    gradient = rows[known].T @ residual / known.sum() + 0.2 * w
    gradient += 3.0 / 40 * rows.T @ (L @ (rows @ w))
    np.testing.assert_allclose(gradient, 0.0, atol=1e-10)


def test_decoding_a_tree_takes_the_nearest_code():
    """Codes of leaves of unequal depth have unequal lengths."""
    tree = TreeOutputs([-1, 0, 0, 2, 2], leaves=[1, 3, 4])
    X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([0, 1, 2, -1])
    model = LaplacianRidgeClassifier(tree, n_neighbors=1, alpha=0.01).fit(X, y)
    distances = ((with_ones(X) @ model.coef_)[:, None] - model.outputs_.codes_) ** 2
    np.testing.assert_array_equal(model.predict(X), distances.sum(axis=2).argmin(axis=1))
