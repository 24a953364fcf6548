"""Every experiment by its id, found by looking into the folders of the papers."""

import ast
import importlib
from functools import cache

from reproduction.engine.closure import parse
from reproduction.engine.declaration import Experiment
from reproduction.paths import PAPERS

__all__ = ["get_experiment", "list_experiments"]

PACKAGE = "reproduction.papers"


def list_experiments():
    """Ids of all experiments that a module of `reproduction.papers` declares.

    All these modules are imported.

    Returns
    -------
    ids : list of str
        Sorted.

    Raises
    ------
    ValueError
        When two experiments have one id.
    """
    found = {}
    for module in sorted(_declaring_modules()):
        for id, experiment in _declared_in(module).items():
            if found.setdefault(id, experiment) is not experiment:
                raise ValueError(f"ids of experiments must differ; got {id!r} in {module} again.")
    return sorted(found)


def get_experiment(id):
    """Declaration of an experiment.

    Only modules whose text holds the id are imported.

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
        When there is no such experiment.
    """
    for module, path in sorted(_declaring_modules(id).items()):
        if id in _texts(path) and id in _declared_in(module):
            return _declared_in(module)[id]
    raise ValueError(f"id must be one of {list_experiments()}; got {id!r}.")


@cache
def _declaring_modules(holds=""):
    """Names and files of the modules that import what a declaration needs and hold a text."""
    modules = {}
    for path in PAPERS.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if "Experiment" not in text or holds not in text:
            continue  # to parse all files would take a second, in each chapter
        imported = (node for node in ast.walk(parse(path)) if isinstance(node, ast.ImportFrom))
        if any(alias.name == "Experiment" for node in imported for alias in node.names):
            parts = path.relative_to(PAPERS).with_suffix("").parts
            modules[".".join([PACKAGE, *parts])] = path
    return modules


def _texts(path):
    return {node.value for node in ast.walk(parse(path)) if isinstance(node, ast.Constant)}


def _declared_in(module):
    values = vars(importlib.import_module(module)).values()
    return {value.id: value for value in values if isinstance(value, Experiment)}
