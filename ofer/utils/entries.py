"""Entries that NumPy takes for numbers, and that are none: hidden ones, dates and labels."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import date, time, timedelta
from typing import Any

import numpy as np

from ofer.utils.sklearn_private import get_feature_names

TIMES = date, time, timedelta, np.datetime64, np.timedelta64
NAMES_OF_TIMES = "date", "time", "duration"  # of types of columns, in all libraries of frames


def hides(values: Any) -> bool:
    """Whether a mask hides entries of an array, or of arrays in lists or a mapping."""
    if isinstance(values, np.ma.MaskedArray):
        return bool(np.ma.is_masked(values))
    if isinstance(values, Mapping):
        values = list(values.values())
    if getattr(getattr(values, "dtype", None), "kind", "") == "O":  # arrays, columns of pandas
        values = np.asarray(values).ravel().tolist()
    return isinstance(values, list | tuple) and any(map(hides, values))


def check_unmasked(name: str, values: Any) -> None:
    """Raise ValueError if a mask hides entries."""
    if hides(values):
        raise ValueError(f"{name} must have no masked entries; got some. Impute or drop them.")


def check_no_times(name: str, values: Any) -> None:
    """Raise ValueError for dates and times, which NumPy would count in some unit."""
    if kind := _type_of_times(values):
        raise ValueError(
            f"{name} must hold numbers; got dates or times, {kind}. Subtract a start, and divide "
            "by a unit of time."
        )


def check_numbers(name: str, values: Any, advice: str = "") -> None:
    """Raise ValueError for dates, times, complex numbers and labels, with some advice."""
    check_no_times(name, values)
    try:
        array = np.asarray(values)
    except ValueError:  # rows of different shapes, which other checks name
        return
    for value in array.flat if array.dtype.kind in "cOUS" else ():
        if isinstance(value, complex | np.complexfloating):
            raise ValueError(
                f"Complex data not supported: {name} must hold real numbers; got {value}."
            )
        if isinstance(value, str | bytes):
            raise ValueError(
                f"{name} must hold numbers; got labels, such as {str(value)!r}.{advice}"
            )


@contextmanager
def naming_texts(X: Any) -> Iterator[None]:
    """Of a fit to these inputs: the error for texts in a frame names their column."""
    try:
        yield
    except ValueError as error:
        names = get_feature_names(X) if "convert string to float" in str(error) else None
        advice = " Encode them, as a ColumnTransformer before the regressor in a pipeline does."
        for column in () if names is None else names:
            check_numbers(f"column {column!r}", X[column], advice)
        raise


def _type_of_times(values: Any) -> str | None:
    """Name of a type of dates or times among values, or None."""
    if hasattr(values, "dtypes") or hasattr(values, "dtype"):  # of a frame, one for each column
        types = getattr(values, "dtypes", None)
        types = [values.dtype] if types is None or not hasattr(types, "__iter__") else types
        names = [str(one) for one in types]
        matches = (name for name in names if name.lower().startswith(NAMES_OF_TIMES))
        if (name := next(matches, None)) or not any(one.lower() == "object" for one in names):
            return name
    elif not isinstance(values, list | tuple):
        return None
    try:
        array = np.asarray(values)
    except ValueError:  # rows of different lengths, which others refuse
        return None
    if array.dtype.kind in "mM":
        return str(array.dtype)
    entries = array.flat if array.dtype == object else ()
    return next((type(one).__name__ for one in entries if isinstance(one, TIMES)), None)
