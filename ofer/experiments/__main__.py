"""Compute the stored results that are missing or stale: ``python -m ofer.experiments``."""

import argparse
import dataclasses
import sys

from joblib import effective_n_jobs

from ofer.datasets import DataUnavailableError

from ._paths import quick_dir, scratch_dir
from ._progress import format_duration
from ._registry import get_experiment, list_experiments
from ._results import compute
from ._scratch import Scratch
from ._store import is_stale, load

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
        0, or 1 when the data of some experiment are not available.
    """
    options = _parse(argv)
    quick = options.profile == "quick"
    folder = quick_dir() if quick else None
    missing_data = False
    experiments = {
        id: _quick(get_experiment(id)) if quick else get_experiment(id)
        for id in options.ids or list_experiments()
    }
    reasons = {
        id: _reason(experiment, folder, fresh=options.fresh)
        for id, experiment in experiments.items()
    }
    left = [id for id, reason in reasons.items() if reason is not None]
    for id, experiment in experiments.items():
        reason = reasons[id]
        if options.list:
            print(f"{id}: {experiment.title} [{reason or 'fresh'}]")
            continue
        if reason is None:
            print(f"{id}: fresh (skipped)")
            continue
        _say_time_left(left, folder, options.jobs)
        left.remove(id)
        print(f"{id}: computing because {reason}", flush=True)
        if options.fresh:
            Scratch(scratch_dir(), experiment).remove()
        try:
            compute(experiment, folder=folder, n_jobs=options.jobs)
        except DataUnavailableError as error:
            print(f"{id}: not computed. {error}", file=sys.stderr)
            missing_data = True
    return int(missing_data)


def _parse(argv):
    parser = argparse.ArgumentParser(
        prog="python -m ofer.experiments",
        description="Compute the stored results that are missing or stale.",
    )
    parser.add_argument(
        "ids", nargs="*", metavar="id", help="experiments to consider (default: all)"
    )
    parser.add_argument(
        "--fresh",
        action="store_true",
        help="compute even what is stored, and forget interrupted runs; "
        "needed when the code that an experiment calls has changed",
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


def _reason(experiment, folder, *, fresh):
    """Why an experiment must be computed, or None."""
    if fresh:
        return "asked to"
    stale = is_stale(experiment, folder=folder)
    if Scratch(scratch_dir(), experiment).path.exists():
        return f"{stale}, continuing an interrupted run" if stale else "a run was interrupted"
    return stale


if __name__ == "__main__":
    sys.exit(main())
