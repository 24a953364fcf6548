"""Every public method of every class stands in the API reference, inherited ones too.

But for those of scikit-learn: they are the same for all estimators, and their texts link to its own
documentation, which an offline book cannot. ``set_fit_request`` and its kind are generated.
"""

import inspect
import re

_GENERATED = re.compile(r"set_\w+_request")


def is_foreign(name, member):
    """Whether a method or property of a class is another library's, or Python's."""
    function = inspect.unwrap(member.fget if isinstance(member, property) else member)
    own = str(getattr(function, "__module__", "")).startswith(("ofer.", "reproduction."))
    return not own or bool(_GENERATED.fullmatch(name))


def _skip(app, what, name, obj, skip, options):
    return True if is_foreign(name, obj) else None


def setup(app):
    """Register the extension with sphinx."""
    app.setup_extension("sphinx.ext.autodoc")
    app.config.autodoc_default_options = {"members": True, "inherited-members": True}
    app.connect("autodoc-skip-member", _skip)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
