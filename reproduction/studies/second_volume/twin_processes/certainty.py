"""What the certainty of twin Gaussian processes says inside of the family, not at its ends."""

import numpy as np
from joblib import hash as hash_of
from scipy.stats import spearmanr

from reproduction.studies.second_volume.twin_processes.models import METHODS, select
from reproduction.studies.second_volume.twin_processes.tasks import take_task

__all__ = ["evaluate"]

_DEVIATIONS: dict[str, np.ndarray] = {}  # those of the splits that were met here


def evaluate(data, method, setting, split):
    """Rank correlations of the certainty of one member of the family on one split of one task.

    Its other hyper-parameters are those of KLTGP as printed, whatever alpha is.
    """
    name, alpha = setting.split(", ")
    task = take_task(data, name, split)
    model, chosen = METHODS["KLTGP as printed"](task)
    model.set_params(alpha=float(alpha)).fit(task.X, task.Y)
    predicted, certainty = model.predict(task.X_test, return_certainty=True)
    predicted = predicted.reshape(len(task.X_test), -1)
    return {
        "certainty": spearmanr(certainty, task.distances(predicted)).statistic,
        "certainty and variance": spearmanr(certainty, _deviations(task)).statistic,
        **task.measure(predicted),
        **chosen,
    }


def _deviations(task):
    """Predictive standard deviations of Gaussian process regression; alpha has no part in them."""
    key = hash_of([task.X, task.Y, task.X_test])
    if key not in _DEVIATIONS:
        model, _ = select("GPR", task)
        _, deviations = model.predict(task.X_test, return_std=True)
        _DEVIATIONS[key] = deviations.reshape(len(deviations), -1)[:, 0]  # equal up to a scale
    return _DEVIATIONS[key]
