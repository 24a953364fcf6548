"""Every public method of every class stands in the API reference, inherited ones too.

But for those of scikit-learn: they are the same for all estimators, and their texts link to its own
documentation, which an offline book cannot. ``set_fit_request`` and its kind are generated. What
several classes of a page share stands once: the page says where, and names it in
``exclude-members``.
"""

import inspect
import re

_BACK = re.compile(r'<a class="viewcode-back" href="[^"#]*#([^"]+)">.*?</a>')
_GENERATED = re.compile(r"set_\w+_request")


def is_foreign(name, member):
    """Whether a method or property of a class is another library's, or Python's."""
    function = inspect.unwrap(member.fget if isinstance(member, property) else member)
    own = str(getattr(function, "__module__", "")).startswith(("ofer.", "reproduction."))
    return not own or bool(_GENERATED.fullmatch(name))


def _skip(app, what, name, obj, skip, options):
    return True if is_foreign(name, obj) else None


def _drop_links_without_goal(app, pagename, templatename, context, doctree):
    """Leave out the links of source code back to documentation that stands under another name.

    Sphinx knows one package for each file, but what a class inherits is shown with its heirs.
    """
    if pagename.startswith("_modules/"):
        known = app.env.get_domain("py").objects
        context["body"] = _BACK.sub(
            lambda link: link[0] if link[1] in known else "", context.get("body", "")
        )


def setup(app):
    """Register the extension with sphinx."""
    app.setup_extension("sphinx.ext.autodoc")
    app.config.autodoc_default_options = {
        "members": True,
        "inherited-members": True,
        "exclude-members": "get_params, set_params",  # the same everywhere
    }
    app.connect("autodoc-skip-member", _skip)
    app.connect("html-page-context", _drop_links_without_goal)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
