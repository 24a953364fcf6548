"""A box under the title of each chapter: its claims and their verdicts, its data, its times.

All of it is computed from the ledger, the declarations of the data sets and ``times.csv``.
"""

from collections import Counter
from functools import cache
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from times import chapter_rows, duration

from reproduction.claims import read_claims, scorecard
from reproduction.datasets import dataset_info
from reproduction.pipeline.chapters import minutes_to_read
from reproduction.pipeline.execute import SOURCES, data_needed

_SCORECARD, _DATA = "91_scorecard", "92_data"
_PAGES_OF_THEIR_OWN = {"00_overview", _SCORECARD, _DATA}


@cache
def ledger():
    """All claims, read once for all chapters."""
    return read_claims()


def verdicts(claims):
    """Verdicts of claims in words, the most frequent first."""
    counts = Counter(scorecard(claims)["verdict"])
    return ", ".join(f"{count} {verdict}" for verdict, count in counts.most_common())


def data(names):
    """Data sets by title, each with its fidelity."""
    infos = map(dataset_info, names)
    return "; ".join(f"{info.title} ({info.fidelity})" for info in infos)


def rows(name, book):
    """Label, text and the page that says more, or None, of each row of a chapter's box."""
    found = []
    if claims := [claim for claim in ledger() if claim.chapter == name]:
        found.append(("Claims decided here", verdicts(claims), _SCORECARD))
    if needed := data_needed(SOURCES / f"{name}.py"):
        found.append(("Real data", data(needed), _DATA))
    found.append(("To read", f"{minutes_to_read(name):.0f} min", None))
    seconds = {chapter: int(time) for chapter, time, *_ in chapter_rows(book)}
    if name in seconds:
        found.append(("To execute", duration(seconds[name]), "how_to_rerun"))
    return found


def _link(page, text):
    reference = addnodes.pending_xref(
        "", refdomain="std", reftype="doc", reftarget=f"/{page}", refexplicit=True, refwarn=True
    )
    reference += nodes.inline("", text)
    return reference


def _open(app, doctree):
    name = app.env.docname
    if name in _PAGES_OF_THEIR_OWN or not (SOURCES / f"{name}.py").exists():
        return
    box = nodes.container(classes=["opening"])
    for label, text, page in rows(name, Path(app.srcdir)):
        line = nodes.paragraph()
        line += [_link(page, label) if page else nodes.Text(label), nodes.Text(f": {text}.")]
        box += line
    title = next(doctree.findall(nodes.title))
    title.parent.insert(title.parent.index(title) + 1, box)


def setup(app):
    """Register the extension with sphinx."""
    app.connect("doctree-read", _open)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
