"""How far predicted innovations of series are to be shrunk: errors over their ridge parameter."""

import numpy as np

from ofer import KernelSystem, OutputFisherRegressor
from ofer.metrics import rrmse
from reproduction.methods.squared_error_ridge import squared_error_ridge

__all__ = ["errors_of_shrinkage", "shrunk"]


def shrunk(model, X, Y, X_new, ridges):
    """Predictions with each of these ridges on innovations."""
    H, predicted = model.embedding_.transform(Y), model.predict_embedding(X_new)
    names = ("transition", "emission")
    columns = np.r_[tuple(model.embedding_.blocks_[name] for name in names)]
    system = KernelSystem.from_features(X)
    for ridge in ridges:
        predicted[:, columns] = system.solve(H[:, columns], ridge).predict(X_new)
        yield model.embedding_.inverse_transform(predicted)


def errors_of_shrinkage(data, n_train, embedding, ridges):
    """Errors with each ridge on innovations, then of three rivals.

    These are ridge regression of the outputs, the block-wise choice by leave-one-out, and the
    forecast with the true matrices.
    """
    X, Y, X_new = data.X[:n_train], data.Y[:n_train], data.X[n_train:]
    n_steps = Y.shape[1]
    truth = data.Y[n_train:].reshape(len(X_new), -1)
    model = OutputFisherRegressor(embedding, squared_error_ridge(), block_wise=True).fit(X, Y)
    flat = squared_error_ridge().fit(X, Y.reshape(n_train, -1)).predict(X_new)
    best = data.model.forecast(data.series[n_train:, :n_steps], n_steps).means
    predicted = [*shrunk(model, X, Y, X_new, ridges), flat, model.predict(X_new), best]
    return [rrmse(truth, P.reshape(truth.shape)) for P in predicted]
