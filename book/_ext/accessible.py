"""Give entries of reference lists a role that screen readers still know.

docutils marks them as ``doc-biblioentry``, which DPUB-ARIA 1.1 has deprecated, inside a list of
which they then are no items.
"""


def _replace_role(app, page, template, context, doctree):
    if "body" in context:
        context["body"] = context["body"].replace('role="doc-biblioentry"', 'role="listitem"')


def setup(app):
    """Register the extension with sphinx."""
    app.connect("html-page-context", _replace_role)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
