"""Every experiment by its id, as the folders of the studies have them."""

import importlib

from reproduction.checks import check_option
from reproduction.engine.declaration import Experiment
from reproduction.experiments import experiment_files, experiment_module

__all__ = ["get_experiment", "list_experiments", "list_readings"]


def list_experiments():
    """Ids of all experiments; none of their modules is imported here.

    Returns
    -------
    ids : list of str
        Sorted.

    Raises
    ------
    ValueError
        When two studies declare one id.
    """
    return sorted(experiment_files())


def get_experiment(id):
    """Declaration of an experiment; only its module is imported.

    Parameters
    ----------
    id : str
        One of `list_experiments`.

    Returns
    -------
    experiment : Experiment

    Raises
    ------
    ValueError
        When there is no such experiment, or its module does not declare it.
    """
    check_option("id", id, list_experiments())
    module = importlib.import_module(experiment_module(id))
    experiment = getattr(module, "EXPERIMENT", None)
    if not (isinstance(experiment, Experiment) and experiment.id == id):
        got = getattr(experiment, "id", experiment)
        raise ValueError(f"{module.__name__} must declare {id!r} as EXPERIMENT; got {got!r}.")
    return experiment


def list_readings(id):
    """Ids of the experiments that read a table in other ways, sorted.

    A table that nobody declares has none. Only experiments of the same study are imported, those
    with the word "readings" in their ids.
    """
    files = experiment_files()
    if id not in files:
        return []
    near = (
        other
        for other, path in sorted(files.items())
        if "readings" in other.split("-") and path.parent == files[id].parent
    )
    return [
        other for other in near if any(r.of == id for r in get_experiment(other).facts.readings)
    ]
