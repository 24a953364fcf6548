"""How to cite the project and where to report, from ``CITATION.cff``: nothing of it is typed twice.

``{citation}`` stands for the BibTeX of the software and of the paper that it re-runs, and
``{reporting}`` for the place where errors are reported. Each page ends with the version and links
to both.
"""

from datetime import date
from pathlib import Path

import yaml
from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from reproduction.paths import CHECKOUT

_PAGE = "how_to_cite"
_FIELDS = ("title", "journal", "volume", "pages", "version", "year", "month", "doi", "url", "note")


def read_citation(path=CHECKOUT / "CITATION.cff"):
    """What the file says of the project."""
    return yaml.safe_load(Path(path).read_text(encoding="utf-8"))


def bibtex(work, key, kind):
    """A work of a citation file as an entry of BibTeX."""
    names = [
        f"{{{author['name']}}}"  # braces keep a group's name whole
        if "name" in author
        else f"{author['family-names']}, {author['given-names']}"
        for author in work["authors"]
    ]
    told = dict(work)
    if released := work.get("date-released"):
        day = released if isinstance(released, date) else date.fromisoformat(released)
        told |= {"year": day.year, "month": f"{day:%b}".lower()}
        told["note"] = f"Version {work['version']}, {day.isoformat()}"
    if "start" in work:
        told["pages"] = f"{work['start']}--{work['end']}"
    if address := work.get("repository-code"):
        told["url"] = address
    rows = {"author": " and ".join(names)} | {name: told[name] for name in _FIELDS if name in told}
    # the name of a month is a macro, without braces
    lines = [
        f"  {name} = {text}" if name == "month" else f"  {name} = {{{text}}}"
        for name, text in rows.items()
    ]
    return f"@{kind}{{{key},\n" + ",\n".join(lines) + ",\n}"


class Citation(SphinxDirective):
    """The entries of BibTeX, in one block to copy."""

    def run(self):
        """Give the block."""
        self.env.note_dependency(str(CHECKOUT / "CITATION.cff"))
        project = read_citation()
        (paper,) = project["references"]
        entries = bibtex(project, "ofer", "misc"), bibtex(paper, "djerrab2018", paper["type"])
        text = "\n\n".join(entries)
        return [nodes.literal_block(text, text, language="bibtex")]


class Reporting(SphinxDirective):
    """Where to report an error: the address of the citation file, or how to find it."""

    def run(self):
        """Give the sentence."""
        address = read_citation().get("repository-code")
        if address:
            line = nodes.paragraph("", "Open an issue at ")
            line += nodes.reference("", address, refuri=address)
            line += nodes.Text(".")
        else:
            where = "Open an issue in the repository from which you have these files."
            line = nodes.paragraph("", f"{where} The project has no public address yet; its file ")
            line += [nodes.literal(text="CITATION.cff"), nodes.Text(" will name it under ")]
            line += [nodes.literal(text="repository-code"), nodes.Text(".")]
        return [line]


def _end(app, page, template, context, doctree):
    """Put version and links at the end of a page, in a book that says how to cite it."""
    if _PAGE not in app.env.found_docs:
        return
    project = read_citation()
    target = context["pathto"](_PAGE).partition("#")[0]  # which is all of it on the page itself
    context["theme_extra_footer"] = (
        f"Version {project['version']}, {project['date-released']}. "
        f'<a href="{target}#">How to cite</a>. '
        f'<a href="{target}#report-an-error">Report an error</a>.'
    )


def setup(app):
    """Register the extension with sphinx."""
    app.add_directive("citation", Citation)
    app.add_directive("reporting", Reporting)
    app.connect("html-page-context", _end)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
