"""Every public docstring is complete and every example in it runs."""

import doctest
import importlib
import inspect
import pkgutil
from dataclasses import is_dataclass

import pytest
from numpydoc.validate import validate

import ofer
import reproduction

MODULES = sorted(
    module.name
    for package in (ofer, reproduction)
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    if not module.name.endswith("__main__")
)
PACKAGES = (
    *("ofer", "ofer.embeddings", "ofer.kernels", "ofer.metrics", "ofer.state_space"),
    *("ofer.datasets", "ofer.companions", "reproduction.engine", "reproduction.statistics"),
    *("reproduction.claims", "reproduction.datasets", "reproduction.checks"),
    *(name for name in MODULES if name.count(".") == 3 and name.startswith("reproduction.data")),
)
# Checks of form that add nothing here: summaries may wrap, start with a noun or end in a
# formula; "See Also" and examples are asked for where they help.
IGNORED = {"GL01", "GL02", "GL03", "GL08", "SS03", "SS05", "SS06", "ES01", "SA01", "EX01"}
IGNORED |= {"PR01", "PR02", "PR06", "PR08", "PR09", "RT02", "RT03", "RT05", "YD01", "SA04"}


def public_objects():
    """Public names of the packages, and the public methods of their classes."""
    names = []
    for package in PACKAGES:
        module = importlib.import_module(package)
        for name in module.__all__:
            value = getattr(module, name)
            if inspect.isclass(value) or inspect.isfunction(value):
                names.append(f"{package}.{name}")
            if inspect.isclass(value):
                names += [
                    f"{package}.{name}.{method}"
                    for method, function in vars(value).items()
                    if not method.startswith("_") and inspect.isfunction(function)
                ]
    return sorted(set(names))


@pytest.mark.parametrize("name", MODULES)
def test_examples_run(name):
    module = importlib.import_module(name)
    result = doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert result.failed == 0


@pytest.mark.parametrize("name", public_objects())
def test_docstring_is_complete(name):
    problems = [error for error in validate(name)["errors"] if error[0] not in IGNORED]
    assert problems == []


@pytest.mark.parametrize("name", ofer.__all__)
def test_every_class_has_references_and_an_example(name):
    doc = getattr(ofer, name).__doc__
    sections = ["Examples\n", "References\n", "Notes\n"]
    sections += [] if is_dataclass(getattr(ofer, name)) else ["Attributes\n"]
    assert [section for section in sections if section not in doc] == []
    parameters = inspect.signature(getattr(ofer, name)).parameters
    missing = [parameter for parameter in parameters if f"{parameter} :" not in doc]
    assert missing == []
