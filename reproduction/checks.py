"""Checks of parameters, with one wording for all errors."""

from numbers import Integral, Real

import numpy as np

__all__ = ["check_option", "check_real"]


def check_option(name, value, options):
    """Raise ValueError unless `value` is one of `options`.

    Parameters
    ----------
    name : str
        The argument's name, for the message.
    value : object
        The argument.
    options : collection
        What it may be.

    Raises
    ------
    ValueError
        If it is something else.
    """
    if value not in options:
        listed = ", ".join(repr(option) for option in options)
        raise ValueError(f"{name} must be one of {listed}; got {value!r}.")


def check_real(name, value, *, above=None, at_least=None, below=None, integer=False):
    """Raise TypeError or ValueError unless `value` is a finite number in range.

    Parameters
    ----------
    name : str
        The argument's name, for the message.
    value : object
        The argument.
    above, at_least : float, default=None
        The open or closed lower end of the range.
    below : float, default=None
        The open upper end of the range.
    integer : bool, default=False
        Whether the number must be an integer.

    Raises
    ------
    TypeError
        If it is no number, or no integer.
    ValueError
        If it is not finite or out of range.
    """
    kind, noun = (Integral, "an integer") if integer else (Real, "a real number")
    if isinstance(value, bool | np.bool_) or not isinstance(value, kind):
        raise TypeError(f"{name} must be {noun}; got {value!r}.")
    if not np.isfinite(value):
        raise ValueError(f"{name} must be finite; got {value!r}.")
    if above is not None and not value > above:
        raise ValueError(f"{name} must be greater than {above}; got {value!r}.")
    if at_least is not None and not value >= at_least:
        raise ValueError(f"{name} must be at least {at_least}; got {value!r}.")
    if below is not None and not value < below:
        raise ValueError(f"{name} must be less than {below}; got {value!r}.")
