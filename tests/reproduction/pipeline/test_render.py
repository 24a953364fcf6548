"""Rendering: nothing half-done, and pages alone only where that is the same as all of them."""

import re
import subprocess
from pathlib import Path

import pytest

from reproduction.pipeline.render import render

PAGE = """\
# A page

(label)=
## A part

Its text, as {cite}`one` says.

$$ x = 1 $$ (equation)
"""
BOOK = {
    "_config.yml": "title: A book\nbibtex_bibfiles: [one.bib]\n",
    "book/_toc.yml": "format: jb-book\nroot: index\nchapters: [{file: page}, {file: other}]\n",
    "book/one.bib": "@book{one, title={One}, author={One, A.}, year={2000}, publisher={P}}\n",
    "book/index.md": "# A book\n\n{ref}`label`, {eq}`equation`\n\n```{bibliography}\n```\n",
    "book/page.md": PAGE,
    "book/other.md": "# Another\n\nText.\n",
}


NEW_TEXT = "Its text", "Its new text"
NEW_STRUCTURE = {
    "## A part": "## The part",
    "$$ x": "$$ y = 0 $$ (before)\n\n$$ x",
    ", as {cite}`one` says": "",
}


@pytest.fixture
def book(tmp_path):
    """Sources of a book."""
    (tmp_path / "book").mkdir()
    for name, text in BOOK.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def pages(book):
    inputs = [book / name for name in BOOK]
    return render(book / "book", book / "site" / "html", book / "kept", inputs)


def contents(html):
    """Files of a site, with the text of its pages."""
    files = {path.relative_to(html): "" for path in html.rglob("*")}
    for path in (*html.glob("*.html"), html / "searchindex.js"):
        # Versions of style sheets are not always there; they are for browsers alone.
        files[path.relative_to(html)] = re.sub(r"\?v=\w+", "", path.read_text())
    return files


def change(book, old, new):
    page = book / "book" / "page.md"
    text = page.read_text()
    assert old in text
    page.write_text(text.replace(old, new))


def test_a_new_text_is_read_alone_and_pages_that_warn_leave_the_old_ones(book):
    """And all that is rendered in steps is what rendering everything at once gives."""
    html, kept = book / "site" / "html", book / "kept"
    assert pages(book) == ""
    other = kept / "_build" / "html" / "other.html"
    before = other.stat().st_mtime_ns
    change(book, *NEW_TEXT)
    assert pages(book) == ""
    assert other.stat().st_mtime_ns == before
    in_steps = contents(html)
    assert NEW_TEXT[1] in in_steps[Path("page.html")]

    change(book, NEW_TEXT[1], "[nowhere](#missing)")
    for _ in range(2):
        assert "missing" in pages(book)
        assert contents(html) == in_steps
        assert [path.name for path in (book / "site").iterdir()] == ["html"]
        assert not kept.exists()
    change(book, "[nowhere](#missing)", NEW_TEXT[1])
    assert pages(book) == ""
    assert contents(html) == in_steps


@pytest.mark.parametrize(
    ("old", "new"),
    [NEW_TEXT, *NEW_STRUCTURE.items()],
    ids=["text", "heading", "equation", "citation"],
)
def test_each_change_that_other_pages_may_show_renders_all_anew(book, monkeypatch, old, new):
    builds = []

    def build(command, **options):
        builds.append((book / "kept" / "_build").exists())
        (book / "kept" / "_build" / "html").mkdir(parents=True, exist_ok=True)
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(subprocess, "run", build)
    assert pages(book) == ""
    change(book, old, new)
    assert pages(book) == ""
    assert builds == [False, (old, new) == NEW_TEXT]
