"""Make figures of the tables that cells show.

A cell's ``mystnb={"figure": {"caption": "..."}}`` makes a figure of whatever the cell shows. One
that holds a table is counted as "Table 3.1", and its caption stands above it. Ids of methods become
the names that figures show, and lead to their definitions in the glossary; decimal points stand
below each other; the stored rows lie beside the pages.
"""

import re
import shutil
from functools import cache
from pathlib import Path

from bs4 import BeautifulSoup
from docutils import nodes
from sphinx.transforms import SphinxTransform

from reproduction.figures.layout import metric_name
from reproduction.figures.names import method_name, setting_name, starts_with_method

_GLOSSARY = "notation"
_COLUMNS = {"method", "setting", "metric", "split"}  # of stored tables
_NUMBER = re.compile(r"[+−-]?[\d,]+(\.\d*)?")
_WORDS = re.compile(r"[^\W\d_]{2,}")
_MANY = 3  # words: a column that has more of them is read, not compared


class shown_table(nodes.figure):
    """A figure whose content is a table."""


class _Number(SphinxTransform):
    default_priority = 200  # before sphinx gives an anchor to whatever has a number

    def apply(self):
        source = Path(self.app.srcdir, f"{_GLOSSARY}.md")
        for raw in self.document.findall(nodes.raw):
            if "<table" in raw.astext():
                raw[:] = [nodes.Text(mended(raw.astext(), *glossary(source)))]
        for figure in [*self.document.findall(nodes.figure)]:
            if any("<table" in raw.astext() for raw in figure.findall(nodes.raw)):
                table = shown_table("", *figure.children, **figure.attributes)
                table["classes"] = [*table["classes"], "shown-table"]
                figure.replace_self(table)
                self.document.ids.update(dict.fromkeys(table["ids"], table))


@cache
def glossary(path):
    """Definitions of the page of names by term, and a pattern that finds the terms in a label."""
    if not path.exists():
        return {}, re.compile("(?!)")
    listed = path.read_text(encoding="utf-8").split("```{glossary}")[1].split("```")[0]
    found, terms = {}, []
    for line in listed.splitlines():
        if line.startswith(" "):
            found |= dict.fromkeys(terms, line.strip())
            terms = []
        elif line:
            terms.append(line)
    longest_first = "|".join(map(re.escape, sorted(found, key=len, reverse=True)))
    return found, re.compile(rf"(?<![A-Za-z])({longest_first})(?![\w-])")


def mended(html, definitions, terms):
    """A shown table without pandas' looks, with explained names and aligned decimals."""
    tree = BeautifulSoup(html, "html.parser")
    for style in tree.find_all("style"):
        style.decompose()
    for table in tree.find_all("table"):
        del table["border"], table["class"]  # the book's tables have one look
        for cell in table.find_all(["th", "td"]):
            if cell.string and (cell.name == "th" or starts_with_method(cell.string)):
                cell.string = setting_name(method_name(cell.string))
            if cell.string and cell.string.split(" ")[0] in {"rrmse", "arrmse"}:
                cell.string = metric_name(cell.string)
        _drop_column_names(table)
        for head in table.find_all("th"):
            if head.string and (named := [*dict.fromkeys(terms.findall(head.string))]):
                anchor = named[0].strip("()").replace(" ", "-")
                link = tree.new_tag("a", href=f"{_GLOSSARY}.html#term-{anchor}")
                link["class"] = "method"
                link["title"] = " ".join(definitions[term] for term in named)
                head.string.wrap(link)
        rows = [*filter(None, (row.find_all("td") for row in table.find_all("tr")))]
        heads = table.select("thead tr:last-child th")[-len(rows[0]) :] if rows else []
        for place, column in enumerate(zip(*rows, strict=False)):
            _align(column)
            if any(len(_WORDS.findall(cell.get_text())) > _MANY for cell in column):
                for cell in (*heads[place : place + 1], *column):
                    cell["class"] = [*cell.get("class", []), "words"]
    return str(tree)


def _drop_column_names(table):
    """Empty the corner of a data frame of stored rows, which names their columns."""
    corner = len(table.select("tbody tr:first-child th"))
    for row in table.select("thead tr"):
        cells = row.find_all(["th", "td"])
        for cell in cells[:corner]:
            if cell.string in _COLUMNS:
                cell.string = ""
        if not any(cell.get_text(strip=True) for cell in cells):
            row.decompose()


def _align(cells):
    """Pad the numbers of a column with spaces as wide as the decimals that they lack."""
    found = [(cell, _NUMBER.fullmatch(cell.get_text())) for cell in cells]
    longest = max((len(match[1] or "") for _, match in found if match), default=0)
    for cell, match in found:
        if match and (missing := longest - len(match[1] or "")):
            point = "\u2008" if match[1] is None else ""
            cell.append(point + "\u2007" * (missing - len(point)))


def _lay_out_rows(app, exception):
    if exception is None:
        folder = Path(app.outdir, "results")
        folder.mkdir(exist_ok=True)
        for path in Path(app.srcdir, "results").glob("*.csv"):
            shutil.copyfile(path, folder / path.name)


def setup(app):
    """Register the extension with sphinx."""
    app.add_enumerable_node(shown_table, "table")
    app.add_transform(_Number)
    app.connect("build-finished", _lay_out_rows)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
