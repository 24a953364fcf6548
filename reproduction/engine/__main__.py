"""Compute the stored results that are missing or stale: ``python -m reproduction.engine``."""

import argparse
import dataclasses
import sys

from joblib import effective_n_jobs

from reproduction.datasets import DataUnavailableError
from reproduction.engine.access import compute, why_stale
from reproduction.engine.catalogue import get_experiment, list_experiments
from reproduction.engine.check import beside_stored, check_and_seal, summarise_cells
from reproduction.engine.progress import format_duration
from reproduction.engine.runner import run
from reproduction.engine.scratch import Scratch
from reproduction.engine.store import CODE_CHANGED, is_stale, load
from reproduction.paths import quick_dir, scratch_dir, verify_dir

_QUICK_SPLITS = 2


def main(argv=None):
    """Run the command.

    Parameters
    ----------
    argv : list of str, default=None
        Arguments; None means those of the process.

    Returns
    -------
    code : int
        0; 1 when the data of some experiment are not available, or when rows that were computed
        again are not the stored ones.
    """
    options = _parse(argv)
    ids = options.ids or list_experiments()
    if options.list:
        for id in ids:
            experiment = get_experiment(id)
            print(f"{id}: {experiment.title} [{why_stale(experiment) or 'fresh'}]")
        return 0
    return _verify(ids, options) if options.verify else _bring_up_to_date(ids, options)


def _bring_up_to_date(ids, options):
    """Compute what is missing or stale, and seal what only stands on other code."""
    quick = options.profile == "quick"
    folder = quick_dir() if quick else None
    experiments = [_quick(get_experiment(id)) if quick else get_experiment(id) for id in ids]
    missing_data = False
    left = []
    for experiment in experiments:
        try:
            reason = _reason(experiment, folder, options)
        except DataUnavailableError as error:
            missing_data = _say_missing(experiment, error)
            continue
        if reason is None:
            print(f"{experiment.id}: fresh (skipped)", flush=True)
        else:
            left.append((experiment, reason))
    while left:
        _say_time_left([experiment.id for experiment, _ in left], folder, options.jobs)
        experiment, reason = left.pop(0)
        print(f"{experiment.id}: computing because {reason}", flush=True)
        if options.fresh:
            Scratch(scratch_dir(), experiment).remove()
        try:
            compute(experiment, folder=folder, n_jobs=options.jobs)
        except DataUnavailableError as error:
            missing_data = _say_missing(experiment, error)
    return int(missing_data)


def _verify(ids, options):
    """Compute everything again and write what comes out beside the stored rows."""
    folder = verify_dir()
    folder.mkdir(parents=True, exist_ok=True)
    lines, code = [], 0
    for id in ids:
        experiment = get_experiment(id)
        try:
            frame = run(experiment, n_jobs=options.jobs, scratch=folder)
        except DataUnavailableError as error:
            code = _say_missing(experiment, error)
            lines.append(f"{id}: not computed, its data are missing")
            continue
        cells = beside_stored(experiment, frame)
        Scratch(folder, experiment).remove()
        cells.to_csv(folder / f"{id}.csv", index=False, lineterminator="\n")
        lines.append(summarise_cells(id, cells))
        code = max(code, int((cells["excess"] > 1).any()))
        print(lines[-1], flush=True)
    (folder / "report.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"Each cell beside the stored one, the worst first: {folder}")
    return code


def _parse(argv):
    parser = argparse.ArgumentParser(
        prog="python -m reproduction.engine",
        description="Compute the stored results that are missing or stale. Where only code has "
        "changed, a part is recomputed first: if it is what is stored, the table is kept.",
    )
    parser.add_argument(
        "ids", nargs="*", metavar="id", help="experiments to consider (default: all)"
    )
    parser.add_argument(
        "--fresh",
        action="store_true",
        help="compute even what is fresh, and forget interrupted runs",
    )
    parser.add_argument(
        "--profile",
        choices=["full", "quick"],
        default="full",
        help=f"quick: {_QUICK_SPLITS} splits of a part, stored in .cache/results-quick",
    )
    parser.add_argument(
        "--jobs", type=int, default=-1, help="units at the same time (default: all processors)"
    )
    parser.add_argument(
        "--list", action="store_true", help="say what each experiment is, compute nothing"
    )
    parser.add_argument(
        "--verify",
        action="store_true",
        help="compute everything again, store nothing, and write a report: what comes out beside "
        "the stored rows; can be killed and continued",
    )
    options = parser.parse_args(argv)
    unknown = [id for id in options.ids if id not in list_experiments()]
    if unknown:
        parser.error(f"no such experiment: {', '.join(unknown)} (known: {list_experiments()})")
    return options


def _quick(experiment):
    """Return a small part of an experiment: another fingerprint, so never mixed up.

    Few splits of what the tests recompute, which every experiment declares to be quick.
    """
    settings = experiment.check_settings or experiment.settings
    methods = experiment.check_methods or experiment.methods
    methods_of = {
        setting: tuple(method for method in methods if method in existing)
        for setting, existing in experiment.methods_of.items()
        if setting in settings
    }
    return dataclasses.replace(
        experiment,
        methods=methods,
        settings=settings,
        n_splits=min(_QUICK_SPLITS, experiment.n_splits),
        check_splits=(0,),
        check_more=(),
        methods_of=methods_of,
        splits_of={
            setting: number
            for setting, number in experiment.splits_of.items()
            if setting in settings
        },
    )


def _say_time_left(ids, folder, jobs):
    """Write what these experiments will take together, by what they took last time."""
    took = [seconds for id in ids if (seconds := _seconds_taken(id, folder)) is not None]
    if took:
        left = format_duration(sum(took) / effective_n_jobs(jobs))
        unknown = len(ids) - len(took)
        more = f", and {unknown} that have not run before" if unknown else ""
        print(f"{len(ids)} to compute, about {left} left{more}", file=sys.stderr, flush=True)


def _seconds_taken(id, folder):
    try:
        return load(id, folder=folder)[1]["duration_s"]
    except FileNotFoundError:
        return None


def _reason(experiment, folder, options):
    """Why an experiment must be computed, or None; seals the table where that is enough."""
    if options.fresh:
        return "asked to"
    stale = is_stale(experiment, folder=folder)
    if Scratch(scratch_dir(), experiment).path.exists():
        return f"{stale}, continuing an interrupted run" if stale else "a run was interrupted"
    if stale != CODE_CHANGED:
        return stale
    print(f"{experiment.id}: {why_stale(experiment, folder=folder)}, checking a part", flush=True)
    wrong = check_and_seal(experiment, folder=folder, n_jobs=options.jobs)
    if wrong.empty:
        return None
    worst = wrong.iloc[0]
    return (
        f"{stale} and {len(wrong)} cells moved, most {worst['metric']} of {worst['method']} "
        f"({worst['setting']}, split {worst['split']}) from {worst['stored']:g} to "
        f"{worst['computed']:g}"
    )


def _say_missing(experiment, error):
    print(f"{experiment.id}: not computed. {error}", file=sys.stderr)
    return True


if __name__ == "__main__":
    sys.exit(main())
