"""Number what cells show as tables among the tables.

A cell's ``mystnb={"figure": {"caption": "..."}}`` makes a figure of whatever the cell shows. One
that holds a table is counted as "Table 3.1", and its caption stands above it.
"""

from docutils import nodes
from sphinx.transforms import SphinxTransform


class shown_table(nodes.figure):
    """A figure whose content is a table."""


class _Number(SphinxTransform):
    default_priority = 200  # before sphinx gives an anchor to whatever has a number

    def apply(self):
        for figure in [*self.document.findall(nodes.figure)]:
            if any("<table" in raw.astext() for raw in figure.findall(nodes.raw)):
                table = shown_table("", *figure.children, **figure.attributes)
                table["classes"] = [*table["classes"], "shown-table"]
                figure.replace_self(table)
                self.document.ids.update(dict.fromkeys(table["ids"], table))


def setup(app):
    """Register the extension with sphinx."""
    app.add_enumerable_node(shown_table, "table")
    app.add_transform(_Number)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
