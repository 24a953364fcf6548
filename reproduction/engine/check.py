"""Recomputed rows beside the stored ones: what a change of code does to a table."""

import dataclasses

import numpy as np

from reproduction.engine.runner import run
from reproduction.engine.store import load, load_check, read_sidecar, seal
from reproduction.engine.table import Table
from reproduction.paths import verify_dir

__all__ = [
    "beside_stored",
    "check_and_seal",
    "keep_cells",
    "recompute",
    "run_check",
    "seconds_of_check",
    "summarise_cells",
]

_UNIT = ["method", "setting", "split"]
_AT_MOST = 60.0  # seconds; about what a check slice may take


def recompute(experiment, units=None, *, with_times=False, **options):
    """Evaluate units and set what comes out beside the stored rows.

    Where the experiment has a part of its data for checks, they are evaluated on that.

    Parameters
    ----------
    experiment : Experiment
        Whose table is stored.
    units : sequence of Unit, default=None
        What to evaluate; None means the check slice.
    with_times : bool, default=False
        As of `beside_stored`.
    **options
        Of `run`.

    Returns
    -------
    cells : DataFrame
        As from `beside_stored`.
    """
    done = run_check(experiment, units, **options)
    return _beside_checked(experiment, done, with_times=with_times)


def _beside_checked(experiment, done, **options):
    has_part = experiment.check.load is not None
    stored = load_check(experiment.id) if has_part else None
    return beside_stored(experiment, done.frame, stored=stored, **options)


def run_check(experiment, units=None, **options):
    """Run of units or of the check slice, on the part of the data for checks, if any."""
    units = experiment.check_slice() if units is None else list(units)
    if experiment.check.load is not None:
        experiment = dataclasses.replace(experiment, load=experiment.check.load)
    return run(experiment, units, **options)


def beside_stored(experiment, computed, *, stored=None, with_times=False):
    """Rows of a table or a part of it beside the stored ones, the worst first.

    Parameters
    ----------
    experiment : Experiment
        Whose table is stored.
    computed : DataFrame
        The ``frame`` of a `Run`.
    stored : DataFrame, default=None
        Rows to compare with; None means those of the table.
    with_times : bool, default=False
        Whether metrics that are times are among the cells.

    Returns
    -------
    cells : DataFrame
        Columns ``method``, ``setting``, ``split``, ``metric``, ``stored``, ``computed``,
        ``difference``, relative to the stored value, and ``excess``: the difference over what the
        experiment tolerates, so that above 1 a cell is wrong. A row that is on one side only
        differs by infinity.
    """
    if stored is None:
        stored = load(experiment.id)[0]
    tolerance = experiment.tolerance
    stored = stored.merge(computed[_UNIT].drop_duplicates(), on=_UNIT)
    keys = [*_UNIT, "metric"]
    cells = stored.merge(computed, on=keys, how="outer", suffixes=("_stored", "_computed"))
    cells = cells.rename(columns={"value_stored": "stored", "value_computed": "computed"})
    if not with_times:
        cells = cells[~cells["metric"].isin(experiment.timings)]
    gap = (cells["computed"] - cells["stored"]).abs()
    scale = cells["stored"].abs().where(gap > 0, 1.0)  # nothing over nothing is no difference
    cells["difference"] = (gap / scale).fillna(np.inf)
    allowed = tolerance.rtol * cells["stored"].abs()
    keys_of = zip(cells["method"], cells["metric"], strict=True)
    allowed += [tolerance.atol.get(key, tolerance.atol.get(key[1], 0.0)) for key in keys_of]
    cells["excess"] = (gap / allowed.where(gap > 0, 1.0)).fillna(np.inf)
    return cells.sort_values("excess", ascending=False, kind="stable", ignore_index=True)


def check_and_seal(experiment, *, methods=None, **options):
    """Recompute the check slice of a table; seal the table if the slice is what is stored.

    Of a `Table`, columns whose part of the slice is what is stored are sealed, though others are
    not; but for a change of what all columns have in common.

    Parameters
    ----------
    experiment : Experiment
        Whose table is stored.
    methods : sequence of str, default=None
        The columns of a `Table` that are checked; None means all.
    **options
        Of `run`.

    Returns
    -------
    wrong : DataFrame
        Cells that differ by more than the experiment's tolerance, the worst first; the table is
        sealed when there is none.
    """
    methods = [*experiment.methods] if methods is None else [*methods]
    units = slice_of(experiment, methods)
    done = run_check(experiment, units, **options)
    cells = _beside_checked(experiment, done)
    wrong = cells[cells["excess"] > 1]
    is_table = isinstance(experiment, Table)
    if not wrong.empty:
        if not is_table or _moved_for_all(experiment):
            return wrong
        cells = cells[~cells["method"].isin(wrong["method"])]
        methods = [method for method in methods if method in {*cells["method"]}]
        units = [unit for unit in units if unit.method in methods]
    if units:
        largest = 0.0 if cells.empty else float(f"{cells['difference'].max():.2g}")
        checked = {"units": len(units), "difference": largest}
        checked["duration_s"] = round(done.seconds, 3)
        columns = methods if is_table else None
        seal(experiment, checked, methods=columns)
    return wrong


def slice_of(experiment, methods=None):
    """Check slice of all columns or of some; where it has none of these, the first unit of each."""
    units = experiment.check_slice()
    if methods is None:
        return units
    chosen = [unit for unit in units if unit.method in methods]
    return chosen or [experiment.units(methods=[method])[0] for method in methods]


def seconds_of_check(experiment, methods):
    """About how long the check slice of some methods takes on one processor, from former runs."""
    sidecar, units = read_sidecar(experiment.id), len(slice_of(experiment, methods))
    sealed = sidecar.get("sealed", {})
    if "duration_s" in sealed:
        return sealed["duration_s"] / sealed["units"] * units
    return min(_AT_MOST, sidecar["duration_s"] / len(experiment.units()) * units)


def _moved_for_all(experiment):
    """Whether code has changed that all columns of a table have in common."""
    before, now = read_sidecar(experiment.id)["code"], experiment.code
    return any(before[part] != now[part] for part in ("draw", "scores"))


def keep_cells(id, cells):
    """Write cells of `beside_stored` to `verify_dir`."""
    verify_dir().mkdir(parents=True, exist_ok=True)
    cells.to_csv(verify_dir() / f"{id}.csv", index=False, lineterminator="\n")


def summarise_cells(id, cells):
    """One line on a comparison of `beside_stored`, for a report."""
    wrong = int((cells["excess"] > 1).sum())
    largest = "" if cells.empty else f", largest difference {cells['difference'].max():.2g}"
    return f"{id}: {len(cells)} cells, {wrong} beyond the tolerance{largest}"
