"""Products of matrices that warn of nothing, on some processors.

With Apple's Accelerate, and in float32 on other arm64, a product may set the flags of divisions by
zero, overflows and invalid values though it is right (numpy issues 28687 and 29820). There, and
nowhere else, the public functions of this package run without these flags, so that NumPy neither
warns nor raises; checks of results find what is not finite. This module needs NumPy alone.
"""

import functools
from types import FunctionType
from typing import TypeVar

import numpy as np

Public = TypeVar("Public")


def _probe() -> bool:
    """Whether the product of identity matrices sets a flag."""
    try:
        with np.errstate(all="raise"):
            for identity in (np.eye(64), np.eye(64, dtype=np.float32)):
                identity @ identity
    except FloatingPointError:
        return True
    return False


SPURIOUS = _probe()  # once a process
# For products of others, scikit-learn's among them: filters of warnings, as Python takes them.
FILTERS = [
    f"ignore:{what} encountered in {product}:RuntimeWarning"
    for what in ("divide by zero", "overflow", "invalid value")
    for product in ("matmul", "dot")
    if SPURIOUS
]


def quiet(public: Public) -> Public:
    """Decorate a public function, or a class for its public methods and properties.

    Where products are sound it changes nothing, so that a true overflow still warns.
    """
    return _quiet(public) if SPURIOUS else public


def _quiet(public):
    if isinstance(public, type):
        for name, member in [*vars(public).items()]:
            if not name.startswith("_"):
                setattr(public, name, _quiet(member))
    elif isinstance(public, classmethod):
        return classmethod(_quiet(public.__func__))
    elif isinstance(public, property):
        return property(_quiet(public.fget), doc=public.__doc__)
    elif isinstance(public, FunctionType):
        return _without_flags(public)
    return public


def _without_flags(function):
    @functools.wraps(function)
    def without_flags(*args, **kwargs):
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            return function(*args, **kwargs)

    return without_flags
