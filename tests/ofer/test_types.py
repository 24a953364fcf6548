"""What a type checker reads: annotations of everything public, and the marker of PEP 561."""

import importlib
import inspect
from importlib.resources import files
from importlib.util import find_spec

import pytest

PACKAGES = (
    *("ofer", "ofer.companions", "ofer.datasets", "ofer.embeddings"),
    *("ofer.kernels", "ofer.metrics", "ofer.state_space"),
)


def methods(cls):
    """Public methods and properties, and `__init__`, as far as this package defines them."""
    for name in dir(cls):
        if name == "__init__" or not name.startswith("_"):
            member = getattr(cls, name)
            # scikit-learn wraps what only some estimators have
            member = inspect.unwrap(member.fget if isinstance(member, property) else member)
            member = getattr(member, "__func__", member)
            if inspect.isfunction(member) and member.__module__.startswith("ofer"):
                yield member


def public_functions():
    for package in filter(find_spec, PACKAGES):
        module = importlib.import_module(package)
        for name in module.__all__:
            value = getattr(module, name, None)  # rooms may be deleted
            if inspect.isclass(value):
                yield from methods(value)
            elif inspect.isfunction(value):
                yield value


FUNCTIONS = {f"{one.__module__}.{one.__qualname__}": one for one in public_functions()}


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_everything_public_is_annotated(name):
    signature = inspect.signature(FUNCTIONS[name])
    bare = [
        parameter.name
        for parameter in signature.parameters.values()
        if parameter.annotation is parameter.empty and parameter.name not in ("self", "cls")
    ]
    if signature.return_annotation is signature.empty and not name.endswith("__init__"):
        bare.append("return")
    assert bare == []


def test_type_checkers_are_told_of_the_annotations():
    assert files("ofer").joinpath("py.typed").is_file()
