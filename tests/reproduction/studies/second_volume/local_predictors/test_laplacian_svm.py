import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.sparse import csr_matrix
from sklearn.datasets import make_blobs
from sklearn.exceptions import ConvergenceWarning

from ofer.companions import ChainOutputs, MulticlassOutputs, TreeOutputs
from ofer.companions.local_structured import Scores
from reproduction.studies.second_volume.local_predictors.baselines.laplacian_ridge import (
    graph_laplacian,
)
from reproduction.studies.second_volume.local_predictors.baselines.laplacian_svm import (
    LaplacianStructuredSVM,
    _weigh,
)

TREE = TreeOutputs([-1, 0, 0, 1, 1])  # leaves are the nodes 2, 3, 4


def make_samples(space, n=45):
    """Inputs, and outputs of which two in three are hidden."""
    rng = np.random.default_rng(0)
    if space.sequential:
        y = [rng.integers(0, 3, T) for T in rng.integers(1, 5, n)]
        X = [np.eye(4)[one] + 0.5 * rng.normal(size=(len(one), 4)) for one in y]
        return X, [one if i % 3 == 0 else None for i, one in enumerate(y)]
    X, y = make_blobs(n, centers=3, n_features=4, cluster_std=4.0, random_state=0)
    return X, np.where(np.arange(n) % 3 == 0, y, -1)


def objective(model, X, y):
    """The objective of the docstring, written out: a function of the weights."""
    space = model.outputs_
    sequences = X if space.sequential else [row[None] for row in X]
    rows = np.concatenate(sequences)
    laplacian = graph_laplacian(rows, model.n_neighbors)
    lengths = np.array([len(one) for one in sequences])
    labelled = [one is not None and np.all(np.not_equal(one, -1)) for one in y]

    def value(W, V):
        F = np.column_stack([rows, np.ones(len(rows))]) @ W
        parts = np.split(F, np.cumsum(lengths)[:-1])
        hinges = [
            space.hinge(Scores(part, V[None], np.array([len(part)])), space.transform([one]))[0]
            for part, one, known in zip(parts, y, labelled, strict=True)
            if known
        ]
        return (
            np.mean(hinges)
            + 0.5 * model.alpha * (np.sum(W**2) + np.sum(V**2))
            + 0.5 * model.smoothness / len(rows) * np.sum(F * (laplacian @ F))
        )

    return value


@pytest.mark.parametrize("space", [MulticlassOutputs(), TREE, ChainOutputs(range(3))])
def test_no_descent_from_the_solution_finds_less_than_the_gap(space):
    X, given = make_samples(space, n=18)
    model = LaplacianStructuredSVM(space, alpha=0.1, smoothness=2.0, n_neighbors=4, tol=1e-3)
    model.fit(X, given)
    W, V, of_weights = model.coef_, model.shared_coef_, objective(model, X, given)

    def value(w):
        return of_weights(w[: W.size].reshape(W.shape), w[W.size :])

    start = np.concatenate([W.ravel(), V])
    found = minimize(value, start, method="Powell", options={"maxiter": 1}).fun
    assert value(start) - found <= model.gap_ + 1e-9
    assert model.gap_ <= 1e-3 * value(0.0 * start)


@pytest.mark.parametrize("space", [MulticlassOutputs(), ChainOutputs(range(3))])
def test_both_systems_agree_and_sparse_rows_are_like_dense_ones(space):
    """With more columns than rows, all but four of them empty, another system is solved."""
    X, given = make_samples(space)
    sequences = X if space.sequential else [X]
    wide = [np.column_stack([x, np.zeros((len(x), 200))]) for x in sequences]
    params = {"alpha": 0.05, "smoothness": 3.0, "n_neighbors": 4, "tol": 1e-4, "max_iter": 1000}
    models = []
    for arrays in (sequences, wide, [csr_matrix(x) for x in wide]):
        model = LaplacianStructuredSVM(space, **params)
        models.append(model.fit(arrays if space.sequential else arrays[0], given))
    primal, dual, sparse = (objective_of(model, X, given) for model in models)
    assert dual == pytest.approx(primal, abs=2e-4)
    assert sparse == pytest.approx(dual, abs=2e-4)


def objective_of(model, X, given):
    d = np.shape(X[0])[-1]
    return objective(model, X, given)(model.coef_[[*range(d), -1]], model.shared_coef_)


def test_without_smoothness_unlabelled_samples_do_not_matter():
    X, given = make_samples(MulticlassOutputs())
    known = given >= 0
    params = {"alpha": 0.05, "smoothness": 0.0, "n_neighbors": 3}
    model = LaplacianStructuredSVM(**params).fit(X, given)
    alone = LaplacianStructuredSVM(**params).fit(X[known], given[known])
    np.testing.assert_allclose(model.coef_, alone.coef_, atol=1e-10)


def test_smoothness_makes_scores_smooth():
    X, given = make_samples(MulticlassOutputs())
    rows = np.column_stack([X, np.ones(len(X))])
    rough = []
    for smoothness in (0.0, 1.0, 100.0):
        model = LaplacianStructuredSVM(alpha=0.01, smoothness=smoothness, n_neighbors=4)
        F = rows @ model.fit(X, given).coef_
        rough.append(np.sum(F * (graph_laplacian(X, 4) @ F)))
    assert rough[0] > rough[1] > rough[2]


def test_weights_of_planes_are_the_best_of_the_simplex():
    rng = np.random.default_rng(0)
    B, b = rng.normal(size=(6, 4)), rng.normal(size=6)
    H = B @ B.T
    beta = _weigh(H, b, np.eye(6)[0], tol=1e-10)
    slopes = b - H @ beta
    assert beta.min() >= 0
    assert beta.sum() == pytest.approx(1.0)
    assert slopes.max() - slopes @ beta <= 1e-10


def test_too_few_planes_are_told():
    X, given = make_samples(MulticlassOutputs())
    with pytest.warns(ConvergenceWarning, match="2 cutting planes leave a gap"):
        LaplacianStructuredSVM(alpha=1e-3, max_iter=2).fit(X, given)
