"""Parameters of chapters, from the words of a command line."""

import ast
import math
import re

from reproduction.pipeline.chapters import ChapterError

PROFILES = ("stored", "quick", "full", "fresh", "verify")  # of `engine.apply_profile`
_WORDS = {"true": True, "false": False}
_READ = {
    "int": lambda text: int(text, 10),
    "float": float,
    "bool": lambda text: _WORDS[text.lower()],
    "str": str,
}


def split_assignments(text):
    """Names and values of ``name=value name=value``; a value may have spaces and ``=`` in it.

    A word that begins no assignment goes on with the value before it: ``sizes=[10, 20] seed=3``.
    """
    starts = [*re.finditer(r"(?:^|(?<=\s))([^\W\d]\w*)=", text)]
    if text.strip() and (not starts or text[: starts[0].start()].strip()):
        raise ChapterError(f"PARAMS must be assignments such as 'seed=3 level=0.05'; got {text!r}.")
    ends = [*[one.start() for one in starts], len(text)][1:]
    return [(one[1], text[one.end() : end].strip()) for one, end in zip(starts, ends, strict=True)]


def check_names(names, known):
    """Raise ChapterError unless all names are known."""
    if unknown := sorted(set(names) - set(known)):
        raise ChapterError(
            f"parameters must be among {sorted(known)}, those of the chapter's cell with "
            f'tags=["parameters"]; got {unknown}.'
        )


def read_parameters(given, known):
    """Values of the types that the cell of parameters says, from names and values as typed.

    What is known of the types is what `papermill.inspect_notebook` returns.
    """
    names = [name for name, _ in given]
    check_names(names, known)
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise ChapterError(
            f"{twice[0]} must be given once; got {[t for n, t in given if n == twice[0]]}."
        )
    values = {n: _typed(n, text, known[n]["inferred_type_name"]) for n, text in given}
    for name, value in values.items():
        _check_value(name, value)
    return values


def _check_value(name, value):
    """Raise ChapterError unless a value is possible: parameters are sizes, seeds, levels."""
    if name == "profile" and value.partition(":")[0] not in PROFILES:
        raise ChapterError(f"profile must be among {[*PROFILES]}; got {value!r}.")
    if isinstance(value, int | float):
        least = 1 if name.startswith("n_") else 0
        if not (math.isfinite(value) and value >= least):
            raise ChapterError(f"{name} must be a finite number of at least {least}; got {value}.")


def _typed(name, text, kind):
    """A value of a type, from its text."""
    kind = kind.partition("[")[0]
    try:
        if kind in _READ:
            return _READ[kind](text)
        value = ast.literal_eval(text)
        if kind in ("None", type(value).__name__):
            return value
    except (ValueError, SyntaxError, KeyError):
        pass
    raise ChapterError(f"{name} must be of type {kind}; got {text!r}.")
