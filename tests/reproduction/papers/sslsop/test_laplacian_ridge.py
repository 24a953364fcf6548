import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.datasets import load_iris, make_blobs
from sklearn.linear_model import Ridge

from ofer.companions import TreeOutputs
from reproduction.papers.sslsop.baselines.laplacian_ridge import (
    LaplacianRidgeClassifier,
    graph_laplacian,
)


@pytest.fixture(scope="module")
def iris():
    X, y = load_iris(return_X_y=True)
    known = np.random.default_rng(0).random(len(y)) < 0.3
    return X, y, np.where(known, y, -1)


def test_without_smoothness_it_is_ridge_regression(iris):
    X, _, partly = iris
    known = partly >= 0
    model = LaplacianRidgeClassifier(smoothness=0.0, alpha=0.1, fit_intercept=False).fit(X, partly)
    ridge = Ridge(alpha=0.1 * known.sum(), fit_intercept=False)
    ridge.fit(X[known], np.eye(3)[partly[known]])
    np.testing.assert_allclose(X.T @ model.dual_coef_, ridge.coef_.T, atol=1e-10)
    np.testing.assert_array_equal(model.predict(X), (X @ ridge.coef_.T).argmax(axis=1))


@pytest.mark.parametrize("intercept", [True, False])
def test_primal_and_dual_systems_agree(intercept):
    X, y = make_blobs(60, n_features=4, centers=3, random_state=0)
    partly = np.where(np.arange(60) % 3 == 0, y, -1)
    params = {"fit_intercept": intercept, "alpha": 0.05, "smoothness": 2.0}
    primal = LaplacianRidgeClassifier(**params).fit(X, partly)
    same = {"degree": 1, "gamma": 1.0, "coef0": 0.0}
    dual = LaplacianRidgeClassifier(kernel="poly", kernel_params=same, **params).fit(X, partly)
    sparse = LaplacianRidgeClassifier(**params).fit(csr_matrix(X), partly)
    basis = np.column_stack([X, np.ones(len(X))]) if intercept else X
    for other in (dual, sparse):
        np.testing.assert_allclose(
            basis.T @ other.dual_coef_, basis.T @ primal.dual_coef_, atol=1e-8
        )


def test_it_minimises_its_objective():
    """Against the gradient, written out for the linear kernel."""
    X, y = make_blobs(40, centers=3, random_state=0)
    partly = np.where(np.arange(40) % 3 == 0, y, -1)
    model = LaplacianRidgeClassifier(alpha=0.2, smoothness=3.0, n_neighbors=4, fit_intercept=False)
    w = X.T @ model.fit(X, partly).dual_coef_
    known, L = partly >= 0, graph_laplacian(X, 4)
    residual = X[known] @ w - np.eye(3)[partly[known]]
    gradient = X[known].T @ residual / known.sum() + 0.2 * w + 3.0 / 40 * X.T @ (L @ (X @ w))
    np.testing.assert_allclose(gradient, 0.0, atol=1e-10)


def test_decoding_a_tree_takes_the_nearest_code():
    """Codes of leaves of unequal depth have unequal lengths."""
    tree = TreeOutputs([-1, 0, 0, 2, 2], leaves=[1, 3, 4])
    X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([0, 1, 2, -1])
    model = LaplacianRidgeClassifier(tree, n_neighbors=1, alpha=0.01).fit(X, y)
    F = (X @ X.T + 1.0) @ model.dual_coef_
    distances = ((F[:, None] - model.outputs_.codes_) ** 2).sum(axis=2)
    np.testing.assert_array_equal(model.predict(X), distances.argmin(axis=1))
    np.testing.assert_array_equal(model.transduction_[:3], [0, 1, 2])
