"""Scores under random models, which nobody has trained: the start of FKL as printed."""

from functools import partial

from reproduction.engine.declaration import Check, Experiment, Facts, Tolerance
from reproduction.studies.fisher_kernels import classification
from reproduction.studies.fisher_kernels.tables import (
    fkl_table_01,
    fkl_table_02,
    fkl_table_03,
    fkl_table_04,
)

__all__ = ["EXPERIMENT", "evaluate"]

# Data sets of Tables 1 to 4.
TABLES = {
    "letters": ("characters", fkl_table_01.EXPERIMENT),
    "digits": ("spoken digits", fkl_table_02.EXPERIMENT),
    "vowels": ("vowels", fkl_table_03.EXPERIMENT),
    "molecules": ("molecules", fkl_table_04.EXPERIMENT),
}

_SETTINGS = {f"{name}, {n}": (name, n) for name in TABLES for n in classification.SIZES}


def evaluate(data, method, setting, split):
    """Errors of all classifiers, see `classification.evaluate`."""
    name, n_states = _SETTINGS[setting]
    return classification.evaluate(data[name](), method, n_states, split)


def _load():
    """Loaders; no unit needs all data sets."""
    return {name: partial(classification.load, key) for name, (key, _) in TABLES.items()}


EXPERIMENT = Experiment(
    id="fkl-untrained",
    title="Fisher scores under random models",
    load=_load,
    evaluate=evaluate,
    methods=("random model",),
    scores=(*classification.ERRORS, *classification.LEARNED),
    settings=tuple(_SETTINGS),
    n_splits=max(table.n_splits for _, table in TABLES.values()),
    parameters=classification.PARAMETERS,
    datasets=tuple(dict.fromkeys(sum((table.datasets for _, table in TABLES.values()), ()))),
    splits_of={setting: TABLES[name][1].n_splits for setting, (name, _) in _SETTINGS.items()},
    check=Check(settings=("vowels, 2",)),
    tolerance=Tolerance(rtol=1e-4),
    facts=Facts(not_recorded=classification.NOT_RECORDED),
)
