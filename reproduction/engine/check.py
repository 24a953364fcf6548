"""Recomputed rows beside the stored ones: what a change of code does to a table."""

import dataclasses

import numpy as np

from reproduction.engine.runner import run
from reproduction.engine.store import load, load_check, seal

__all__ = ["beside_stored", "check_and_seal", "recompute", "run_check", "summarise_cells"]

_UNIT = ["method", "setting", "split"]


def recompute(experiment, units=None, *, folder=None, **options):
    """Evaluate units and set what comes out beside the stored rows.

    Where the experiment has a part of its data for checks, they are evaluated on that.

    Parameters
    ----------
    experiment : Experiment
        Whose table is stored.
    units : sequence of Unit, default=None
        What to evaluate; None means the check slice.
    folder : path-like, default=None
        See `results_dir`.
    **options
        Of `run`.

    Returns
    -------
    cells : DataFrame
        As from `beside_stored`.
    """
    computed = run_check(experiment, units, **options)
    has_part = experiment.check.load is not None
    stored = load_check(experiment.id, folder=folder) if has_part else None
    return beside_stored(experiment, computed, stored=stored, folder=folder)


def run_check(experiment, units=None, **options):
    """Evaluate units, on the part of the data that the experiment has for checks.

    Parameters
    ----------
    experiment : Experiment
        Whose units they are.
    units : sequence of Unit, default=None
        What to evaluate; None means the check slice.
    **options
        Of `run`.

    Returns
    -------
    frame : DataFrame
        The table of these units.
    """
    units = experiment.check_slice() if units is None else list(units)
    if experiment.check.load is not None:
        experiment = dataclasses.replace(experiment, load=experiment.check.load)
    return run(experiment, units, **options).frame


def beside_stored(experiment, computed, *, stored=None, folder=None):
    """Rows of a table or a part of it beside the stored ones, the worst first.

    Parameters
    ----------
    experiment : Experiment
        Whose table is stored.
    computed : DataFrame
        The ``frame`` of a `Run`.
    stored : DataFrame, default=None
        Rows to compare with; None means those of the table.
    folder : path-like, default=None
        See `results_dir`.

    Returns
    -------
    cells : DataFrame
        Columns ``method``, ``setting``, ``split``, ``metric``, ``stored``, ``computed``,
        ``difference``, relative to the stored value, and ``excess``: the difference over what the
        experiment tolerates, so that above 1 a cell is wrong. Without metrics that are times. A
        row that is on one side only differs by infinity.
    """
    if stored is None:
        stored = load(experiment.id, folder=folder)[0]
    tolerance = experiment.tolerance
    stored = stored.merge(computed[_UNIT].drop_duplicates(), on=_UNIT)
    keys = [*_UNIT, "metric"]
    cells = stored.merge(computed, on=keys, how="outer", suffixes=("_stored", "_computed"))
    cells = cells.rename(columns={"value_stored": "stored", "value_computed": "computed"})
    cells = cells[~cells["metric"].isin(tolerance.timings)]
    gap = (cells["computed"] - cells["stored"]).abs()
    scale = cells["stored"].abs().where(gap > 0, 1.0)  # nothing over nothing is no difference
    cells["difference"] = (gap / scale).fillna(np.inf)
    allowed = tolerance.rtol * cells["stored"].abs()
    keys_of = zip(cells["method"], cells["metric"], strict=True)
    allowed += [tolerance.atol.get(key, tolerance.atol.get(key[1], 0.0)) for key in keys_of]
    cells["excess"] = (gap / allowed.where(gap > 0, 1.0)).fillna(np.inf)
    return cells.sort_values("excess", ascending=False, kind="stable", ignore_index=True)


def check_and_seal(experiment, *, folder=None, **options):
    """Recompute the check slice of a table; seal the table if the slice is what is stored.

    Parameters
    ----------
    experiment : Experiment
        Whose table is stored.
    folder : path-like, default=None
        See `results_dir`.
    **options
        Of `run`.

    Returns
    -------
    wrong : DataFrame
        Cells that differ by more than the experiment's tolerance, the worst first; the table is
        sealed when there is none.
    """
    cells = recompute(experiment, folder=folder, **options)
    wrong = cells[cells["excess"] > 1]
    if wrong.empty:
        largest = 0.0 if cells.empty else float(f"{cells['difference'].max():.2g}")
        n_units = len(experiment.check_slice())
        seal(experiment, {"units": n_units, "difference": largest}, folder=folder)
    return wrong


def summarise_cells(id, cells):
    """One line on a comparison, for a report.

    Parameters
    ----------
    id : str
        Name of the table.
    cells : DataFrame
        As from `beside_stored`.

    Returns
    -------
    line : str
    """
    wrong = int((cells["excess"] > 1).sum())
    largest = "" if cells.empty else f", largest difference {cells['difference'].max():.2g}"
    return f"{id}: {len(cells)} cells, {wrong} beyond the tolerance{largest}"
