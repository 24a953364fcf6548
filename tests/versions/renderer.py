"""The book rendered by the newest Sphinx without jupyter-book, beside jupyter-book's pages.

Not collected by `make test`: ``make test-versions`` names this file, after it has rendered the
pages. What `rendered` does to the configuration is all that leaving jupyter-book takes.
"""

import shutil
import subprocess
import sys
from collections import Counter
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from reproduction.paths import CHECKOUT as ROOT

BOOK, HTML = ROOT / "book", ROOT / "_build" / "html"

FOLDER = ROOT / ".cache" / "versions" / "renderer"
# Extensions that are jupyter-book's own.
OWN = {"jupyter_book", "sphinx_comments", "sphinx_jupyterbook_latex", "sphinx_thebe"}
# What is counted: an element, and one of its classes.
KINDS = {
    "equations": ("div", "math"),
    "formulas": ("span", "math"),
    "numbers of equations": ("span", "eqno"),
    "figures": ("figure", None),
    "tables": ("table", None),
    "captions": ("span", "caption-number"),
    "theorems": ("div", "proof"),
    "exercises": ("div", "exercise"),
    "solutions": ("div", "solution"),
    "images": ("img", None),
    "internal links": ("a", "internal"),
}


class _Page(HTMLParser):
    """What is counted, addresses that lead out of the page, and names that lead into it."""

    def __init__(self, path):
        super().__init__()
        self.counts, self.addresses, self.names = Counter(), set(), set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        given = {name: value or "" for name, value in attributes}
        classes = {None, *given.get("class", "").split()}
        self.counts.update(
            kind for kind, (name, word) in KINDS.items() if tag == name and word in classes
        )
        self.addresses |= {given[name] for name in ("href", "src") if name in given}
        if "id" in given:
            self.names.add(given["id"])


read = cache(_Page)


def pages(folder):
    """Rendered pages below a folder, by name."""
    found = {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*.html"))}
    return {name: path for name, path in found.items() if not name.startswith("_static/")}


def counts(folder):
    """How many of each kind each page holds."""
    found = Counter()
    for name, path in pages(folder).items():
        found[name, "pages"] = 1
        found.update({(name, kind): n for kind, n in read(path).counts.items()})
    return found


@pytest.fixture(scope="module")
def rendered():
    """Folder of the pages, and how sphinx-build ended."""
    source, html = FOLDER / "book", FOLDER / "html"
    for folder in (source, html):
        shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(BOOK, source)
    shutil.copy(ROOT / "_config.yml", source)  # conf.py is written beside it
    jupyter_book = Path(sys.executable).with_name("jupyter-book")
    subprocess.run([jupyter_book, "config", "sphinx", source], check=True, capture_output=True)
    with (source / "conf.py").open("a", encoding="utf-8") as conf:
        conf.write(f"extensions = [name for name in extensions if name not in {OWN}]\n")
        conf.write(f"import sys\nsys.path += {[str(ROOT), str(source / '_ext')]}\n")
    command = [FOLDER / "bin" / "sphinx-build", "-q", "-W", "-n", "--keep-going", source, html]
    return html, subprocess.run(command, capture_output=True, text=True)


def test_nothing_is_warned_of(rendered):
    _, built = rendered
    assert (built.returncode, built.stderr) == (0, "")


def test_pages_hold_as_much_as_those_of_jupyter_book(rendered):
    expected, found = counts(HTML), counts(rendered[0])
    assert {kind for _, kind in expected} == {"pages", *KINDS}, "no page has what is counted"
    differing = {
        f"{name}: {found[name, kind]} {kind} instead of {expected[name, kind]}"
        for name, kind in expected.keys() | found.keys()
        if found[name, kind] != expected[name, kind]
    }
    assert sorted(differing) == []


def test_no_link_is_broken(rendered):
    folder, _ = rendered
    broken = []
    for name, path in pages(folder).items():
        for address in sorted(read(path).addresses):
            url = urlsplit(address)
            if url.scheme or url.netloc:
                continue
            target = (path.parent / unquote(url.path)).resolve() if url.path else path
            anchor = unquote(url.fragment) if target.suffix == ".html" else ""
            if not target.exists() or (anchor and anchor not in read(target).names):
                broken.append(f"{name}: {address}")
    assert broken == []
