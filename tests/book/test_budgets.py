"""How much a reader has to load."""

from urllib.parse import unquote, urlsplit

import pytest

from reproduction.pipeline.dodo import HTML

pytestmark = pytest.mark.html

MEGABYTE = 1e6
PAGE = 3 * MEGABYTE  # with its pictures, without what all pages share
BOOK = 60 * MEGABYTE


def weight(page, elements):
    """Bytes of a page and of the pictures in it."""
    sources = {tag["src"] for kind, tag in elements(page) if kind == "img" and "src" in tag}
    files = {page.parent / unquote(urlsplit(source).path) for source in sources}
    return page.stat().st_size + sum(path.stat().st_size for path in files if path.is_file())


def test_no_page_is_heavy(pages, elements):
    weights = {page.relative_to(HTML).as_posix(): weight(page, elements) for page in pages}
    assert max(weights.values()) > 0.2 * MEGABYTE  # pictures are counted
    assert {name: size for name, size in weights.items() if size > PAGE} == {}


def test_the_book_is_not_heavy(pages):
    assert sum(path.stat().st_size for path in HTML.rglob("*") if path.is_file()) < BOOK
