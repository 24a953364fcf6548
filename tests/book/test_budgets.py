"""How much a reader has to load, and how far to scroll."""

from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from reproduction.pipeline.dodo import HTML

pytestmark = pytest.mark.html

MEGABYTE = 1e6
PAGE = 3 * MEGABYTE  # with its pictures, without what all pages share
LOAD = 1.5 * MEGABYTE  # without its pictures and drawings, with what all pages share
LENGTH = 15000  # pixels of a page whose record is folded, on a notebook computer
BOOK = 50 * MEGABYTE  # without what is offered for download
ZIP = 20 * MEGABYTE


def weight(page, elements):
    """Bytes of a page and of the pictures in it."""
    sources = {tag["src"] for kind, tag in elements(page) if kind == "img" and "src" in tag}
    files = {page.parent / unquote(urlsplit(source).path) for source in sources}
    return page.stat().st_size + sum(path.stat().st_size for path in files if path.is_file())


def test_no_page_is_heavy(pages, elements):
    weights = {page.relative_to(HTML).as_posix(): weight(page, elements) for page in pages}
    assert max(weights.values()) > 0.2 * MEGABYTE  # pictures are counted
    assert {name: size for name, size in weights.items() if size > PAGE} == {}


def test_a_first_look_at_a_page_loads_little_and_ends_soon(pages, browser):
    seen = {}
    for path in pages:
        if "_modules" in path.parts:
            continue
        page = browser.new_context(offline=True).new_page()
        page.set_viewport_size({"width": 1280, "height": 800})
        loaded = {}
        page.on("requestfinished", lambda asked, into=loaded: into.update({asked.url: asked}))
        page.goto(path.as_uri())
        page.evaluate("() => window.MathJax?.startup?.promise.then(() => document.fonts.ready)")
        asked = [url for url, it in loaded.items() if it.resource_type != "image"]
        files = [Path(unquote(urlsplit(url).path)) for url in asked if url.startswith("file:")]
        drawn = page.eval_on_selector_all(".drawn", "all => all.map(one => one.outerHTML.length)")
        height = page.evaluate("document.documentElement.scrollHeight")
        seen[path.name] = sum(file.stat().st_size for file in files) - sum(drawn), height
        page.context.close()
    assert min(weight for weight, _ in seen.values()) > 0.2 * MEGABYTE  # what all pages share
    assert {name: weight for name, (weight, _) in seen.items() if weight > LOAD} == {}
    assert {name: height for name, (_, height) in seen.items() if height > LENGTH} == {}


def test_the_book_is_not_heavy(pages):
    sizes = {path: path.stat().st_size for path in HTML.rglob("*") if path.is_file()}
    zips = [sizes.pop(path) for path in [*sizes] if path.parent.name == "_downloads"]
    assert sum(sizes.values()) < BOOK
    assert max(zips) < ZIP
