import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.metrics.pairwise import rbf_kernel

from reproduction.studies.second_volume.twin_processes.dependence_knn import DependenceKNNRegressor


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
