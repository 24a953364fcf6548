"""Which modules an evaluation loads: those that functions import, if they are called."""

import sys
from contextlib import contextmanager

__all__ = ["noting_loaded"]


@contextmanager
def noting_loaded(modules):
    """Add to the set that is given those of some modules that are asked for meanwhile.

    Python runs an import inside a function each time, and finds the module where it was put the
    first time. So they are put aside meanwhile, whatever else this process has loaded.
    """
    aside = {name: sys.modules.pop(name) for name in modules if name in sys.modules}
    asked_for = set()
    try:
        yield asked_for
    finally:
        asked_for.update(name for name in modules if name in sys.modules)
        sys.modules.update(aside)
