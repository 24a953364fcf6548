"""Keep the pages free of scripts from elsewhere, and the book free of scripts that no page loads.

Jupyter-book always loads sphinx-thebe, whose script would fetch its program from a content
delivery network. This book has no thebe button, so the script is taken out of every page. And
MathJax comes in a dozen combinations of its parts, of which pages load one.
"""

from pathlib import Path


def _drop_thebe(app, page, template, context, doctree):
    context["script_files"] = [
        script
        for script in context["script_files"]
        if "thebe" not in f"{script.filename} {script.attributes.get('body')}".lower()
    ]


def _drop_other_combinations(app, exception):
    loaded = Path(app.outdir, "_static", app.config.mathjax_path)
    for path in loaded.parent.glob("*-*.js"):
        if path != loaded:
            path.unlink()


def setup(app):
    """Register the extension with sphinx."""
    app.connect("html-page-context", _drop_thebe, priority=900)
    # after sphinx-mathjax-offline has copied all of them
    app.connect("build-finished", _drop_other_combinations, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
