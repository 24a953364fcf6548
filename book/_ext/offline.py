"""Keep the pages free of scripts from elsewhere.

Jupyter-book always loads sphinx-thebe, whose script would fetch its program from a content
delivery network. This book has no thebe button, so the script is taken out of every page.
"""


def _drop_thebe(app, page, template, context, doctree):
    context["script_files"] = [
        script
        for script in context["script_files"]
        if "thebe" not in f"{script.filename} {script.attributes.get('body')}".lower()
    ]


def setup(app):
    """Register the extension with sphinx."""
    app.connect("html-page-context", _drop_thebe, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
