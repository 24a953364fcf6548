"""Rendering: nothing half-done, and pages alone only where that is the same as all of them."""

import filecmp
import re
import shutil
import subprocess

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


@pytest.fixture(scope="module")
def rendered_once(tmp_path_factory):
    """A book with its pages, and a copy of both as they are."""
    folder = tmp_path_factory.mktemp("rendered")
    book, copy = folder / "book", folder / "copy"
    (book / "book").mkdir(parents=True)
    for name, text in BOOK.items():
        (book / name).write_text(text)
    assert pages(book) == ""
    shutil.copytree(book, copy)
    return book, copy


@pytest.fixture
def book(rendered_once):
    """The rendered book, as if nothing had been done with it."""
    book, copy = rendered_once
    shutil.rmtree(book)
    return shutil.copytree(copy, book)


def pages(book, name="site"):
    inputs = [book / name for name in BOOK]
    return render(book / "book", book / name / "html", book / f"{name}-kept", inputs)


def rendered(book, page):
    return (book / "site" / "html" / page).read_text()


def test_pages_that_warn_leave_the_old_ones(book):
    first = rendered(book, "page.html")
    (book / "book" / "page.md").write_text(PAGE + "\n[nowhere](#missing)\n")
    for _ in range(2):
        assert "missing" in pages(book)
        assert rendered(book, "page.html") == first
        assert [path.name for path in (book / "site").iterdir()] == ["html"]
    (book / "book" / "page.md").write_text(PAGE)
    assert pages(book) == ""


def test_a_new_text_is_read_alone(book):
    other = book / "site-kept" / "_build" / "html" / "other.html"
    before = other.stat().st_mtime_ns
    (book / "book" / "page.md").write_text(PAGE.replace("Its text", "Another text"))
    assert pages(book) == ""
    assert "Another text" in rendered(book, "page.html")
    assert other.stat().st_mtime_ns == before


NEW_TEXT = {"Its text": "Its new text"}
NEW_STRUCTURE = {
    "## A part": "## The part",
    "$$ x": "$$ y = 0 $$ (before)\n\n$$ x",
    ", as {cite}`one` says": "",
}


def change(book, old, new):
    page = book / "book" / "page.md"
    text = page.read_text()
    assert old in text
    page.write_text(text.replace(old, new))


@pytest.mark.parametrize("changes", [NEW_TEXT, NEW_STRUCTURE], ids=["text", "structure"])
def test_a_change_gives_the_site_that_rendering_all_gives(book, changes):
    for old, new in changes.items():
        change(book, old, new)
    pages(book)
    pages(book, "fresh")
    differences = filecmp.dircmp(book / "site" / "html", book / "fresh" / "html")
    assert not any(differences.left_only + differences.right_only)
    for page in ("index.html", "page.html", "other.html", "searchindex.js"):
        # Versions of style sheets are not always there; they are for browsers alone.
        ours, all_anew = (
            re.sub(r"\?v=\w+", "", (book / site / "html" / page).read_text())
            for site in ("site", "fresh")
        )
        assert ours == all_anew


@pytest.mark.parametrize(
    "old", [*NEW_TEXT, *NEW_STRUCTURE], ids=["text", "heading", "equation", "citation"]
)
def test_each_change_that_other_pages_may_show_renders_all_anew(book, monkeypatch, old):
    kept = []

    def build(command, **options):
        kept.append((book / "site-kept" / "_build").exists())
        return subprocess.CompletedProcess(command, 1, "", "stopped here")

    monkeypatch.setattr(subprocess, "run", build)
    change(book, old, (NEW_TEXT | NEW_STRUCTURE)[old])
    assert pages(book) == "stopped here"
    assert kept == [old in NEW_TEXT]
