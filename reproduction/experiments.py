"""Which module declares each experiment, as the folders of the papers list them."""

import importlib
import pkgutil
from functools import cache
from importlib.util import find_spec
from pathlib import Path

__all__ = ["experiment_file", "experiment_modules"]

PACKAGE = "reproduction.papers"


@cache
def experiment_modules():
    """Names of the modules of all experiments, by id; none of them is imported here.

    A paper's folder has a module ``experiments`` with a dict ``EXPERIMENTS``: by id, the module
    that declares it.
    """
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


def experiment_file(id):
    """File of the module that declares an experiment."""
    return Path(find_spec(experiment_modules()[id]).origin)
