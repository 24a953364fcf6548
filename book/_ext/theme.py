"""Mend what the theme and jupyter-book put on a page.

Jupyter-book loads sphinx-thebe on every page, whose script fetches its program from a content
delivery network; this book has no thebe button. A browser shows a notebook as text unless its link
says that it is to be saved. Entries of reference lists have a role that DPUB-ARIA 1.1 has
deprecated. And the keyboard cannot scroll an output that is wider than the page without a focus.
"""

import re
from pathlib import PurePosixPath

_OUTPUT = re.compile(r'<div class="output [^"]*"')


def _mend(app, page, template, context, doctree):
    context["script_files"] = [
        script
        for script in context["script_files"]
        if "thebe" not in f"{script.filename} {script.attributes.get('body')}".lower()
    ]
    for group in context.get("header_buttons", ()):
        for button in group["buttons"] if group.get("label") == "download-buttons" else ():
            if "url" in button:  # the theme's template has no other place for the attribute
                name = PurePosixPath(button["url"]).name
                button["url"] += f'" download="{name}'
    if "body" in context:
        body = context["body"].replace('role="doc-biblioentry"', 'role="listitem"')
        context["body"] = _OUTPUT.sub(r'\g<0> tabindex="0"', body)


def _shorten(app, page, template, context, doctree):
    """Leave the book's contents off pages of source code: a third of all that is rendered."""
    if page.startswith("_modules/"):
        context["sidebars"] = []


def setup(app):
    """Register the extension with sphinx."""
    app.connect("html-page-context", _shorten, priority=100)  # before the theme
    app.connect("html-page-context", _mend, priority=900)  # after the theme
    return {"parallel_read_safe": True, "parallel_write_safe": True}
