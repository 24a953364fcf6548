"""Errors of one twin Gaussian process over the family of divergences."""

from functools import partial

import pandas as pd

from ofer.companions import TwinGaussianProcess
from reproduction.studies.second_volume.twin_processes.structured_errors import mean_point_distance

__all__ = ["distance_to", "errors_by_alpha"]

ALPHAS = (0, 1e-5, 1e-4, 1e-3, 0.01, 0.03, 0.1, 0.3, 0.5, 0.7, 0.9, 0.97, 0.99, 1)


def errors_by_alpha(X, Y, sets, **options):
    """Errors by alpha on some sets; each has inputs and a function of their predictions."""
    model = TwinGaussianProcess(ridge_x=1e-3, ridge_y=1e-3, **options).fit(X, Y)
    errors = {}
    for name, (inputs, error) in sets.items():
        predictions = model.predict_alphas(inputs, ALPHAS)
        errors[name] = pd.Series([error(predicted) for predicted in predictions], ALPHAS)
    return errors


def distance_to(true):
    """Mean distance of predictions to the true outputs, as a function of the predictions."""
    return partial(mean_point_distance, true, n_coordinates=true.shape[1])
