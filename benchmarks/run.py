"""Measure all benchmarks one after another, or those that are named, and store what they give.

    make benchmarks
    make benchmarks NAME=kernel_ridge

Each script runs in a process of its own with one thread; some run again with as many threads as
the numerical libraries take by themselves. After each benchmark the stored table, and what the
README and the book quote of it, are written. Rows that need a package or data that are not here
stay as they were stored, with the machine and the date of their own run.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

from quote import quote
from record import Row
from table import read_rows, read_runs, replace_rows, stamp, write_rows, write_runs

from reproduction.machine import watch

FOLDER = Path(__file__).resolve().parent
ALL_THREADS_TOO = ("alignment", "kernel_ridge", "state_space")
PACKAGES = (
    "numpy",
    "scipy",
    "scikit-learn",
    "himalaya",
    "pykalman",
    "hmmlearn",
    "tslearn",
    "dynamax",
    "fastridge",
    "jax",
    "simdkalman",
    "ssfortran",
    "mapie",
    "online-cp",
    "torch",
    "xrfm",
)


def scripts():
    """Benchmarks in the folder by name: the files that end with a call of `record.run`."""
    paths = sorted(FOLDER.glob("*.py"))
    return {path.stem: path for path in paths if "\n    run(measure, __doc__" in path.read_text()}


def processor():
    """Name of the processor, as the system gives it."""
    listed = Path("/proc/cpuinfo")
    lines = listed.read_text().splitlines() if listed.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def describe():
    """Machine, processors, libraries with their threads, and versions of this process."""
    import sklearn.metrics  # noqa: F401 -- loads the numerical libraries
    from threadpoolctl import threadpool_info

    pools = sorted(
        {
            f"{pool['internal_api']} {pool['version'] or ''}".strip()
            + (f" ({pool['architecture']})" if pool.get("architecture") else "")
            + f": {pool['num_threads']} threads"
            for pool in threadpool_info()
        }
    )
    versions = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            versions[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return {
        "machine": processor(),
        "processors": os.cpu_count(),
        "libraries": pools,
        "versions": versions,
    }


def rows_of(script, threads, repetitions):
    """Rows of one script in a process of its own, and the names of what is missing.

    Parameters
    ----------
    script : Path
    threads : int or None
        Threads of the numerical libraries; None for what they take by themselves.
    repetitions : int or None
        None for what the script takes by itself.
    """
    environment = {name: value for name, value in os.environ.items() if name != "OMP_NUM_THREADS"}
    if threads is not None:
        environment["OMP_NUM_THREADS"] = str(threads)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "rows"
        command = [sys.executable, str(script), "--to", str(file)]
        command += [] if repetitions is None else ["--repetitions", str(repetitions)]
        subprocess.run(command, env=environment, check=True)
        entries = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    rows = [Row(**one) for one in entries if "missing" not in one]
    return rows, {one["missing"] for one in entries if "missing" in one}


def main():
    """Measure, store and quote."""
    known = scripts()
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(known)}")
    parser.add_argument("--repetitions", type=int, help="fewer make a trial")
    options = parser.parse_args()
    if unknown := sorted(set(options.names) - set(known)):
        parser.error(f"NAME must be one of {', '.join(known)}; got {', '.join(unknown)}.")

    os.environ.pop("OMP_NUM_THREADS", None)  # before numerical libraries are loaded
    run, date = describe(), datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    print(f"{run['machine']}, {run['processors']} processors")
    print("libraries:", "; ".join(run["libraries"]))
    print("versions:", ", ".join(f"{name} {version}" for name, version in run["versions"].items()))
    loads = []
    for name in options.names or known:
        others = watch()
        measured, missing = [], set()
        several = name in ALL_THREADS_TOO and run["processors"] > 1
        for threads in (1, None) if several else (1,):
            rows, absent = rows_of(known[name], threads, options.repetitions)
            measured += rows
            missing |= absent
        loads.append(others())
        run["load"] = None if None in loads else max(loads)
        rows = replace_rows(read_rows(), stamp(measured, run, date), name, missing)
        kept = [row for row in rows if row.benchmark == name and row.date != date]
        if kept:
            print(f"{name}: {len(kept)} stored rows are kept, they need {', '.join(missing)}")
        write_rows(rows)
        write_runs(read_runs() | {date: run}, rows)
        quote()


if __name__ == "__main__":
    main()
