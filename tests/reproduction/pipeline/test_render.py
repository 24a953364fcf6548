"""Rendering: nothing half-done, and pages alone only where that is the same as all of them."""

import filecmp
import re

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


@pytest.fixture
def book(tmp_path):
    (tmp_path / "book").mkdir()
    for name, text in BOOK.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def pages(book, name="site"):
    inputs = [book / name for name in BOOK]
    return render(book / "book", book / name / "html", book / f"{name}-kept", inputs)


def rendered(book, page):
    return (book / "site" / "html" / page).read_text()


def test_pages_that_warn_leave_the_old_ones(book):
    assert pages(book) == ""
    first = rendered(book, "page.html")
    (book / "book" / "page.md").write_text(PAGE + "\n[nowhere](#missing)\n")
    for _ in range(2):
        assert "missing" in pages(book)
        assert rendered(book, "page.html") == first
        assert [path.name for path in (book / "site").iterdir()] == ["html"]
    (book / "book" / "page.md").write_text(PAGE)
    assert pages(book) == ""


def test_a_new_text_is_read_alone(book):
    pages(book)
    other = book / "site-kept" / "_build" / "html" / "other.html"
    before = other.stat().st_mtime_ns
    (book / "book" / "page.md").write_text(PAGE.replace("Its text", "Another text"))
    assert pages(book) == ""
    assert "Another text" in rendered(book, "page.html")
    assert other.stat().st_mtime_ns == before


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Its text", "Its new text"),
        ("## A part", "## The part"),
        ("$$ x", "$$ y = 0 $$ (before)\n\n$$ x"),
        (", as {cite}`one` says", ""),
    ],
    ids=["text", "heading", "equation", "citation"],
)
def test_a_change_gives_the_site_that_rendering_all_gives(book, old, new):
    pages(book)
    (book / "book" / "page.md").write_text(PAGE.replace(old, new))
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
