"""Checks that all companions make of data before any work: hidden entries, times, mixed labels."""

from collections.abc import Iterable
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ofer.utils import entries

KINDS: dict[str, Any] = {
    "bool": (bool, np.bool_),
    "int": Integral,
    "float": Real,
    "str": str,
    "bytes": bytes,
}  # of labels, the first that a type belongs to


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
    parts = [part if isinstance(part, list | tuple) else np.asarray(part) for part in parts]
    types = set().union(*map(_types, parts))
    kinds = {_kind(one) for one in types}
    if len({"number" if kind in ("bool", "int", "float") else kind for kind in kinds}) > 1:
        listed = " and ".join(sorted(kinds))
        raise ValueError(f"{name} must have labels of one type; got {listed}.")
    arrays = [np.asarray(part) for part in parts if len(part)]
    if not arrays:
        return np.zeros(0, int)
    if kinds == {"int"} and {array.dtype.kind for array in arrays} not in ({"i"}, {"u"}):
        return _join_integers(name, parts)
    return np.concatenate([_typed(array) for array in arrays])


def number_like(dtype: np.dtype) -> str:
    """One letter for the kind of labels of this type: n for all that compare as numbers."""
    return "n" if dtype.kind in "biuf" else dtype.kind


def _types(labels):
    """Types of the labels of a sequence."""
    if isinstance(labels, np.ndarray) and labels.dtype != object:
        return {labels.dtype.type} if labels.size else set()
    return set(map(type, labels.flat if isinstance(labels, np.ndarray) else labels))


def _kind(kind):
    """What a type of labels is called in a message."""
    return next((name for name, kinds in KINDS.items() if issubclass(kind, kinds)), kind.__name__)


def _typed(array):
    """An array of the type of its entries, if that is one of NumPy's."""
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
