"""All numbers that a fitted model holds, by name, and whether two models hold the same."""

import inspect

import numpy as np
from scipy import sparse

__all__ = ["attributes", "state"]

# which warnings were given, and by which default; what twins keep of what they were asked
FORGOTTEN = ("_warned", "_default_parts", "_mixed")


def parts(value):
    """What is inside of a value that holds others, by name; nothing for other values."""
    if isinstance(value, dict):
        return value
    if isinstance(value, list | tuple) or (isinstance(value, np.ndarray) and value.dtype == object):
        return dict(enumerate(value))
    ours = type(value).__module__.startswith(("ofer", "sklearn"))
    return vars(value) if ours and hasattr(value, "__dict__") else {}


def flattened(value, name):
    """Pairs of a name and an array, of all that is inside of a value; None is an empty array."""
    if sparse.issparse(value):
        yield name, value.toarray()
    elif value is None:
        yield name, np.zeros(0)
    elif isinstance(value, str):
        yield name, np.frombuffer(value.encode(), np.uint8).astype(float)
    elif isinstance(value, float | int | np.generic | np.ndarray) and (
        np.asarray(value).dtype.kind in "biuf"
    ):
        yield name, np.asarray(value, dtype=float)
    for key, one in parts(value).items():
        if key not in FORGOTTEN:
            yield from flattened(one, f"{name}.{key}")


def state(model):
    """All that a model has learned, what is private too."""
    return dict(flattened(model, type(model).__name__))


def attributes(model):
    """What a model says that it has learned: attributes and properties that end in "_"."""
    properties = [name for name, _ in inspect.getmembers_static(type(model))]
    found = {}
    for name in {*vars(model), *properties}:
        if name.endswith("_") and not name.startswith("_"):
            try:
                inside = dict(flattened(getattr(model, name), name))
                found |= {key: one for key, one in inside.items() if "._" not in key}
            except (AttributeError, ValueError):
                continue  # is not there
    return found
