"""Tables of what the chapters and the experiments took, from what is stored.

The directives ``chapter-times`` and ``experiment-times`` stand for a table each. A time from a
machine that had other work to do is marked.
"""

import csv
import json
from pathlib import Path

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

from reproduction.machine import BUSY


def duration(seconds, load=None):
    """Minutes and seconds, or hours and minutes, with a star where the load was high."""
    if load and float(load) > BUSY:
        return f"{duration(seconds)} \\*"
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes = seconds / 60
    return f"{minutes:.0f} min" if minutes < 60 else f"{minutes // 60:.0f} h {minutes % 60:.0f} min"


def chapter_rows(book):
    """Chapter, seconds, and processors and load of the machine as texts: ``times.csv``."""
    with (book / "times.csv").open(newline="", encoding="utf-8") as file:
        return [tuple(row) for row in csv.reader(file)][1:]


def experiment_rows(book):
    """Id, title, seconds, machine and date of every stored table."""
    sidecars = [json.loads(path.read_text()) for path in sorted(book.glob("results/*.json"))]
    return [(s["id"], s["title"], s["duration_s"], s["machine"], s["date"]) for s in sidecars]


def chapter_table(book):
    """Lines of a table in Markdown."""
    rows = chapter_rows(book)
    cells = [
        (f"{{doc}}`{name}`", duration(int(seconds), load), processors)
        for name, seconds, processors, load in rows
    ]
    total = ("all", duration(sum(int(row[1]) for row in rows)), "")
    head = ("chapter", "time", "processors")
    return _table("Time that each chapter takes to execute.", head, [*cells, total])


def experiment_table(book):
    """Lines of a table in Markdown."""
    rows = experiment_rows(book)
    cells = [
        (f"`{id}`", title, duration(seconds, on.get("load")), str(on["processors"]), date)
        for id, title, seconds, on, date in rows
    ]
    total = ("all", "", duration(sum(row[2] for row in rows)), "", "")
    head = ("result", "experiment", "time", "processors", "date")
    return _table("Time that each stored table took.", head, [*cells, total])


def _table(caption, head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return [f":::{{table}} {caption}", *("| " + " | ".join(line) + " |" for line in lines), ":::"]


class _Times(SphinxDirective):
    """Parses the Markdown of a table in its place."""

    def run(self):
        book = Path(self.env.srcdir)
        tables = {
            "chapter-times": (chapter_table, "times.csv"),
            "experiment-times": (experiment_table, "results/*.json"),
        }
        table, pattern = tables[self.name]
        lines = table(book)
        for path in book.glob(pattern):
            self.env.note_dependency(str(path))
        box = nodes.container(classes=["times"])
        self.state.nested_parse(StringList(lines, source=self.env.docname), 0, box)
        return [box]


def setup(app):
    """Register the extension with sphinx."""
    for name in ("chapter-times", "experiment-times"):
        app.add_directive(name, _Times)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
