"""Labels, of which all must be of one kind: NumPy would make words of the numbers among words."""

from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ofer.utils.entries import TIMES
from ofer.utils.typing import ListLike

# Labels of one kind can be compared. Rows are left to other checks.
KINDS = {
    "number": (Real, Decimal, np.bool_),
    "str": str,
    "bytes": bytes,
    "date or time": TIMES,
    "complex": (complex, np.complexfloating),
    "row": (list, np.ndarray),
}


def plain(labels: Any) -> Any:
    """Labels; those of NumPy's StringDType, which scikit-learn does not know, as objects."""
    is_string = getattr(getattr(labels, "dtype", None), "kind", "") == "T"
    return labels.astype(object) if is_string else labels


def check_one_kind(name: str, *parts: ListLike, allowed: tuple[str, ...] = ()) -> None:
    """Raise ValueError unless labels, in several parts, are of one kind, and of one allowed."""
    kinds = {kind: label for part in parts for kind, label in _kinds(part).items()}
    if "complex" in kinds:
        raise ValueError(
            f"Complex data not supported: {name} must have labels that can be sorted; "
            f"got {kinds['complex']}."
        )
    for kind, label in kinds.items() if allowed else ():
        if kind not in allowed:
            raise ValueError(f"{name} must have labels that are numbers or strings; got {label!r}.")
    if len(kinds) > 1:
        given = {kind: np.asarray(label).tolist() for kind, label in kinds.items()}
        listed = " and ".join(f"{given[kind]!r} ({kind})" for kind in sorted(given))
        raise ValueError(f"{name} must have labels of one type; got {listed}.")


def check_labels(name: str, labels: NDArray) -> NDArray:
    """Labels (n,) that can be told apart and sorted: all there, and of one kind."""
    missing = [one for one in labels.flat if one is None or one != one]
    if missing:
        raise ValueError(
            f"{name} must have a label for each sample; got {missing[0]} for {len(missing)} of "
            f"{len(labels)}. Give these samples labels of their own, or drop them."
        )
    check_one_kind(name, labels)
    return labels


def _kinds(labels):
    """Kinds of labels, each with one of these."""
    if not isinstance(labels, list | tuple):  # a list's numbers may become words beside others
        array = np.asarray(plain(labels)).ravel()
        labels = list(array if array.dtype == object else array[:1])
    found: dict[str, Any] = {}
    for label in labels:
        found.setdefault(_kind(label), label)
    return found


def _kind(label):
    for kind, types in KINDS.items():
        if isinstance(label, types):
            return kind
    return type(label).__name__
