"""Every link, image and script of the rendered pages is there, in the book itself."""

import re
from functools import cache
from urllib.parse import unquote, urlsplit

import pytest

import ofer
import ofer.companions
import ofer.datasets
import ofer.embeddings
import ofer.kernels
import ofer.metrics
import reproduction.claims
import reproduction.datasets
import reproduction.engine
import reproduction.statistics

pytestmark = pytest.mark.html


@pytest.fixture(scope="session")
def anchors(elements):
    """Function that gives the names of all places in a page that a link can lead to."""
    return cache(lambda path: {tag["id"] for _, tag in elements(path) if "id" in tag})


@pytest.fixture(scope="session")
def broken(anchors):
    """Function that says why an address in a page leads nowhere.

    None if it does not, or leaves the book.
    """

    @cache
    def goal(folder, path):
        target = (folder / unquote(path)).resolve()
        return target if target.exists() else None

    def broken(page, address):
        url = urlsplit(address)
        if url.scheme or url.netloc:
            return None
        target = goal(page.parent, url.path) if url.path else page
        if target is None:
            return "no such file"
        is_page = url.fragment and target.suffix == ".html"
        return (
            "no such anchor" if is_page and unquote(url.fragment) not in anchors(target) else None
        )

    return broken


def test_internal_links_resolve(pages, elements, broken):
    links = [
        (page, tag["href"])
        for page in pages
        for kind, tag in elements(page)
        if kind == "a" and "href" in tag
    ]
    assert len(links) > 100
    found = {(page.name, href): broken(page, href) for page, href in links}
    assert {link: reason for link, reason in found.items() if reason} == {}


def test_everything_a_page_loads_lies_beside_it(pages, elements, broken):
    sources = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href"}
    loaded = [
        (page, tag[sources[kind]])
        for page in pages
        for kind, tag in elements(page)
        if sources.get(kind) in tag
    ]
    assert len(loaded) > 100
    external = {(page.name, url) for page, url in loaded if urlsplit(url).netloc}
    assert external == set()
    found = {(page.name, url): broken(page, url) for page, url in loaded}
    assert {link: reason for link, reason in found.items() if reason} == {}


def test_inline_scripts_and_styles_name_no_other_place(pages, elements):
    named = {
        (page.name, tag["text"][:80])
        for page in pages
        for kind, tag in elements(page)
        if kind in {"script", "style"}
        if re.search(r"(https?:)?//\w[\w-]*\.\w", tag.get("text", ""))
    }
    assert named == set()


def test_every_image_has_a_text(pages, elements):
    images = [(page.name, tag) for page in pages for kind, tag in elements(page) if kind == "img"]
    without = [(name, tag.get("src")) for name, tag in images if not tag.get("alt", "").strip()]
    assert without == []
    drawn = [tag for page in pages for _, tag in elements(page) if tag.get("class") == "drawn"]
    assert all(tag["aria-label"].strip() for tag in drawn)
    # the file name is what sphinx puts there when nobody wrote a text
    assert [tag["alt"] for _, tag in images if tag["alt"].endswith((".png", ".svg"))] == []


@pytest.mark.parametrize(
    "module",
    [
        ofer,
        ofer.embeddings,
        ofer.kernels,
        ofer.metrics,
        ofer.datasets,
        ofer.companions,
        reproduction.datasets,
        reproduction.engine,
        reproduction.statistics,
        reproduction.claims,
    ],
    ids=lambda module: module.__name__,
)
def test_every_public_name_is_in_the_api_reference(pages, anchors, module):
    documented = set().union(*(anchors(page) for page in pages if page.name.startswith("api")))
    names = {f"{module.__name__}.{name}" for name in module.__all__}
    # what a submodule re-exports may be documented where it is imported from
    elsewhere = {name for name in names if f"ofer.{name.rpartition('.')[2]}" in documented}
    assert names - elsewhere - documented == set()
