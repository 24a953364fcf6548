"""Every experiment by its id, as the folders of the papers list them."""

import importlib

from reproduction.checks import check_option
from reproduction.engine.declaration import Experiment
from reproduction.experiments import experiment_modules

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
        When two papers list one id.
    """
    return sorted(experiment_modules())


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
    modules = experiment_modules()
    check_option("id", id, sorted(modules))
    module = importlib.import_module(modules[id])
    for value in vars(module).values():
        if isinstance(value, Experiment) and value.id == id:
            return value
    raise ValueError(f"{modules[id]} must declare the experiment {id!r}, which its paper lists.")


def list_readings(id):
    """Ids of the experiments that read a table in other ways, sorted.

    A table that nobody declares has none. Only experiments of the same paper are imported, those
    with the word "readings" in their ids.
    """
    modules = experiment_modules()
    if id not in modules:
        return []
    folder = modules[id].split(".")[:3]
    near = (
        other
        for other in sorted(modules)
        if "readings" in other.split("-") and modules[other].split(".")[:3] == folder
    )
    return [one for one in near if any(r.of == id for r in get_experiment(one).facts.readings)]
