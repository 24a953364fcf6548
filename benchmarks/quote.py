"""Write what the README and the book quote of the stored table, between comments in their text.

    python benchmarks/quote.py

`make benchmarks` does this after each benchmark. Text outside the comments stays as it is.
"""

from record import significant
from table import BOOK, read_rows, read_runs

from reproduction.machine import BUSY

BEGIN, END = "<!-- written by make benchmarks -->", "<!-- end of what is written -->"
README, PAGE = BOOK.parent / "README.md", BOOK / "speed.md"
PEERS = BOOK / "if_you_came_from.md"


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


def page_table(rows, runs):
    """The page's lines: a table of comparisons, with the fewest threads of each, and where.

    Of several sizes it has the one at which the package gains least. Parameters and result are
    those of `headline_table`.
    """
    compared = sorted((row for row in rows if row.against), key=lambda row: -row.threads)
    fewest = {(row.case, row.against): row for row in compared}
    kept = [row for row in rows if row is fewest.get((row.case, row.against))]
    least = {}
    for row in kept:
        peer = row.case.partition(",")[0], row.against
        least[peer] = min(least.get(peer, row), row, key=lambda one: one.ratio)
    origin = origins(kept, runs)
    kept = [row for row in kept if row in least.values()]
    head = ("what", "against", "ours", "theirs", "times faster")
    times = [(duration(r.ours_s), duration(r.theirs_s), significant(r.ratio, 2)) for r in kept]
    cells = [(row.case, row.against, *own) for row, own in zip(kept, times, strict=True)]
    caption = "Medians of the times of both sides, with one thread, and their ratio."
    return [*captioned(caption, table(head, cells)), "", *origin]


def peers_table(rows, runs):
    """The lines of *If you came from ...*: errors and times of packages that predict differently.

    Parameters and result are those of `headline_table`.
    """
    kept = [row for row in rows if row.ours_error is not None]
    head = ("ours", "theirs", "our error", "theirs", "our time", "theirs", "")
    cells = [
        (
            row.case,
            row.against,
            *(significant(error, 3) for error in (row.ours_error, row.theirs_error)),
            *(duration(time) for time in (row.ours_s, row.theirs_s)),
            row.note,
        )
        for row in kept
    ]
    caption = "Errors relative to that of the mean, and times of fits, with one thread."
    return [*captioned(caption, table(head, cells)), "", *origins(kept, runs)]


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
    for place, group in groups.items():
        names = dict.fromkeys(
            f"`{row.benchmark}`" + (f" with {row.needs}" if row.needs else "") for row in group
        )
        lines += ["", f"{', '.join(names)} measured on: {place}."]
    return lines[1:]


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
    quoted = (README, headline_table), (PAGE, page_table), (PEERS, peers_table)
    for path, lines in quoted:
        text = path.read_text(encoding="utf-8")
        path.write_text(replaced(text, lines(rows, runs)), encoding="utf-8")


if __name__ == "__main__":
    quote()
