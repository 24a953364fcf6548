"""What an evaluation asks for is noted, whatever this process has loaded before."""

import builtins
import contextlib
import importlib
import sys

import pytest

from reproduction.engine.loading import noting_loaded

MODULES = {"house.rare", "house.other"}


@pytest.mark.parametrize("loaded", [False, True])
@pytest.mark.parametrize(
    "statement",
    [
        "from house.rare import VALUE",
        "from house import rare",
        "from house import VALUE",
        "import house.rare",
        "import house.rare as name",
        "from .rare import VALUE",
        "from . import rare",
    ],
)
def test_an_import_inside_a_function_is_noted(house, statement, loaded):
    lines = "def work():\n    " + statement + "\n"
    folder = house(rare="VALUE = 2.0\n", other="", toy=lines)
    (folder / "__init__.py").write_text(LAZY)
    work = importlib.import_module("house.toy").work
    if loaded:
        work()
    rare = sys.modules.get("house.rare")
    with noting_loaded(MODULES) as asked_for:
        work()
    assert asked_for == {"house.rare"}
    assert rare is None or sys.modules["house.rare"] is rare  # and there is no second copy
    with noting_loaded(MODULES) as asked_for:
        pass
    assert asked_for == set()


LAZY = """
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from house.rare import VALUE
else:
    def __getattr__(name):
        if name == "VALUE":
            import importlib
            return importlib.import_module("house.rare").VALUE
        raise AttributeError(name)
"""


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_an_error_ends_the_notes(error):
    before = builtins.__import__
    with pytest.raises(error), noting_loaded(MODULES):
        raise error
    assert builtins.__import__ is before
    with pytest.raises(ModuleNotFoundError), noting_loaded(MODULES):
        import house.nowhere
    with noting_loaded(MODULES) as asked_for, contextlib.suppress(ModuleNotFoundError):
        import house.nowhere  # noqa: F401
    assert asked_for == set()
