"""Put a mark in the place of cells that only check what the text before them says.

They run and are compared, and are in the notebook; `reproduction.pipeline.hiding` tags them.
"""

from docutils import nodes

_TOLD = "A cell of the notebook checks this whenever the chapter is executed."


def _is_check(node):
    return isinstance(node, nodes.container) and "tag_checked" in node["classes"]


def _mark(app, doctree):
    for cell in [*doctree.findall(_is_check)]:
        place = cell.parent.index(cell)
        before = cell.parent[place - 1] if place else None
        cell.parent.remove(cell)
        while isinstance(before, nodes.Element) and not isinstance(before, nodes.TextElement):
            before = before[-1] if before.children else None
        if isinstance(before, nodes.paragraph) and "checked" not in before["classes"]:
            before["classes"].append("checked")
            link = f'<a class="checked" href="_sources/{app.env.docname}.ipynb" download'
            before += nodes.raw("", f' {link} title="{_TOLD}">✓&#8239;checked</a>', format="html")


def setup(app):
    """Register the extension with sphinx."""
    app.connect("doctree-read", _mark, priority=400)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
