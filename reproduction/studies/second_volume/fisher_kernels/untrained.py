"""Scores under random models, which nobody has trained: the start of FKL as printed."""

from functools import partial

from reproduction.studies.second_volume.fisher_kernels import classification

__all__ = ["SETTINGS", "evaluate", "load"]

# Data sets of Tables 1 to 4.
DATA = {
    "letters": "characters",
    "digits": "spoken digits",
    "vowels": "vowels",
    "molecules": "molecules",
}
SETTINGS = {f"{name}, {n}": (name, n) for name in DATA for n in classification.SIZES}


def evaluate(data, method, setting, split):
    """Errors of all classifiers, see `classification.evaluate`."""
    name, n_states = SETTINGS[setting]
    return classification.evaluate(data[name](), method, n_states, split)


def load():
    """Loaders; no unit needs all data sets."""
    return {name: partial(classification.load, key) for name, key in DATA.items()}
