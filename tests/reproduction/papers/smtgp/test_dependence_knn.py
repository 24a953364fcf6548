import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.neighbors import KNeighborsRegressor

from reproduction.papers.smtgp.baselines.dependence_knn import DependenceKNNRegressor


def make_data(n=60, d_x=3, d_y=2, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d_x))
    return X, np.sin(X @ rng.normal(size=(d_x, d_y))) + 0.05 * rng.normal(size=(n, d_y))


def dependence(model, x, y, nearest):
    """The measure from matrices, by the book."""
    Y = model.y_fit_.reshape(len(model.y_fit_), -1)
    points = (np.vstack([model.X_fit_[nearest], x]), model.bandwidth_x_)
    outputs = (np.vstack([Y[nearest], y]), model.bandwidth_y_)
    K, L = (rbf_kernel(Z, gamma=0.5 / width**2) for Z, width in (points, outputs))
    if model.criterion == "kta":
        return np.vdot(K, L) / (np.linalg.norm(K) * np.linalg.norm(L))
    H = np.eye(len(K)) - 1 / len(K)
    return np.trace(H @ K @ H @ L)


@pytest.mark.parametrize("criterion", ["hsic", "kta"])
def test_predictions_maximise_the_measure(criterion):
    X, Y = make_data()
    model = DependenceKNNRegressor(criterion, n_neighbors=15, max_iter=300).fit(X, Y)
    queries = make_data(8, seed=1)[0]
    predictions = model.predict(queries)
    rng = np.random.default_rng(2)
    for x, prediction in zip(queries, predictions, strict=True):
        nearest = np.argsort(np.linalg.norm(X - x, axis=1))[:15]
        found = dependence(model, x, prediction, nearest)
        others = [dependence(model, x, y, nearest) for y in Y[nearest]]
        nearby = prediction + 0.05 * model.bandwidth_y_ * rng.normal(size=(20, 2))
        others += [dependence(model, x, y, nearest) for y in np.clip(nearby, *model.bounds_)]
        assert found >= max(others) - 1e-9
        slopes = [
            dependence(model, x, prediction + step, nearest)
            - dependence(model, x, prediction - step, nearest)
            for step in 1e-4 * np.eye(2)
        ]
        inside = (prediction > model.bounds_[0]) & (prediction < model.bounds_[1])
        assert_allclose(np.array(slopes)[inside], 0.0, atol=1e-8)


@pytest.mark.parametrize("criterion", ["hsic", "kta"])
def test_batches(criterion, monkeypatch):
    X, Y = make_data()
    model = DependenceKNNRegressor(criterion, n_neighbors=10).fit(X, Y)
    queries = make_data(20, seed=1)[0]
    together = model.predict(queries)
    monkeypatch.setattr("reproduction.papers.smtgp.baselines.dependence_knn.BATCH_SIZE", 700)
    assert_allclose(model.predict(queries), together, atol=1e-6)


def test_widths():
    X, Y = make_data()
    model = DependenceKNNRegressor(n_neighbors=5).fit(X, Y)
    distances = np.linalg.norm(X[:, None] - X, axis=2)
    order = np.argsort(distances, axis=1)[:, 1:6]
    assert_allclose(model.bandwidth_x_, np.median(np.take_along_axis(distances, order, axis=1)))
    distances_y = np.linalg.norm(Y[order] - Y[:, None], axis=2)
    assert_allclose(model.bandwidth_y_, np.median(distances_y) / 4)
    given = DependenceKNNRegressor(bandwidth_x=0.5, bandwidth_y=2.0).fit(X, Y)
    assert (given.bandwidth_x_, given.bandwidth_y_) == (0.5, 2.0)
    constant = DependenceKNNRegressor("kta").fit(X, np.ones(60))
    assert constant.bandwidth_y_ == 0.25
    assert_array_equal(constant.predict(X), 1.0)


def test_one_of_several_branches():
    """A curve that folds back: means of neighbours lie between its branches, modes on one."""
    rng = np.random.default_rng(0)
    y = rng.uniform(size=250)
    X = (y + 0.3 * np.sin(2 * np.pi * y))[:, None]
    queries = np.linspace(0.05, 0.95, 50)

    def miss(y):
        return np.abs(y + 0.3 * np.sin(2 * np.pi * y) - queries).mean()

    means = KNeighborsRegressor(30, weights="distance").fit(X, y).predict(queries[:, None])
    for criterion in ("hsic", "kta"):
        modes = DependenceKNNRegressor(criterion).fit(X, y).predict(queries[:, None])
        assert miss(modes) < miss(means) / 4
