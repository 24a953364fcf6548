"""Table 3 here: times of every method on every task of twin Gaussian processes."""

from reproduction.statistics.timing import shortest_time
from reproduction.studies.second_volume.twin_processes.models import MODELS, quiet
from reproduction.studies.second_volume.twin_processes.tasks import (
    take_task,
)

__all__ = ["PARAMETERS", "evaluate"]

_TWIN = {"factor_x": 2, "factor_y": 0.5, "ridge": 1e-3}
_DEPENDENCE = {"factor_x": 0.25, "factor_y": 0.25, "n_neighbors": 20}
PARAMETERS = {
    "n_test": 500,  # at most; the first of the test set
    "given": {
        "GPR": {},
        "W-KNN": {"n_neighbors": 5},
        "HSIC-KNN": _DEPENDENCE,
        "KTA-KNN": _DEPENDENCE,
        "m-KRR": {"factor": 0.5, "ridge": 1e-2},
        "m-KRR centred": {"factor": 0.5, "ridge": 1e-2},
        "OFER-GMM": {"factor": 0.5, "n_components": 4},
        "KLTGP": _TWIN,
        "IKLTGP": _TWIN,
        "SMTGP": {**_TWIN, "alpha": 0.1},
    },
}


def evaluate(data, method, setting, split):
    """Times of one method with given hyper-parameters on one split of one task."""
    task = take_task(data, setting, split)
    X_test = task.X_test[: PARAMETERS["n_test"]]
    with quiet():
        model = MODELS[method](task, **PARAMETERS["given"][method])
        _, fit_time = shortest_time(lambda: model.fit(task.X, task.Y))
        _, predict_time = shortest_time(lambda: model.predict(X_test))
    sizes = {"n_train": len(task.X), "n_test": len(X_test)}
    return {"fit time": fit_time, "predict time": predict_time, **sizes}
