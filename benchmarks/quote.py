"""Write what the README and the book quote of the stored table, between comments in their text.

    python benchmarks/quote.py

`make benchmarks` does this after each benchmark. Text outside the comments stays as it is.
"""

import ast
from pathlib import Path

from record import significant
from table import BOOK, read_rows, read_runs

from reproduction.machine import BUSY

BEGIN, END = "<!-- written by make benchmarks -->", "<!-- end of what is written -->"
README, PAGE = BOOK.parent / "README.md", BOOK / "speed.md"


def headline_table(rows, runs):
    """The README's lines: ratios of the rows marked as headlines, and where they were measured.

    Parameters
    ----------
    rows : list of Row
    runs : dict of dict
        Descriptions of machines by the dates of runs.

    Returns
    -------
    list of str
    """
    rows = [row for row in rows if row.headline]
    threads = sorted({row.threads for row in rows})
    ratios = {}
    for row in rows:
        ratios.setdefault((row.case, row.against), {})[row.threads] = significant(row.ratio, 2)
    head = ("what", "against", *(f"times faster, {count(n, 'thread')}" for n in threads))
    cells = [(*key, *(found.get(n, "") for n in threads)) for key, found in ratios.items()]
    return [*table(head, cells), "", *origins(rows, runs)]


def whole_table(rows, runs):
    """The page's lines: a section with all rows of each benchmark, then the versions of each run.

    Parameters and result are those of `headline_table`.
    """
    lines = []
    for benchmark in dict.fromkeys(row.benchmark for row in rows):
        own = [row for row in rows if row.benchmark == benchmark]
        lines += [f"## `{benchmark}`", "", summary(benchmark), "", *origins(own, runs), ""]
        timed = [row for row in own if row.exponent is None]
        head = (
            "what",
            "against",
            "ours",
            "theirs",
            "times faster",
            "threads",
            "median of",
            "notes",
        )
        caption = f"`{benchmark}`: medians of the times of both sides, and their ratio."
        lines += [*captioned(caption, table(head, [timing_cells(row) for row in timed])), ""]
        grown = [
            (row.case, significant(row.exponent, 2), str(row.threads), str(row.repetitions))
            for row in own
            if row.exponent is not None
        ]
        if grown:
            head = ("what", "grows as the power", "threads", "medians of")
            caption = f"`{benchmark}`: how times grow, as a power of the size."
            lines += [*captioned(caption, table(head, grown)), ""]
    lines += ["## Versions", ""]
    for date in sorted({row.date for row in rows}):
        versions = ", ".join(f"{name} {number}" for name, number in runs[date]["versions"].items())
        lines += [f"* {date}: {versions}; {'; '.join(runs[date]['libraries'])}."]
    return lines


def timing_cells(row):
    """Cells of a comparison, or of a time of our own."""
    times = (duration(row.ours_s), duration(row.theirs_s), significant(row.ratio, 2))
    return (row.case, row.against, *times, str(row.threads), str(row.repetitions), row.note)


def origins(rows, runs):
    """Sentences that say where and when rows were measured, one for each machine and day."""
    groups = {}
    for row in rows:
        run = runs[row.date]
        place = f"{run['machine']} with {count(run['processors'], 'processor')}, {row.date[:10]}"
        load = run.get("load")
        if load is None:
            place += ", load not known"
        elif load > BUSY:
            place += ", while other work was done"
        groups.setdefault(place, []).append(row)
    if len(groups) < 2:
        return [f"Measured on: {place}." for place in groups]
    lines = []
    for place, found in groups.items():
        names = dict.fromkeys(
            f"`{row.benchmark}`" + (f" with {row.needs}" if row.needs else "") for row in found
        )
        lines += ["", f"{', '.join(names)} measured on: {place}."]
    return lines[1:]


def summary(benchmark):
    """First line of a script's docstring."""
    script = Path(__file__).resolve().with_name(f"{benchmark}.py")
    return ast.get_docstring(ast.parse(script.read_text(encoding="utf-8"))).splitlines()[0]


def table(head, rows):
    """Lines of a table in Markdown; an empty table has no lines."""
    if not rows:
        return []
    return ["| " + " | ".join(line) + " |" for line in (head, ["---"] * len(head), *rows)]


def captioned(caption, lines):
    """Lines of a table with a caption, in the Markdown of the book; none without a table."""
    return [f":::{{table}} {caption}", *lines, ":::"] if lines else []


def count(number, noun):
    """A number with its noun in words.

    Examples
    --------
    >>> count(1, "thread"), count(2, "thread")
    ('one thread', '2 threads')
    """
    return f"one {noun}" if number == 1 else f"{number} {noun}s"


def duration(seconds):
    """Seconds with two digits, as milliseconds or microseconds if there are few; "" for None.

    A space that does not break stands before the unit.
    """
    if seconds is None:
        return ""
    unit, factor = next(
        (one for one in (("s", 1), ("ms", 1e3)) if seconds * one[1] >= 1), ("µs", 1e6)
    )
    return f"{significant(seconds * factor, 2)}\N{NO-BREAK SPACE}{unit}"


def replaced(text, lines):
    """A text with other lines between the comments.

    Raises
    ------
    ValueError
        If the two comments are not there, once each and in this order.
    """
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end) or BEGIN in rest or END in before + after:
        raise ValueError(f"text must have {BEGIN!r} and {END!r} once each; got others.")
    return "\n".join([f"{before}{begin}", "", *lines, "", f"{end}{after}"])


def quote():
    """Write the README and the page from what is stored."""
    rows, runs = read_rows(), read_runs()
    for path, lines in ((README, headline_table), (PAGE, whole_table)):
        text = path.read_text(encoding="utf-8")
        path.write_text(replaced(text, lines(rows, runs)), encoding="utf-8")


if __name__ == "__main__":
    quote()
