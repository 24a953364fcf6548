"""Which modules an evaluation loads: those that functions import, if they are called."""

import sys
from contextlib import contextmanager

__all__ = ["noting_loaded"]


@contextmanager
def noting_loaded(modules):
    """Collect in a set which of some modules are asked for meanwhile.

    An import inside a function takes the module that this process has loaded already, if it has.
    So those are put aside, and put back afterwards.
    """
    aside = {name: sys.modules.pop(name) for name in modules if name in sys.modules}
    asked_for = set()
    try:
        yield asked_for
    finally:
        asked_for.update(name for name in modules if name in sys.modules)
        sys.modules.update(aside)
