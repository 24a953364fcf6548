"""The stored table of measurements, and the file beside it that says how they were made.

``book/benchmarks.csv`` has a line for each `record.Row`. ``book/benchmarks.json`` describes the
runs that the rows come from, by the date that is in the rows: machine, processors, what others
used of these (`reproduction.machine`), libraries, versions, and the numbers of threads.
"""

import csv
import json
from dataclasses import asdict, fields, replace
from pathlib import Path

from record import Row, significant

BOOK = Path(__file__).resolve().parents[1] / "book"
TABLE, SIDECAR = BOOK / "benchmarks.csv", BOOK / "benchmarks.json"
NUMBERS = ("ours_s", "theirs_s", "ratio", "exponent", "ours_error", "theirs_error")


def read_rows(path=TABLE):
    """All stored rows; none where there is no table."""
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        return [_from_text(cells) for cells in csv.DictReader(file)]


def write_rows(rows, path=TABLE):
    """Store rows, by the names of benchmarks and otherwise in their order."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, [field.name for field in fields(Row)], lineterminator="\n")
        writer.writeheader()
        writer.writerows(_to_text(row) for row in sorted(rows, key=lambda row: row.benchmark))


def replace_rows(stored, measured, benchmark, missing=()):
    """Put new rows of a benchmark in the place of the stored ones.

    Parameters
    ----------
    stored, measured : list of Row
    benchmark : str
        Its stored rows go, but for those that need what is missing.
    missing : collection of str
        What `record.Missing` named: packages and data that were not there.

    Returns
    -------
    list of Row
    """
    kept = [row for row in stored if row.benchmark != benchmark or row.needs in missing]
    return [*kept, *measured]


def read_runs(path=SIDECAR):
    """Descriptions of runs by their date; none where there is no file."""
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def write_runs(runs, rows, path=SIDECAR):
    """Store the descriptions of the runs that rows still come from, with the threads of these."""
    described = {}
    for date in sorted({row.date for row in rows}):
        threads = sorted({row.threads for row in rows if row.date == date})
        described[date] = runs[date] | {"threads": threads}
    path.write_text(json.dumps(described, indent=2) + "\n", encoding="utf-8")


def stamp(rows, run, date):
    """Rows that say where and when they were measured."""
    return [replace(row, machine=run["machine"], date=date) for row in rows]


def _to_text(row):
    rounded = {name: significant(getattr(row, name)) for name in NUMBERS}
    return asdict(row) | rounded | {"headline": "yes" if row.headline else ""}


def _from_text(cells):
    numbers = {name: float(cells[name]) if cells[name] else None for name in NUMBERS}
    counts = {name: int(cells[name]) for name in ("repetitions", "threads")}
    return Row(**(cells | numbers | counts | {"headline": cells["headline"] == "yes"}))
