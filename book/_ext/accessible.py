"""Give entries of reference lists a role that screen readers still know, and tables a focus.

docutils marks entries as ``doc-biblioentry``, which DPUB-ARIA 1.1 has deprecated, inside a list of
which they then are no items. The theme lets the keyboard scroll wide outputs, but not those that
stand in a figure, as tables with captions do.
"""

_OUTPUT = '<div class="output text_html">'


def _mend(app, page, template, context, doctree):
    if "body" in context:
        body = context["body"].replace('role="doc-biblioentry"', 'role="listitem"')
        context["body"] = body.replace(_OUTPUT, _OUTPUT[:-1] + ' tabindex="0">')


def setup(app):
    """Register the extension with sphinx."""
    app.connect("html-page-context", _mend)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
