"""Compute the stored tables: papermill executes the chapters that own them.

python -m reproduction.pipeline.results
python -m reproduction.pipeline.results toy-table-01 --profile fresh

The profile ``check`` executes no chapter, so that no stale table of another one is in the way.
"""

import argparse
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from difflib import get_close_matches

import pandas as pd
from joblib import effective_n_jobs

from reproduction.engine import get_experiment, list_experiments, load, unfinished, why_stale
from reproduction.engine.check import keep_cells, recompute, seconds_of_check, summarise_cells
from reproduction.engine.profiles import checked_first
from reproduction.engine.progress import format_duration
from reproduction.paths import results_dir, verify_dir
from reproduction.pipeline import execute
from reproduction.pipeline.chapters import owned_by_chapter

_STORING = ("full", "fresh")
_SHOWN = 20  # cells of all tables together; the files have all


def main(arguments=None):
    """Run the command, and give its code.

    It is 1 when a chapter was not executed to its end, when a table is still stale, or when rows
    that were computed again are not the stored ones.
    """
    options = _parse(arguments)
    left = _left(options.ids or list_experiments(), options.profile)
    ids = [id for some in left.values() for id in some]
    if options.profile in ("verify", "check"):
        _forget(ids)
    if options.profile == "check":
        return _check(ids)
    if options.profile != "quick":
        _say_time(ids, options.profile)
    jobs = max(1, min(options.jobs, len(left)))
    # Chapters side by side divide the processors.
    os.environ["LOKY_MAX_CPU_COUNT"] = str(max(1, effective_n_jobs(-1) // jobs))
    with ThreadPoolExecutor(jobs) as pool:
        runs = [pool.submit(_execute, name, ids, options) for name, ids in left.items()]
        try:
            code = max((run.result() for run in runs), default=0)
        except KeyboardInterrupt:
            print("Interrupted. The same command continues.", file=sys.stderr, flush=True)
            os._exit(130)  # nothing stops a thread; kernels end with the process that began them
    if options.profile == "verify":
        code = max(code, _report(ids))
    return code


def _left(ids, profile):
    """Tables to compute by the chapter that owns them, those that take longest first."""
    left = {}
    for name, owned in owned_by_chapter().items():
        for id in owned:
            if id not in ids:
                continue
            if profile in ("full", "check") and not unfinished(get_experiment(id)):
                print(f"{id}: fresh (skipped)", flush=True)
            else:
                left.setdefault(name, []).append(id)
    return dict(sorted(left.items(), key=lambda item: -sum(map(_seconds_taken, item[1]))))


def _execute(name, ids, options):
    """Execute a chapter with a profile for some of its tables; 0 if all is well afterwards."""
    before = {id: _last_written(id) for id in ids}
    code = ended = execute.main([name, "-p", "profile", f"{options.profile}:{','.join(ids)}"])
    if options.profile not in _STORING:
        return code
    for id in ids:
        if reason := why_stale(get_experiment(id)):
            ask = "" if ended else f'; {name} did not call results("{id}", profile=profile)'
            print(f"{id}: still to be computed: {reason}{ask}", file=sys.stderr)
        elif _last_written(id) == before[id]:
            print(f"{id}: not computed, the stored table stands", file=sys.stderr)
        elif ended:
            print(f"{id}: stored, but {name} was not executed to its end", file=sys.stderr)
            continue
        else:
            continue
        code = 1
    return code


def _last_written(id):
    """When the file that says what a table is was last replaced; None where there is none."""
    path = results_dir() / f"{id}.json"
    return path.stat().st_mtime_ns if path.exists() else None


def _forget(ids):
    """Remove what an earlier verification has found."""
    for id in ids:
        (verify_dir() / f"{id}.csv").unlink(missing_ok=True)


def _report(ids):
    """Write one line per table on what was computed again; 1 if something differs or is missing."""
    lines, code = [], 0
    for id in ids:
        path = verify_dir() / f"{id}.csv"
        if path.exists():
            cells = pd.read_csv(path)
            lines.append(summarise_cells(id, cells))
            code = max(code, int((cells["excess"] > 1).any()))
        else:
            lines.append(f"{id}: not computed")
            code = 1
    print("\n".join(lines))
    verify_dir().mkdir(parents=True, exist_ok=True)
    (verify_dir() / "report.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"Each cell beside the stored one, the worst first: {verify_dir()}")
    return code


def _check(ids):
    """Recompute the check slices of tables, and show which of their numbers moved."""
    moved = []
    for id in ids:
        try:
            cells = recompute(get_experiment(id), progress=False)
        except Exception as error:  # whatever changed code raises: other tables have an answer
            print(f"{id}: not computed. {type(error).__name__}: {error}", file=sys.stderr)
            continue
        keep_cells(id, cells)
        moved.append(cells[cells["excess"] > 1].assign(table=id))
    code = _report(ids)
    worst = pd.concat(moved or [pd.DataFrame()])
    if not worst.empty:
        worst = worst.sort_values("excess", ascending=False, kind="stable")[:_SHOWN]
        columns = ["table", "method", "setting", "split", "metric", "stored", "computed"]
        print(worst[columns].to_string(index=False))
    return code


def _say_time(ids, profile):
    """Write how long it takes, by what the tables took when all their rows were computed last."""
    first = {}
    if profile == "full":
        experiments = {id: get_experiment(id) for id in ids}
        methods = {id: checked_first(experiment) for id, experiment in experiments.items()}
        first = {
            id: seconds_of_check(experiments[id], some) for id, some in methods.items() if some
        }
    now = [id for id in ids if id not in first]
    if now:
        in_full = _duration(map(_seconds_taken, now))
        print(f"computes {_tables(now)} in full, {in_full}", flush=True)
    if first:
        part, in_full = _duration(first.values()), _duration(map(_seconds_taken, first))
        print(
            f"checks a part of {_tables(first)} first, {part}; "
            f"what has moved is computed in full, {in_full} if all has",
            flush=True,
        )


def _duration(seconds):
    """How long some work takes on this machine, given its parts on one processor."""
    seconds = sum(seconds) / effective_n_jobs(-1)
    return f"about {format_duration(seconds)}" if seconds else "nobody knows how long"


def _tables(ids):
    return f"{len(ids)} table{'s' * (len(ids) > 1)}"


def _seconds_taken(id):
    try:
        return load(id)[1]["duration_s"]
    except (FileNotFoundError, ValueError):  # missing or damaged, which is why it is computed
        return 0.0


def _parse(arguments):
    parser = argparse.ArgumentParser(
        prog="python -m reproduction.pipeline.results",
        description="Execute the chapters that own stored tables, so that they compute them.",
    )
    parser.add_argument("ids", nargs="*", metavar="id", help="tables (default: all)")
    parser.add_argument(
        "--profile",
        choices=["full", "fresh", "verify", "quick", "check"],
        default="full",
        help="full: what is stale, where only code has changed after a check of a part; fresh: "
        "everything, interrupted runs are forgotten; verify: everything, nothing is stored, and a "
        "report says what differs; quick: a small part of each, nothing is stored; check: the "
        "check slice of what is stale, nothing is stored, and a report says what moved",
    )
    parser.add_argument(
        "--jobs",
        type=int,
        default=1,
        help="chapters at the same time, each with a share of the processors (default: 1)",
    )
    options = parser.parse_args(arguments)
    listed = list_experiments()
    if unknown := [id for id in options.ids if id not in listed]:
        near = get_close_matches(unknown[0], listed, n=1)
        parser.error(
            f"no such table: {', '.join(unknown)}; reproduction/studies/<study>/tables must have "
            f"its module{f' (did you mean {near[0]}?)' if near else ''}"
        )
    owned = {id for ids in owned_by_chapter().values() for id in ids}
    if without := [id for id in options.ids or listed if id not in owned]:
        parser.error(
            f"no chapter computes {', '.join(without)}; the header of one must name it under tables"
        )
    return options


if __name__ == "__main__":
    sys.exit(main())
