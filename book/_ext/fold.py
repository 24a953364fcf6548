"""Fold what makes a page long: its later sections, and what the reference says of an object.

``open_sections`` of ``_config.yml`` says how many sections of a page stay open; the others become
``details`` whose summary is the heading, except what a chapter changes for its reader. A browser
opens them by a click, for its own search, and for a link to something in them; ``_static/folded``
does so for a link to the heading, and when the page is printed.
"""

from docutils import nodes
from sphinx import addnodes

_ALWAYS_OPEN = "What this changes for you"


def _html(text):
    return nodes.raw("", text, format="html")


def folded_sections(config, page, doctree):
    """Sections of a page that do not stay open."""
    whole = next(doctree.findall(nodes.section))
    sections = [child for child in whole if isinstance(child, nodes.section)]
    later = sections[config.open_sections.get(page, len(sections)) :]
    return [one for one in later if next(one.findall(nodes.title)).astext() != _ALWAYS_OPEN]


def _fold(app, doctree, page):
    if app.builder.format != "html":
        return
    for section in folded_sections(app.config, page, doctree):
        heading = section.index(next(section.findall(nodes.title)))
        section.insert(heading + 1, _html("</summary>"))
        section.insert(heading, _html('<details class="folded"><summary>'))
        section += _html("</details>")
    for entry in doctree.findall(addnodes.desc):
        content = entry[-1]
        if isinstance(entry.parent, nodes.section) and len(content) > 1:
            first = next(n for n, c in enumerate(content) if isinstance(c, nodes.paragraph))
            said = '<details class="folded"><summary>Parameters, results, methods</summary>'
            content.insert(first + 1, _html(said))
            content += _html("</details>")


def setup(app):
    """Register the extension with sphinx."""
    app.add_config_value("open_sections", {}, "env", [dict])
    app.connect("doctree-resolved", _fold)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
