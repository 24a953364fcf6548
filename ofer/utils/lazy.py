"""Names of a package whose modules are imported when they are asked for."""

from collections.abc import Callable, Mapping
from importlib import import_module
from pkgutil import iter_modules
from sys import modules
from typing import Any


def lazy_loading(package: str, rooms: Mapping[str, str]) -> tuple[Callable, Callable]:
    """The functions `__getattr__` and `__dir__` of a package.

    `rooms` has the names that each of its modules gives to it, separated by spaces. Those of a
    module that has been deleted are not there.
    """
    owner = {name: room for room, names in rooms.items() for name in names.split()}

    def load(name: str) -> Any:
        try:
            module = import_module(f"{package}.{owner.get(name, name)}")
        except ModuleNotFoundError as error:
            message = f"module {package!r} has no attribute {name!r}; {error.name} is not there"
            raise AttributeError(message) from error
        return getattr(module, name) if name in owner else module

    def names() -> set[str]:
        here = modules[package]
        return {*vars(here), *owner, *(module.name for module in iter_modules(here.__path__))}

    return load, names
