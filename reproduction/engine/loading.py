"""Which modules an evaluation asks for: those that functions import, if they are called."""

import builtins
from contextlib import contextmanager

from reproduction.closure import modules_of_import

__all__ = ["noting_loaded"]


@contextmanager
def noting_loaded(modules):
    """Collect in a set which of some modules are asked for meanwhile; it is filled at the end.

    A function that imports a module which this process has loaded already asks for it, too.
    """
    imports, asked_for, import_module = set(), set(), builtins.__import__

    def note(name, globals=None, locals=None, fromlist=(), level=0):
        module = import_module(name, globals, locals, fromlist, level)
        package = globals["__package__"] if level else None
        imports.add((name, tuple(fromlist or ()), level, package))
        return module

    builtins.__import__ = note
    try:
        yield asked_for
    finally:
        builtins.__import__ = import_module
    for statement in imports:
        asked_for.update(modules_of_import(*statement))
    asked_for &= {*modules}
