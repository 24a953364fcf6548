"""What the chapters take: on this machine, and where the reference was measured.

An execution notes its seconds, and how busy the machine was, below ``.cache``, where nothing is
committed: they tell how much of a running chapter is left. ``make times`` writes them to
``book/times.csv``, which the page *How to re-run this book* shows; nothing else changes that file.

    python -m reproduction.pipeline.chapter_times
"""

import csv
import os

from reproduction.files import replacing
from reproduction.paths import CHECKOUT

BOOK = CHECKOUT / "book"
NOTES = CHECKOUT / ".cache" / "times"
REFERENCE = BOOK / "times.csv"
COLUMNS = ("chapter", "seconds", "processors", "load")


def note(name, seconds, load):
    """Remember how long a chapter took here, and how many processors others used meanwhile.

    One file each: two chapters can end at once.
    """
    with replacing(NOTES / name) as part:
        part.write_text(f"{seconds:.1f} {'' if load is None else load}\n")


def seconds_taken(name):
    """Seconds that a chapter took here or, before that, in the reference; None if in neither."""
    try:
        return float((NOTES / name).read_text().split()[0])
    except (FileNotFoundError, IndexError):
        return float(reference()[name]["seconds"]) if name in reference() else None


def reference():
    """Rows of the reference by chapter: dicts of texts; none where there is no table."""
    if not REFERENCE.exists():
        return {}
    with REFERENCE.open(newline="", encoding="utf-8") as file:
        return {row["chapter"]: row for row in csv.DictReader(file)}


def write_reference():
    """Put what was noted here into the reference; the rows of other chapters stay."""
    rows, here = reference(), str(os.cpu_count())
    for path in NOTES.glob("[0-9]*"):
        seconds, load = [*path.read_text().split(), ""][:2]  # older notes do not tell the load
        told = (path.name, str(max(1, round(float(seconds)))), here, load)
        rows[path.name] = dict(zip(COLUMNS, told, strict=True))
    with REFERENCE.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows[p.stem] for p in sorted(BOOK.glob("*.ipynb")) if p.stem in rows)


if __name__ == "__main__":
    write_reference()
