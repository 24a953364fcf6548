"""Load the scripts of the moving pictures on the pages that have some, and on no others.

Jupyter-book puts every script and style sheet below ``_static`` on every page.
"""


def _drop_unused(app, page, template, context, doctree):
    if '<script type="application/json" data-playground=' in context.get("body", ""):
        return
    for kind in ("script_files", "css_files"):
        context[kind] = [file for file in context[kind] if "playground/" not in str(file.filename)]


def setup(app):
    """Register the extension with sphinx."""
    app.connect("html-page-context", _drop_unused, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
