"""Table 2 of Sharma-Mittal twin Gaussian processes: errors of every method on every task."""

import numpy as np
from scipy.stats import spearmanr

from ofer.companions import TwinGaussianProcess
from reproduction.studies.second_volume.twin_processes import models, tasks
from reproduction.studies.second_volume.twin_processes.models import quiet, select
from reproduction.studies.second_volume.twin_processes.tasks import (
    TOYS,
    take_task,
)

__all__ = ["PARAMETERS", "evaluate"]

# In the place of the grids for all tasks, at whose ends these methods often stand on the toys.
_WIDTHS = {
    "factor": [2.0**power for power in range(-6, 2)],
    "ridge": [1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0],
}
PARAMETERS = {
    **models.PARAMETERS,
    "wider on toys": {
        "HSIC-KNN": {
            "factor_x": [2.0**power for power in range(-5, 1)],
            "factor_y": [2.0**power for power in range(-5, 1)],
            "n_neighbors": [2, 3, 5, 10, 20, 40, 80, 140],
        },
        "m-KRR": _WIDTHS,
        "m-KRR centred": _WIDTHS,
    },
    "n_select": tasks.N_SELECT,
    "n_block": tasks.N_BLOCK,
    "n_stretch": tasks.N_STRETCH,
    "n_folds": tasks.N_FOLDS,
}


def evaluate(data, method, setting, split):
    """Errors of one method on one split of one task."""
    task = take_task(data, setting, split)
    model, chosen = _select(method, setting, task)
    certainty = None
    if isinstance(model, TwinGaussianProcess):
        predicted, certainty = model.predict(task.X_test, return_certainty=True)
    elif method == "GPR":
        predicted, deviation = model.predict(task.X_test, return_std=True)
        certainty = -deviation.reshape(len(deviation), -1)[:, 0]
    else:
        predicted = model.predict(task.X_test)
    predicted = np.reshape(predicted, (len(task.X_test), -1))
    values = {**task.measure(predicted), **chosen}
    if certainty is not None:
        values["certainty"] = spearmanr(certainty, task.distances(predicted)).statistic
    return values


def _select(method, setting, task):
    """As `select`, on toys from a wider grid if there is one."""
    grid = PARAMETERS["wider on toys"].get(method)
    if grid is None or setting not in TOYS:
        return select(method, task)
    with quiet():
        model, chosen = models.by_folds(method, grid, task)
        return model.fit(task.X, task.Y), chosen
