"""Recomputed rows beside the stored ones: what a change of code does to a table."""

import dataclasses
import sys

import numpy as np

from reproduction.engine.runner import run
from reproduction.engine.store import load, load_check, seal
from reproduction.engine.units import Units
from reproduction.paths import memory_dir

__all__ = ["beside_stored", "check_and_seal", "recompute", "run_check", "summarise_cells"]

_UNIT = ["method", "setting", "split"]


def recompute(experiment, units=None, *, folder=None, **options):
    """Evaluate units and set what comes out beside the stored rows.

    A unit that was evaluated before by the same code, under the same circumstances, is not
    evaluated again, see `Units`, unless something differs. An experiment with `check_load` is
    evaluated on that part of its data.

    Parameters
    ----------
    experiment : Experiment
        Whose table is stored.
    units : sequence of Unit, default=None
        What to evaluate; None means the check slice.
    folder : path-like, default=None
        See `results_dir`.
    **options
        ``n_jobs`` and ``progress`` of `run`.

    Returns
    -------
    cells : DataFrame
        As from `beside_stored`.
    """
    units = experiment.check_slice() if units is None else list(units)
    stored, part = _stored_check(experiment, folder), _on_part(experiment)
    kept = Units(part, memory_dir())
    remembered = kept.path.exists()
    cells = _beside(experiment, stored, run(part, units, scratch=memory_dir(), **options))
    if remembered and (cells["excess"] > 1).any():  # before code is blamed: memory may be damaged
        kept.remove()
        cells = _beside(experiment, stored, run(part, units, scratch=memory_dir(), **options))
        if not (cells["excess"] > 1).any():
            said = "was damaged; its units were evaluated again, and are what is stored"
            print(f"{kept.path} {said}", file=sys.stderr)
    return cells


def run_check(experiment, **options):
    """Evaluate the check slice, on the part of the data that the experiment has for it.

    Parameters
    ----------
    experiment : Experiment
        Whose slice it is.
    **options
        Of `run`.

    Returns
    -------
    frame : DataFrame
        As from `run`.
    """
    return run(_on_part(experiment), experiment.check_slice(), **options)


def beside_stored(experiment, computed, *, folder=None):
    """Rows of a table or a part of it beside the stored ones, the worst first.

    Parameters
    ----------
    experiment : Experiment
        Whose table is stored.
    computed : DataFrame
        Table made by `run`.
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
    return _beside(experiment, load(experiment.id, folder=folder)[0], computed)


def _beside(experiment, stored, computed):
    stored = stored.merge(computed[_UNIT].drop_duplicates(), on=_UNIT)
    keys = [*_UNIT, "metric"]
    cells = stored.merge(computed, on=keys, how="outer", suffixes=("_stored", "_computed"))
    cells = cells.rename(columns={"value_stored": "stored", "value_computed": "computed"})
    cells = cells[~cells["metric"].isin(experiment.timings)]
    gap = (cells["computed"] - cells["stored"]).abs()
    scale = cells["stored"].abs().where(gap > 0, 1.0)  # nothing over nothing is no difference
    cells["difference"] = (gap / scale).fillna(np.inf)
    allowed = experiment.rtol * cells["stored"].abs()
    keys_of = zip(cells["method"], cells["metric"], strict=True)
    allowed += [experiment.atol.get(key, experiment.atol.get(key[1], 0.0)) for key in keys_of]
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
    # Without memory: what a table is sealed with was computed, and by the code as it is now.
    computed = run_check(experiment, **options)
    cells = _beside(experiment, _stored_check(experiment, folder), computed)
    wrong = cells[cells["excess"] > 1]
    if wrong.empty:
        largest = 0.0 if cells.empty else float(f"{cells['difference'].max():.2g}")
        n_units = len(experiment.check_slice())
        seal(experiment, {"units": n_units, "difference": largest}, folder=folder)
    return wrong


def _on_part(experiment):
    """The experiment on the part of the data that it is checked on."""
    if experiment.check_load is None:
        return experiment
    return dataclasses.replace(experiment, load=experiment.check_load, check_load=None)


def _stored_check(experiment, folder):
    """Rows that the check slice is compared with."""
    if experiment.check_load is None:
        return load(experiment.id, folder=folder)[0]
    return load_check(experiment.id, folder=folder)


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
