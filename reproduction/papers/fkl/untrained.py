"""Scores under random models, which nobody has trained: the start of FKL as printed."""

from functools import partial

from reproduction.engine.declaration import Check, Experiment, Tolerance
from reproduction.papers.fkl import fisher_kernels

__all__ = ["EXPERIMENT", "evaluate"]

# Data sets of Tables 1 to 4.
TABLES = {
    "letters": ("characters", fisher_kernels.CHARACTERS),
    "digits": ("spoken digits", fisher_kernels.SPOKEN_DIGITS),
    "vowels": ("vowels", fisher_kernels.VOWELS),
    "molecules": ("molecules", fisher_kernels.MOLECULES),
}

_SETTINGS = {f"{name}, {n}": (name, n) for name in TABLES for n in fisher_kernels.SIZES}


def evaluate(data, method, setting, split):
    """Errors of all classifiers, see `fisher_kernels.evaluate`."""
    name, n_states = _SETTINGS[setting]
    return fisher_kernels.evaluate(data[name](), method, n_states, split)


def _load():
    """Loaders; no unit needs all data sets."""
    return {name: partial(fisher_kernels.load, key) for name, (key, _) in TABLES.items()}


EXPERIMENT = Experiment(
    id="fkl-untrained",
    title="Fisher scores under random models",
    load=_load,
    evaluate=evaluate,
    methods=("random model",),
    settings=tuple(_SETTINGS),
    n_splits=max(table.n_splits for _, table in TABLES.values()),
    parameters=fisher_kernels.PARAMETERS,
    datasets=tuple(dict.fromkeys(sum((table.datasets for _, table in TABLES.values()), ()))),
    splits_of={setting: TABLES[name][1].n_splits for setting, (name, _) in _SETTINGS.items()},
    check=Check(settings=("vowels, 2",)),
    tolerance=Tolerance(timings=("fit time",), rtol=1e-4),
)
