"""A box under the title of each chapter: its claims and their verdicts, its data, its times.

All of it is computed from the ledger, the declarations of the data sets, ``times.csv``, and the
words that the page shows: neither code and what it gives, nor what is behind a click. The role
``reading-time`` stands for the time that chapters take together: what is open of those that it
names, or all of all.
"""

import re
from collections import Counter
from functools import cache
from pathlib import Path

from docutils import nodes
from fold import folded_sections
from sphinx import addnodes
from times import chapter_rows, duration

from reproduction.claims import read_claims, scorecard
from reproduction.datasets import dataset_info
from reproduction.pipeline.execute import SOURCES, chapter_names, data_needed

_SCORECARD, _DATA = "91_scorecard", "92_data"
_PAGES_OF_THEIR_OWN = {"00_overview", _SCORECARD, _DATA}
WORDS_PER_MINUTE = 200
WORD = re.compile(r"\w[\w'’-]*")
_UNREAD = (nodes.literal_block, nodes.raw, nodes.Invisible)


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


def words(node, folded=()):
    """Number of words of a page that are read; a formula is one."""
    closed = isinstance(node, _UNREAD) or node in folded
    if isinstance(node, nodes.Element):
        closed |= not {"dropdown", "toggle"}.isdisjoint(node["classes"])
        closed |= node.get("design_component") == "dropdown" or "mime_type" in node
    if closed:
        return 0
    if isinstance(node, (nodes.math, nodes.math_block)):
        return 1
    if isinstance(node, nodes.Text):
        return len(WORD.findall(node))
    return sum(words(child, folded) for child in node.children)


def minutes(app, name, doctree):
    """Minutes that a page takes to read: what is open of it, and all of it."""
    parts = folded_sections(app.config, name, doctree), ()
    return [words(doctree, folded) / WORDS_PER_MINUTE for folded in parts]


def rows(name, book, reading):
    """Label, text and the page that says more, or None, of each row of a chapter's box."""
    found = []
    if claims := [claim for claim in ledger() if claim.chapter == name]:
        found.append(("Claims decided here", verdicts(claims), _SCORECARD))
    if needed := data_needed(SOURCES / f"{name}.py"):
        found.append(("Real data", data(needed), _DATA))
    shown, whole = (f"{time:.0f} min" for time in reading)
    more = f", {whole} with what is folded" if whole != shown else ""
    found.append(("To read", shown + more, None))
    seconds = {chapter: int(time) for chapter, time, *_ in chapter_rows(book)}
    took = f"{duration(seconds[name])}, " if name in seconds else ""
    found.append(("To execute", f"{took}`make chapter NAME={name}`", "how_to_rerun"))
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
    for label, text, page in rows(name, Path(app.srcdir), minutes(app, name, doctree)):
        line = nodes.paragraph()
        line += [_link(page, label) if page else nodes.Text(label), nodes.Text(": ")]
        said, *command = text.split("`")[:2]
        line += [nodes.Text(said), *(nodes.literal(text=it) for it in command), nodes.Text(".")]
        box += line
    title = next(doctree.findall(nodes.title))
    title.parent.insert(title.parent.index(title) + 1, box)


class reading_time(nodes.inline):
    """Stands for a time until all chapters are read."""


def _role(role, rawtext, text, lineno, inliner, options=None, content=()):
    box = nodes.inline("", "", role=f":reading-time:`{text}`")  # for copies, see roles.py
    box += reading_time(chapters=text.split())
    return [box], []


def _sum_up(app, doctree, page):
    for node in [*doctree.findall(reading_time)]:
        whole = node["chapters"] == ["all"]
        names = chapter_names() if whole else node["chapters"]
        total = sum(minutes(app, name, app.env.get_doctree(name))[whole] for name in names)
        said = f"{total:.0f} minutes" if total < 60 else f"{total / 60:.1f} hours"
        node.replace_self(nodes.Text(said))


def setup(app):
    """Register the extension with sphinx."""
    app.add_role("reading-time", _role)
    app.connect("doctree-read", _open)
    app.connect("doctree-resolved", _sum_up)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
