"""How fine the grid of alpha has to be (section 6 of Sharma-Mittal twin Gaussian processes)."""

from reproduction.studies.second_volume.twin_processes.models import MODELS, quiet, search_twins
from reproduction.studies.second_volume.twin_processes.models import PARAMETERS as OF_MODELS
from reproduction.studies.second_volume.twin_processes.tasks import take_task

__all__ = ["PARAMETERS", "evaluate", "load_nothing"]

FINE = OF_MODELS["alphas as printed"]
PARAMETERS = {
    "kernels": OF_MODELS["twins"]["toys"],
    "alphas": {"steps of 0.05": FINE, "steps of 0.1": FINE[::2]},
}


def evaluate(data, method, setting, split):
    """Error of SMTGP as printed, with alpha chosen from one of two grids."""
    task, kernels = take_task(data, setting, split), PARAMETERS["kernels"]
    with quiet():
        _, first = search_twins(task, [0], kernels)
        kernels = {name: [first[name]] for name in kernels}
        _, chosen = search_twins(task, PARAMETERS["alphas"][method], kernels)
        model = MODELS["SMTGP"](task, **chosen).fit(task.X, task.Y)
    predicted = model.predict(task.X_test)
    return {**task.measure(predicted.reshape(len(task.X_test), -1)), "alpha": chosen["alpha"]}


def load_nothing():
    """Toys are drawn anew in each split."""
    return {}
