"""Leave methods out of the API reference that scikit-learn generates.

``set_fit_request`` and its kind are the same for every estimator, and their texts link to
scikit-learn's own documentation, which an offline book cannot.
"""

import re

_GENERATED = re.compile(r"set_\w+_request")


def _skip_generated(app, what, name, obj, skip, options):
    return True if _GENERATED.fullmatch(name) else None


def setup(app):
    """Register the extension with sphinx."""
    app.connect("autodoc-skip-member", _skip_generated)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
