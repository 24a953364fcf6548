"""What the rooms hand to the tests that all estimators of the package go through.

A room has ``cases.py`` beside its tests. Nothing lists the rooms: one that is deleted with its
tests leaves nothing behind.
"""

from functools import cache
from importlib import import_module
from pathlib import Path

FOLDER = Path(__file__).parent

__all__ = ["gathered"]


@cache
def modules():
    """Modules of cases that are there."""
    files = (path.relative_to(FOLDER).with_suffix("") for path in FOLDER.rglob("cases.py"))
    return [import_module(".".join(["tests.ofer", *file.parts])) for file in sorted(files)]


def gathered(name):
    """All that rooms hand in under a name, in one list; of dictionaries, their items."""
    found = [vars(module).get(name, ()) for module in modules()]
    return [one for part in found for one in (part.items() if isinstance(part, dict) else part)]
