"""How near the data behind a table are to those of the paper."""

from reproduction.datasets import dataset_info
from reproduction.engine.declaration import ORIGINS

__all__ = ["ORIGINS", "data_origin", "thinning"]


def data_origin(experiment, settings=()):
    """How near the data of a table are to those of the paper.

    Parameters
    ----------
    experiment : Experiment
        Whose table it is.
    settings : sequence of str, default=()
        The rows of the table that count; none means all.

    Returns
    -------
    origin : {"faithful", "thinned", "generated", "substitute"}
        What is declared, if it is of each row. Otherwise "substitute" as soon as one of its data
        sets is one; "generated" where there is none, by rules of which papers leave much open;
        "thinned" where a part of the paper's data was used, in other coordinates, or learning was
        cut short, see `thinning`.
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
    """What a table was computed with less of than in the paper: data, or iterations.

    Parameters
    ----------
    experiment : Experiment
        Whose table it is.
    settings : sequence of str, default=()
        As in `data_origin`.

    Returns
    -------
    part : str
        Empty where it is nothing.
    """
    parts = (
        part for row, part in experiment.facts.thinned.items() if not settings or row in settings
    )
    return "; ".join(dict.fromkeys(parts))
