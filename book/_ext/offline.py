"""Keep from the pages, and from the book, what no page uses.

Jupyter-book always loads sphinx-thebe, whose script would fetch its program from a content
delivery network; this book has no thebe button. The theme draws its dozen icons by a script with
all that there are, though a font and its style sheet do as well, and loads the index of the search
on every page, though the page of the search alone asks it. MathJax is put together from the parts
that typeset, without its menu. And style sheets lose the rules for what no page holds, which are
two thirds of them.
"""

import re
import shutil
from pathlib import Path

from fontTools import subset

_SCRIPT = r'\s*<script[^>]* src="[^"]*\b(?:{})\.js[^"]*"></script>'
_ICONS = re.compile(_SCRIPT.format("fontawesome"))
_SEARCH = re.compile(_SCRIPT.format("searchtools|language_data|searchindex"))
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_RULE = re.compile(r"([^{};]+)\{[^{}]*\}")
_BRACKETS = re.compile(r"\([^()]*\)")
_CLASS = re.compile(r"\.(-?[A-Za-z_][\w-]*)")
_PACKED = re.compile(r'url\([^)]*\.woff2\) format\("woff2"\),')
_LETTER = re.compile(r'content:\s*"\\([0-9a-f]{4})"')


def _choose_parts(app, config):
    config.mathjax_path = "mathjax/startup.js"


def _drop_thebe(app, page, template, context, doctree):
    context["script_files"] = [
        script
        for script in context["script_files"]
        if "thebe" not in f"{script.filename} {script.attributes.get('body')}".lower()
    ]


def _lighten(app, exception):
    if exception or app.builder.format != "html":
        return
    static = Path(app.outdir, "_static")
    mathjax, icons = static / "mathjax", static / "vendor" / "fontawesome" / "webfonts"
    for unused in (*mathjax.glob("*-*.js"), *static.glob("scripts/fontawesome*")):
        unused.unlink()
    for unused in (mathjax / "sre", mathjax / "ui"):
        shutil.rmtree(unused, ignore_errors=True)
    used = set()
    for page in Path(app.outdir).rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        lighter = _ICONS.sub("", text)
        if page.name != "search.html":
            lighter = _SEARCH.sub("", lighter)
        if lighter != text:
            page.write_text(lighter, encoding="utf-8")
        used.update(*(names.split() for names in re.findall(r'class="([^"]*)"', text)))
    for script in static.rglob("*.js"):
        if mathjax not in script.parents:  # which brings its styles itself
            used.update(re.findall(r"[\w-]+", script.read_text(encoding="utf-8")))
    letters = set()
    for sheet in static.rglob("*.css"):
        text = _PACKED.sub("", without_unused(sheet.read_text(encoding="utf-8"), used))
        sheet.write_text(text, encoding="utf-8")
        letters |= {int(letter, 16) for letter in _LETTER.findall(text)}
        letters |= {ord(letter) for letter in text if "\ue000" <= letter <= "\uf8ff"}
    for font in icons.glob("*.ttf"):
        font.with_suffix(".woff2").unlink(missing_ok=True)
        _keep_letters(font, letters)


def without_unused(sheet, used):
    """A style sheet without its comments, and without the rules that match nothing.

    Parameters
    ----------
    sheet : str
        The style sheet.
    used : set of str
        Names of all classes that an element can have.

    Returns
    -------
    str
        The rules in which one selector, apart from what it says in brackets, has used classes
        alone.
    """

    def kept(rule):
        selectors = rule[1]
        while _BRACKETS.search(selectors):
            selectors = _BRACKETS.sub("", selectors)
        matches = (used.issuperset(_CLASS.findall(one)) for one in selectors.split(","))
        return rule[0] if any(matches) else ""

    return _RULE.sub(kept, _COMMENT.sub("", sheet))


def _keep_letters(path, letters):
    options = subset.Options(notdef_outline=True)
    font = subset.load_font(path, options)
    chosen = subset.Subsetter(options)
    chosen.populate(unicodes=letters)
    chosen.subset(font)
    subset.save_font(font, path, options)


def setup(app):
    """Register the extension with sphinx."""
    app.connect("config-inited", _choose_parts)
    app.connect("html-page-context", _drop_thebe, priority=900)
    # after sphinx-mathjax-offline has copied its files
    app.connect("build-finished", _lighten, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
