"""What a chapter does with a table that it owns: a quick part, everything that is stale, all."""

import sys

import pandas as pd

from reproduction.checks import check_option
from reproduction.datasets import DataUnavailableError
from reproduction.engine.check import (
    beside_stored,
    check_and_seal,
    keep_cells,
    recompute,
    run_check,
    summarise_cells,
)
from reproduction.engine.progress import format_duration
from reproduction.engine.runner import run
from reproduction.engine.store import (
    CODE_CHANGED,
    kept_units,
    load,
    load_groups,
    read_sidecar,
    save,
    stale_columns,
    why_stale,
)
from reproduction.engine.units import Outcome, Units
from reproduction.paths import scratch_dir, verify_dir

__all__ = ["apply_profile", "checked_first", "compute", "quick_units", "unfinished"]

_QUICK_SPLITS = 2
_LONG_UNIT = 5.0  # seconds; where units take longer on average, one split has to do


def apply_profile(profile, experiment, *, n_jobs=-1):
    """Do what a profile asks for with the table of an experiment, before its rows are read.

    Parameters
    ----------
    profile : str
        ``"stored"``: nothing. ``"quick"``: compute a small part and show it beside the stored
        rows. ``"full"``: compute and store the table if it is stale, or seal it if that is
        enough; an interrupted run is continued. ``"fresh"``: compute and store it in any case.
        ``"verify"``: compute all of it, store nothing, and write each cell beside the stored one
        to `verify_dir`. After a colon may stand ids, with commas between: the profile is for
        these tables, and the others are as stored.
    experiment : Experiment
        Whose table it is.
    n_jobs : int, default=-1
        See `run`.

    Raises
    ------
    ValueError
        When there is no such profile.
    """
    name, _, ids = profile.partition(":")
    check_option("profile", name, _PROFILES)
    if ids and experiment.id not in ids.split(","):
        return
    try:
        _PROFILES[name](experiment, n_jobs=n_jobs)
    except DataUnavailableError as error:
        _say(f"{experiment.id}: not computed. {error}")


def compute(experiment, *, keep=(), n_jobs=-1, progress=True):
    """Compute a table and store it; an interrupted run is continued.

    Parameters
    ----------
    experiment : Experiment
        What to compute.
    keep : collection of Unit, default=()
        Units that the change of the experiment has not reached, such as those with another grid
        than the one that was widened, or those of `kept_units`. Their stored rows are taken over,
        and the sidecar says so. Where the identity does not vouch for them, this is after a check:
        those of the check slice must still be what is stored.
    n_jobs : int, default=-1
        See `run`.
    progress : bool, default=True
        See `run`.

    Raises
    ------
    ValueError
        When a row that was to be kept is not what the experiment gives now.
    """
    kept = _take_over(experiment, keep, n_jobs=n_jobs) if keep else None
    done = run(experiment, n_jobs=n_jobs, scratch=scratch_dir(), progress=progress)
    has_part = experiment.check.load is not None
    checked = run_check(experiment, n_jobs=n_jobs, progress=progress).frame if has_part else None
    save(experiment, done, checked=checked, kept=kept)
    Units(experiment, scratch_dir()).remove()


def _take_over(experiment, keep, *, n_jobs):
    """Put stored rows beside units that are evaluated, after a check; what is said of it."""
    sure = kept_units(experiment)
    checked = [unit for unit in experiment.check_slice() if unit in {*keep} - sure]
    said = {}
    if {*keep} - sure:
        cells = recompute(experiment, checked, n_jobs=n_jobs, progress=False)
        wrong = cells[cells["excess"] > 1]
        if not wrong.empty:
            raise ValueError(f"{experiment.id} cannot keep its rows: {_what_moved(wrong)}.")
        difference = float(f"{cells['difference'].max():.2g}")
        said = {"units": len(checked), "difference": difference}
    frame, sidecar = load(experiment.id)
    rows = _by_unit(frame)
    groups = {} if experiment.groups is None else _by_unit(load_groups(experiment.id))
    seconds = sidecar["duration_s"] / len(rows)
    units = Units(experiment, scratch_dir())
    for unit in sorted({*keep} - {*units.read()}):
        values = {row.metric: row.value for row in rows[unit].itertuples()}
        without = groups[unit].itertuples(index=False) if unit in groups else ()
        columns = {row.metric: [*row[4:]] for row in without}
        units.append(unit, Outcome(values, seconds, columns))
    others = [(unit.method, unit.setting) for unit in experiment.units() if unit not in {*keep}]
    return {
        "date": sidecar.get("kept", sidecar)["date"],
        "but": list(dict.fromkeys(map(", ".join, others))),
        **said,
    }


def _by_unit(frame):
    """Rows of each unit."""
    return dict(list(frame.groupby(["method", "setting", "split"], sort=False)))


def quick_units(experiment):
    """Units of the quick profile: two splits of the settings and methods of the check slice.

    One split where a unit of the stored table took more than five seconds on average; the check
    slice of an experiment that is checked on a part of its data.

    Parameters
    ----------
    experiment : Experiment
        Whose table is stored.

    Returns
    -------
    units : list of Unit
    """
    check = experiment.check
    if check.load is not None:
        return experiment.check_slice()
    seconds = read_sidecar(experiment.id)["duration_s"] / len(experiment.units())
    n_splits = 1 if seconds > _LONG_UNIT else min(_QUICK_SPLITS, experiment.n_splits)
    return experiment.units(methods=check.methods, settings=check.settings, splits=range(n_splits))


def unfinished(experiment):
    """Why there is something left to do for the profile ``"full"``.

    Parameters
    ----------
    experiment : Experiment
        Whose table it is.

    Returns
    -------
    reason : str or None
        Why the table is stale, or that a run was interrupted; None when neither is so.
    """
    stale = why_stale(experiment)
    if Units(experiment, scratch_dir()).path.exists():
        return f"{stale}, continuing an interrupted run" if stale else "a run was interrupted"
    return stale


def checked_first(experiment):
    """Methods of which the profile ``"full"`` checks a part before it computes anything.

    Parameters
    ----------
    experiment : Experiment
        Whose table it is.

    Returns
    -------
    methods : list of str
        Those of which only code has changed; none where an interrupted run is continued.
    """
    if Units(experiment, scratch_dir()).path.exists():
        return []
    return [name for name, why in stale_columns(experiment).items() if why == CODE_CHANGED]


def _stored(experiment, **options):
    """Do nothing."""


def _quick(experiment, *, n_jobs):
    """Show a small part beside the stored rows."""
    from IPython.display import display  # only notebooks need it

    if why_stale(experiment) == "missing":
        return
    units = quick_units(experiment)
    # Times are shown as well, but nobody expects them to agree.
    cells = recompute(experiment, units, with_times=True, n_jobs=n_jobs)
    n_splits = cells["split"].nunique()
    for name in ("method", "setting"):  # in the declared order
        cells[name] = pd.Categorical(cells[name], [*getattr(experiment, f"{name}s")])
    groups = cells.groupby(["setting", "method", "metric"], observed=True)
    means = groups[["stored", "computed"]].mean().reset_index()
    means = means[["method", "setting", "metric", "stored", "computed"]]
    means["difference"] = means["computed"] - means["stored"]
    data = "" if experiment.check.load is None else " on a part of the data"
    caption = (
        f"A part of {experiment.id}, computed now{data}, beside the stored rows of the same units: "
        f"means over {n_splits} split{'s' * (n_splits > 1)}."
    )
    style = means.style.set_caption(caption).hide(axis="index")
    display(style.format(precision=4).format("{:+.1e}", subset="difference"))
    compared = cells[~cells["metric"].isin(experiment.timings)]
    print(summarise_cells(experiment.id, compared), flush=True)


def _full(experiment, *, n_jobs):
    """Bring the stored table up to date."""
    reason = unfinished(experiment)
    if reason is None:
        _say(f"{experiment.id}: fresh")
        return
    if in_doubt := checked_first(experiment):
        _say(f"{experiment.id}: {reason}, checking a part")
        wrong = check_and_seal(experiment, methods=in_doubt, n_jobs=n_jobs)
        left = why_stale(experiment)
        if left is None:
            _say(f"{experiment.id}: sealed, the part is what is stored")
            return
        reason = left if wrong.empty else f"{CODE_CHANGED} and {_what_moved(wrong)}"
    # What was interrupted while it renewed a fresh table renews all of it.
    fresh = why_stale(experiment) is None
    keep = () if fresh else kept_units(experiment)
    _compute_because(reason, experiment, n_jobs, keep=keep)


def _fresh(experiment, *, n_jobs):
    """Compute everything and store it, whatever is there."""
    Units(experiment, scratch_dir()).remove()
    _compute_because("asked to", experiment, n_jobs)


def _verify(experiment, *, n_jobs):
    """Compute everything and write it beside the stored rows, the worst cell first."""
    if why_stale(experiment) == "missing":
        return
    frame = run(experiment, n_jobs=n_jobs, scratch=verify_dir()).frame
    cells = beside_stored(experiment, frame)
    keep_cells(experiment.id, cells)
    Units(experiment, verify_dir()).remove()
    _say(summarise_cells(experiment.id, cells))


_PROFILES = {
    "stored": _stored,
    "quick": _quick,
    "full": _full,
    "fresh": _fresh,
    "verify": _verify,
}


def _what_moved(wrong):
    worst = wrong.iloc[0]
    return (
        f"{len(wrong)} cells moved, most {worst['metric']} of {worst['method']} "
        f"({worst['setting']}, split {worst['split']}) from {worst['stored']:g} to "
        f"{worst['computed']:g}"
    )


def _compute_because(reason, experiment, n_jobs, keep=()):
    _say(f"{experiment.id}: computing because {reason}")
    compute(experiment, keep=keep, n_jobs=n_jobs)
    seconds = read_sidecar(experiment.id)["duration_s"]
    _say(f"{experiment.id}: stored after {format_duration(seconds)} of computation")


def _say(line):
    # Standard error is what a command that executes a chapter shows while it runs.
    print(line, file=sys.stderr, flush=True)
