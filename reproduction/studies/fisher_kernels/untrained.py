"""Scores under random models, which nobody has trained: the start of FKL as printed."""

from functools import partial

from reproduction.studies.fisher_kernels import classification
from reproduction.studies.fisher_kernels.tables import (
    fkl_table_01,
    fkl_table_02,
    fkl_table_03,
    fkl_table_04,
)

__all__ = ["SETTINGS", "TABLES", "evaluate", "load"]

# Data sets of Tables 1 to 4.
TABLES = {
    "letters": ("characters", fkl_table_01.EXPERIMENT),
    "digits": ("spoken digits", fkl_table_02.EXPERIMENT),
    "vowels": ("vowels", fkl_table_03.EXPERIMENT),
    "molecules": ("molecules", fkl_table_04.EXPERIMENT),
}
SETTINGS = {f"{name}, {n}": (name, n) for name in TABLES for n in classification.SIZES}


def evaluate(data, method, setting, split):
    """Errors of all classifiers, see `classification.evaluate`."""
    name, n_states = SETTINGS[setting]
    return classification.evaluate(data[name](), method, n_states, split)


def load():
    """Loaders; no unit needs all data sets."""
    return {name: partial(classification.load, key) for name, (key, _) in TABLES.items()}
