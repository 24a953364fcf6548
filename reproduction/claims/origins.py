"""How near the data behind a table are to those of the paper."""

from reproduction.datasets import dataset_info
from reproduction.engine.declaration import ORIGINS

__all__ = ["ORIGINS", "data_origin", "thinning"]


def data_origin(experiment, settings=()):
    """How near the data of a table, or of some of its settings, are to those of the paper.

    One of `ORIGINS`: what is declared, if it is of each row. Otherwise "substitute" as soon as
    one of its data sets is one; "generated" where there is none, by rules of which papers leave
    much open; "thinned" where a part of the paper's data was used, in other coordinates, or
    learning was cut short, see `thinning`.
    """
    declared = {experiment.facts.origin.get(row) for row in settings or experiment.settings}
    if None not in declared:
        return max(declared, key=ORIGINS.index)
    fidelities = {dataset_info(name).fidelity for name in experiment.datasets}
    if "substitute" in fidelities:
        return "substitute"
    if not fidelities:
        return "generated"
    return "thinned" if thinning(experiment, settings) else "faithful"


def thinning(experiment, settings=()):
    """What a table, or some of its settings, had less of than the paper: data, or iterations."""
    parts = (
        part for row, part in experiment.facts.thinned.items() if not settings or row in settings
    )
    return "; ".join(dict.fromkeys(parts))
