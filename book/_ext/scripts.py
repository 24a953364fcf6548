"""Load the scripts of the book on the pages that use them, and on no others.

Jupyter-book puts every script and style sheet below ``_static`` on every page.
"""

# What the body of a page holds that uses the files of a folder below _static.
_OWN_DATA = '<div id="your-table"'
_SIGNS = {
    "playground/": ('<script type="application/json" data-playground=', _OWN_DATA),
    "own_data/": (_OWN_DATA,),
    "tables/": ('<div class="results">',),
    "folded/": ('<details class="folded">',),
    "claims/": ("data-verdict=",),
    "mathematics/": ('class="math',),
}


def _drop_unused(app, page, template, context, doctree):
    body = context.get("body", "")
    unused = [folder for folder, signs in _SIGNS.items() if not any(s in body for s in signs)]
    for kind in ("script_files", "css_files"):
        context[kind] = [
            file
            for file in context[kind]
            if not any(folder in str(file.filename) for folder in unused)
        ]


def setup(app):
    """Register the extension with sphinx."""
    app.connect("html-page-context", _drop_unused, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
