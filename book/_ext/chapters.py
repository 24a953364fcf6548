"""What the page of a chapter has beside the cells of its notebook.

Under the title stands a box: the chapter's claims and what became of them, its data, the time
that it takes to read, and the command that executes it. The cell that shows a table of results has
an anchor of its name, so that ``06_2_synthetic.html#ofer-table-01`` leads to it. A mark stands
in the place of each cell that only checks what the text before it says. The role ``reading-time``
stands for the time that chapters take together: what is open of those that it names, or all of all.
"""

import json
import re
from collections import Counter
from pathlib import Path

import nbformat
from docutils import nodes
from fold import folded_sections
from sphinx import addnodes

from reproduction.claims import claims_as_json, read_claims, scorecard
from reproduction.datasets import dataset_info
from reproduction.experiments import printed_tables
from reproduction.pipeline.chapters import SOURCES, chapter_names, data_needed

_SCORECARD, _DATA = "91_scorecard", "92_data"
_WITHOUT_BOX = {
    "00_overview",
    "01_the_paper",
    "01_table_by_table",
    _SCORECARD,
    _DATA,
    "92_grids",
    "92_inventory",
}
_WORD = re.compile(r"\w[\w'’-]*")
_WORDS_PER_MINUTE = 200
_FEW = 4  # data sets whose titles a box has
_UNREAD = (nodes.literal_block, nodes.raw, nodes.Invisible)
_CHECKED = "A cell of the notebook checks this whenever the chapter is executed."


def _words(node, folded=()):
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
        return len(_WORD.findall(node))
    return sum(_words(child, folded) for child in node.children)


def _minutes(app, name, doctree):
    """Minutes that a page takes to read: what is open of it, and all of it."""
    parts = folded_sections(app.config, name, doctree), ()
    return [_words(doctree, folded) / _WORDS_PER_MINUTE for folded in parts]


def _titles(infos):
    """Titles of a few data sets; of many, how many there are."""
    if len(infos) <= _FEW:
        return "; ".join(f"{info.title} ({info.fidelity})" for info in infos)
    counts = Counter(info.fidelity for info in infos)
    kinds = ", ".join(f"{count} {fidelity}" for fidelity, count in counts.items())
    return f"{len(infos)} sets ({kinds})"


def _rows(name, reading):
    """Label, text and the page that says more, or None, of each row of a chapter's box."""
    if claims := [claim for claim in read_claims(chapter=name) if not claim.ours]:
        card = scorecard(claims)
        counts = Counter(card["outcome"]).most_common()
        outcomes = ", ".join(f"{outcome} ({count})" for outcome, count in counts)
        kinds = ", ".join(dict.fromkeys(filter(None, card["on"])))
        yield (
            "Claims of papers decided here",
            f"{outcomes}{f'; on {kinds}' * bool(kinds)}",
            _SCORECARD,
        )
    if needed := data_needed(SOURCES / f"{name}.py"):
        yield "Real data", _titles([*map(dataset_info, needed)]), _DATA
    shown, whole = (f"{time:.0f} min" for time in reading)
    if shown == "0 min" != whole:
        yield "To read", f"{whole}, all of it folded", None
    else:
        yield "To read", shown + f", {whole} with what is folded" * (whole != shown), None
    has_profile = "\nprofile: str" in (SOURCES / f"{name}.py").read_text(encoding="utf-8")
    label = "To execute, whole or in part" if has_profile else "To execute"
    yield label, f"`make chapter NAME={name}`", "how_to_rerun"


def _link(page, text):
    reference = addnodes.pending_xref(
        "", refdomain="std", reftype="doc", reftarget=f"/{page}", refexplicit=True, refwarn=True
    )
    reference += nodes.inline("", text)
    return reference


def _open(app, doctree):
    """Put the box under the title."""
    name = app.env.docname
    if name in _WITHOUT_BOX or name not in chapter_names():
        return
    box = nodes.container(classes=["opening"])
    for label, text, page in _rows(name, _minutes(app, name, doctree)):
        line = nodes.paragraph()
        known = page in app.env.found_docs  # of a book that has such a page
        line += [_link(page, label) if known else nodes.Text(label), nodes.Text(": ")]
        command = text.strip("`")
        line += nodes.Text(text) if command == text else nodes.literal(text=command)
        line += nodes.Text(".")
        box += line
    title = next(doctree.findall(nodes.title))
    title.parent.insert(title.parent.index(title) + 1, box)


def _add_anchors(app, doctree):
    """Give a table's name to the first cell that reads the printed table, or that names it."""
    path = Path(app.env.doc2path(app.env.docname))
    if path.suffix != ".ipynb":
        return
    sources = [cell.source for cell in nbformat.read(path, as_version=4).cells]
    cells = {
        node: sources[node["cell_index"]]
        for node in doctree.findall(nodes.container)
        if node.get("nb_element") == "cell_code"
    }
    stored = {path.stem for path in Path(app.srcdir).glob("results/*.csv")}
    for id in sorted(stored | printed_tables().keys()):
        naming = [node for node, source in cells.items() if f'"{id}"' in source]
        naming.sort(key=lambda node: f'read_paper("{id}")' not in cells[node])
        if naming:
            naming[0]["ids"].append(id)


def _is_check(node):
    return isinstance(node, nodes.container) and "tag_checked" in node["classes"]


def _mark_checks(app, doctree):
    """Put a mark behind the text before a cell that checks it, and take the cell off the page."""
    for cell in [*doctree.findall(_is_check)]:
        place = cell.parent.index(cell)
        before = cell.parent[place - 1] if place else None
        cell.parent.remove(cell)
        while isinstance(before, nodes.Element) and not isinstance(before, nodes.TextElement):
            before = before[-1] if before.children else None
        if isinstance(before, nodes.paragraph) and "checked" not in before["classes"]:
            before["classes"].append("checked")
            source = f"_sources/{app.env.docname}.ipynb"
            mark = f' <a class="checked" href="{source}" download title="{_CHECKED}">'
            before += nodes.raw("", f"{mark}✓&#8239;checked</a>", format="html")


class reading_time(nodes.inline):
    """Stands for a time until all chapters are read."""


def _role(role, rawtext, text, lineno, inliner, options=None, content=()):
    return [reading_time(chapters=text.split())], []


def _sum_up(app, doctree, page):
    for node in [*doctree.findall(reading_time)]:
        whole = node["chapters"] == ["all"]
        names = chapter_names() if whole else node["chapters"]
        total = sum(_minutes(app, name, app.env.get_doctree(name))[whole] for name in names)
        said = f"{total:.0f} minutes" if total < 60 else f"{total / 60:.1f} hours"
        node.replace_self(nodes.Text(said))


def _lay_out_claims(app, exception):
    """Put the claims for machines beside the pages."""
    if exception is None:
        text = json.dumps(claims_as_json(), ensure_ascii=False, indent=1)
        Path(app.outdir, "claims.json").write_text(f"{text}\n", encoding="utf-8")


def setup(app):
    """Register the extension with sphinx."""
    app.add_role("reading-time", _role)
    app.connect("doctree-read", _mark_checks, priority=400)
    app.connect("doctree-read", _add_anchors)
    app.connect("doctree-read", _open)
    app.connect("doctree-resolved", _sum_up)
    app.connect("build-finished", _lay_out_claims)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
