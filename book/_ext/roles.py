"""Note what the roles of a page show, and its numbers, for copies that are read outside the book.

Jupyter knows no roles: ``reproduction/pipeline/plain.py`` puts these texts in their place.
"""

import json
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms.post_transforms import SphinxPostTransform


class _Keep(SphinxPostTransform):
    """Put a box around each reference that says how it was written: resolving forgets that."""

    default_priority = 5  # before references are resolved

    def run(self):
        for reference in [*self.document.findall(addnodes.pending_xref)]:
            box = nodes.inline("", "", role=reference.rawsource)
            reference.replace_self(box)
            box += reference


def _note(app, doctree, name):
    shown = {}
    for box in [*doctree.findall(lambda node: isinstance(node, nodes.inline) and "role" in node)]:
        shown[box["role"]] = box.astext()
        box.replace_self(box.children)
    numbers = {
        id: ".".join(map(str, number))
        for kind in app.env.toc_fignumbers.get(name, {}).values()
        for id, number in kind.items()
    }
    path = Path(app.doctreedir, f"{name}.json")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"roles": shown, "numbers": numbers}), encoding="utf-8")


def setup(app):
    """Register the extension with sphinx."""
    app.add_post_transform(_Keep)
    app.connect("doctree-resolved", _note)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
