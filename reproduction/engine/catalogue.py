"""Every experiment by its id, as the folders of the papers list them."""

import importlib
import pkgutil
from functools import cache

from reproduction.checks import check_option
from reproduction.engine.declaration import Experiment

__all__ = ["get_experiment", "list_experiments"]

PACKAGE = "reproduction.papers"


def list_experiments():
    """Ids of all experiments.

    A paper's folder has a module ``experiments`` with a dict ``EXPERIMENTS``: by id, the module
    that declares it. None of these is imported here.

    Returns
    -------
    ids : list of str
        Sorted.

    Raises
    ------
    ValueError
        When two papers list one id.
    """
    return sorted(_modules())


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
    modules = _modules()
    check_option("id", id, sorted(modules))
    module = importlib.import_module(modules[id])
    for value in vars(module).values():
        if isinstance(value, Experiment) and value.id == id:
            return value
    raise ValueError(f"{modules[id]} must declare the experiment {id!r}, which its paper lists.")


@cache
def _modules():
    """Names of the modules of experiments, by id."""
    found = {}
    for paper in pkgutil.iter_modules(importlib.import_module(PACKAGE).__path__):
        own = importlib.import_module(f"{PACKAGE}.{paper.name}.experiments").EXPERIMENTS
        for id, module in own.items():
            if id in found:
                raise ValueError(
                    f"ids of experiments must differ; got {id!r} in {paper.name} again."
                )
            found[id] = f"{PACKAGE}.{paper.name}.{module}"
    return found
