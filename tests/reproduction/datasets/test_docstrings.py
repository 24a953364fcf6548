"""Every public docstring of the data sets is complete and every example in it runs."""

import doctest
import importlib
import inspect
import pkgutil

import pytest
from numpydoc.validate import validate

import reproduction

MODULES = [
    "reproduction.checks",
    *(
        module.name
        for module in pkgutil.walk_packages(reproduction.__path__, "reproduction.")
        if module.name.startswith("reproduction.datasets.") and not module.ispkg
    ),
]
# Checks of form that add nothing here, as for the package ofer.
IGNORED = {"GL01", "GL02", "GL03", "GL08", "SS03", "SS05", "SS06", "ES01", "SA01", "EX01"}
IGNORED |= {"PR01", "PR02", "PR06", "PR08", "PR09", "RT02", "RT03", "RT05", "YD01", "SA04"}


def public_objects():
    """Public functions and classes where they are defined, and the methods of the classes."""
    names = []
    for name in MODULES:
        module = importlib.import_module(name)
        for key in module.__all__:
            value = getattr(module, key)
            if inspect.isclass(value) or inspect.isfunction(value):
                names.append(f"{name}.{key}")
            if inspect.isclass(value):
                names += [
                    f"{name}.{key}.{method}"
                    for method, function in vars(value).items()
                    if not method.startswith("_") and inspect.isfunction(function)
                ]
    return names


@pytest.mark.parametrize("name", MODULES)
def test_examples_run(name):
    module = importlib.import_module(name)
    assert doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE).failed == 0


@pytest.mark.parametrize("name", public_objects())
def test_docstring_is_complete(name):
    problems = [error for error in validate(name)["errors"] if error[0] not in IGNORED]
    assert problems == []
