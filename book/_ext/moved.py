"""Old addresses lead to new ones: a page that went into another one forwards, anchor and all.

``moved`` of ``_config.yml`` has the new page by the name of the old one.
"""

from pathlib import Path

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Moved</title>
<link rel="canonical" href="{goal}.html">
<meta name="robots" content="noindex">
<script>location.replace("{goal}.html" + location.search + location.hash)</script>
<noscript><meta http-equiv="refresh" content="0; url={goal}.html"></noscript>
</head>
<body><p>This page has moved: <a href="{goal}.html">{goal}.html</a>.</p></body>
</html>
"""


def _forward(app, error):
    if error is not None or app.builder.format != "html":
        return
    for old, goal in app.config.moved.items():
        if goal in app.env.found_docs:  # of a book that has such a page
            Path(app.outdir, f"{old}.html").write_text(_PAGE.format(goal=goal), encoding="utf-8")


def setup(app):
    """Register the extension with sphinx."""
    app.add_config_value("moved", {}, "html", [dict])
    app.connect("build-finished", _forward)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
