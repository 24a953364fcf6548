"""What a benchmark yields, and how one script is run alone.

A script has a function ``measure(repetitions)`` that yields rows, by `comparison`, `duration` and
`growth`, and `Missing` for a peer or data that are not there. It ends with a call of `run`, which
prints the rows; with ``--to`` they are written to a file too, one JSON object a line.
"""

import argparse
import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

from threadpoolctl import threadpool_info


@dataclass(frozen=True, kw_only=True)
class Row:
    """One measurement: a comparison, a time of our own, or an exponent of growth.

    Attributes
    ----------
    benchmark : str
        Name of the script.
    case : str
        What was done, in words.
    against : str
        What it is compared with; empty where nothing is.
    ours_s, theirs_s : float or None
        Median times in seconds. Where the peer did a part of the work, its time is multiplied.
    ratio : float or None
        ``theirs_s / ours_s``: how many times faster we are.
    ours_error, theirs_error : float or None
        Errors on the same test samples, where the two sides predict differently.
    exponent : float or None
        Slope of log time on log size.
    repetitions : int
        How many times the medians are taken of.
    threads : int
        Threads of the numerical libraries (BLAS) in the process that measured.
    needs : str
        Package or data that not every machine has: without it the row cannot be measured.
    headline : bool
        Whether the README shows the row.
    note : str
        What else was found: how far results are apart, what the peer's time stands for.
    machine, date : str
        Where and when (UTC) it was measured; the date is the key of the run in the sidecar.
    """

    benchmark: str = ""
    case: str
    against: str = ""
    ours_s: float | None = None
    theirs_s: float | None = None
    ratio: float | None = None
    ours_error: float | None = None
    theirs_error: float | None = None
    exponent: float | None = None
    repetitions: int
    threads: int = 0
    needs: str = ""
    headline: bool = False
    note: str = ""
    machine: str = ""
    date: str = ""


@dataclass(frozen=True)
class Missing:
    """A package or data that are not there; stored rows that need them are kept."""

    needs: str
    reason: str


def comparison(case, against, ours_s, theirs_s, repetitions, **more):
    """Row of a comparison; `more` are other fields of `Row`."""
    seconds = {"ours_s": ours_s, "theirs_s": theirs_s, "ratio": theirs_s / ours_s}
    return Row(case=case, against=against, repetitions=repetitions, **seconds, **more)


def duration(case, ours_s, repetitions, **more):
    """Row of a time of our own."""
    return Row(case=case, ours_s=ours_s, repetitions=repetitions, **more)


def growth(case, exponent, repetitions, **more):
    """Row of an exponent: time grows as this power of a size."""
    return Row(case=case, exponent=exponent, repetitions=repetitions, **more)


def significant(value, digits=3):
    """A number rounded to some significant digits, as text without an exponent; "" for None.

    Examples
    --------
    >>> significant(921.7), significant(0.012345, 2), significant(None)
    ('922', '0.012', '')
    """
    if value is None:
        return ""
    rounded = float(f"{value:.{digits - 1}e}")
    decimals = max(0, digits - 1 - int(f"{value:.{digits - 1}e}".split("e")[1]))
    return f"{rounded:.{decimals}f}"


def line(row):
    """A row as it is printed."""
    title = f"{row.case}, against {row.against}" if row.against else row.case
    if row.exponent is not None:
        result = f"time grows as the power {row.exponent:.2f}"
    elif row.ratio is None:
        result = f"{significant(row.ours_s)} s"
    else:
        result = f"{significant(row.ours_s)} s, {significant(row.theirs_s)} s, "
        result += f"ratio {significant(row.ratio)}"
    if row.ours_error is not None:
        result += f"; error {significant(row.ours_error)}, {significant(row.theirs_error)}"
    note = f" ({row.note})" if row.note else ""
    return f"{row.benchmark} [{row.threads}] {title}: {result}{note}"


def blas_threads():
    """Number of threads of the numerical libraries that are loaded."""
    pools = [pool for pool in threadpool_info() if pool["user_api"] == "blas"]
    return max((pool["num_threads"] for pool in pools), default=1)


def run(measure, description, repetitions):
    """Measure the benchmark of the running script, and print its rows as they come.

    Parameters
    ----------
    measure : callable
        Takes a number of repetitions, yields `Row` and `Missing`.
    description : str
        The script's docstring.
    repetitions : int
        How many there are by default.
    """
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("--repetitions", type=int, default=repetitions)
    parser.add_argument("--to", type=Path, help="file for the rows, one JSON object a line")
    options = parser.parse_args()
    stamp = {"benchmark": Path(sys.argv[0]).stem, "threads": blas_threads()}
    lines = []
    for item in measure(options.repetitions):
        if isinstance(item, Missing):
            print(f"{stamp['benchmark']}: without {item.needs}: {item.reason}", flush=True)
            lines.append({"missing": item.needs})
        else:
            row = Row(**(asdict(item) | stamp))
            print(line(row), flush=True)
            lines.append(asdict(row))
    if options.to:
        options.to.write_text("".join(json.dumps(one) + "\n" for one in lines), encoding="utf-8")
