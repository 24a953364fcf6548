"""The arrow of a page saves what it offers, and for a chapter offers all that it needs to run.

Browsers show a notebook that is opened from a file as text, whatever a link says, but save a zip.
"""

from pathlib import PurePosixPath


def _offer(app, page, template, context, doctree):
    for group in context.get("header_buttons", ()):
        if group.get("label") != "download-buttons":
            continue
        buttons = group["buttons"]
        if context.get("page_source_suffix") == ".ipynb":
            zipped = {
                "type": "link",
                "url": f"{context['pathto']('_downloads', 1)}/{page}.zip",
                "text": ".zip",
                "tooltip": "Notebook, code, tables and data of this chapter",
                "icon": "fas fa-file-zipper",
                "label": "download-zip-button",
            }
            buttons.insert(0, zipped)
        for button in buttons:
            if "url" in button:
                # The theme's template has no other place for the attribute.
                name = PurePosixPath(button["url"]).name
                button["url"] += f'" download="{name}'


def setup(app):
    """Register the extension with sphinx."""
    app.connect("html-page-context", _offer, priority=900)  # after the theme
    return {"parallel_read_safe": True, "parallel_write_safe": True}
