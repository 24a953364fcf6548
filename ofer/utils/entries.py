"""Entries that NumPy takes for numbers, and that are none: hidden ones, dates and labels."""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

import numpy as np

DATES = date, timedelta, np.datetime64, np.timedelta64


def check_unmasked(name: str, values: Any) -> None:
    """Raise ValueError if a mask hides entries of an array, or of arrays in lists or a mapping."""
    if _hides(values):
        raise ValueError(f"{name} must have no masked entries; got some. Impute or drop them.")


def check_numbers(name: str, values: Any) -> None:
    """Raise ValueError for dates, of which NumPy would count the days, and for labels."""
    try:
        array = np.asarray(values)
    except ValueError:  # rows of different shapes, which other checks name
        return
    if array.dtype.kind in "mM":
        raise ValueError(f"{name} must hold numbers; got dates or times, {array.dtype}.")
    for value in array.flat if array.dtype.kind in "OUS" else ():
        if isinstance(value, DATES):
            raise ValueError(f"{name} must hold numbers; got dates or times, such as {value}.")
        if isinstance(value, str | bytes):
            raise ValueError(f"{name} must hold numbers; got labels, such as {str(value)!r}.")


def _hides(values: Any) -> bool:
    if isinstance(values, np.ma.MaskedArray):
        return bool(np.ma.is_masked(values))
    if isinstance(values, Mapping):
        values = list(values.values())
    if isinstance(values, np.ndarray) and values.dtype == object:
        values = values.ravel().tolist()
    return isinstance(values, list | tuple) and any(map(_hides, values))
