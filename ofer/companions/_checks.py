"""Checks that all companions make of data before any work: hidden entries, times, mixed labels."""

from collections.abc import Iterable
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ofer.utils import entries
from ofer.utils.labels import check_one_kind


def check_unmasked(**named: Any) -> None:
    """Raise ValueError if a mask hides entries of an argument, in lists at any depth too."""
    for name, values in named.items():
        entries.check_unmasked(name, values)


def check_numeric(**named: Any) -> None:
    """`check_unmasked`, and no dates or times, which NumPy would count in some unit."""
    check_unmasked(**named)
    for name, values in named.items():
        entries.check_no_times(name, values)


def join_labels(name: str, parts: Iterable[Any]) -> NDArray:
    """Labels of some sequences in one array, each equal to what was given.

    Labels of two types are refused: NumPy would make strings of numbers. Signed and unsigned
    integers keep their digits, which NumPy would round to floats.
    """
    parts = list(parts)
    check_unmasked(**{name: parts})
    check_one_kind(name, *parts)
    arrays = [_typed(part) for part in parts if len(part)]
    if not arrays:
        return np.zeros(0, int)
    if {array.dtype.kind for array in arrays} not in ({"i"}, {"u"}) and _are_integers(parts):
        return _join_integers(name, parts)
    return np.concatenate(arrays)


def number_like(dtype: np.dtype) -> str:
    """One letter for the kind of labels of this type: n for all that compare as numbers."""
    return "n" if dtype.kind in "biuf" else dtype.kind


def _are_integers(parts):
    labels = (label for part in parts for label in part)
    return all(isinstance(one, Integral) and not isinstance(one, bool) for one in labels)


def _typed(part):
    """Labels as an array of their own type, if that is one of NumPy's."""
    array = np.asarray(part)
    if array.dtype != object:
        return array
    values = np.array(array.tolist())
    return values if values.ndim == array.ndim else array


def _join_integers(name, parts):
    """Integers of several types as one that holds them all."""
    values = [int(one) for part in parts for one in part]
    kind = np.uint64 if max(values) > np.iinfo(np.int64).max else np.int64
    if not np.iinfo(kind).min <= min(values) <= max(values) <= np.iinfo(kind).max:
        raise ValueError(
            f"{name} must have labels that fit into 64 bits together; "
            f"got {min(values)} and {max(values)}."
        )
    return np.array(values, dtype=kind)
