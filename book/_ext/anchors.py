"""Give the cell of a chapter that shows a table of results an anchor of the table's name.

So ``06_2_synthetic.html#ofer-table-01`` leads to Table 1 in that chapter: to the first cell that
reads the printed table, or else to the first one that names it.
"""

from pathlib import Path

from docutils import nodes


def _add_anchors(app, doctree):
    cells = {
        node: node.children[0].astext()
        for node in doctree.findall(nodes.container)
        if node.get("nb_element") == "cell_code" and node.children
    }
    book = Path(app.srcdir)
    ids = {path.stem for path in [*book.glob("results/*.csv"), *book.glob("paper/*.csv")]}
    for id in sorted(ids):
        naming = [node for node, source in cells.items() if f'"{id}"' in source]
        naming.sort(key=lambda node: f'read_paper("{id}")' not in cells[node])
        if naming:
            naming[0]["ids"].append(id)


def setup(app):
    """Register the extension with sphinx."""
    app.connect("doctree-read", _add_anchors)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
