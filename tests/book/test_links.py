"""Every link, image and script of the rendered pages is there, in the book itself."""

import re
from functools import cache
from urllib.parse import unquote, urlsplit

import pytest
from bs4 import BeautifulSoup

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


@cache
def parsed(path):
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


@cache
def anchors(path):
    return {tag["id"] for tag in parsed(path).find_all(id=True)}


def broken(page, address):
    """Why an address in a page leads nowhere; None if it does not, or leaves the book."""
    url = urlsplit(address)
    if url.scheme or url.netloc:
        return None
    target = (page.parent / unquote(url.path)).resolve() if url.path else page
    if not target.exists():
        return "no such file"
    if url.fragment and target.suffix == ".html" and unquote(url.fragment) not in anchors(target):
        return "no such anchor"
    return None


def test_internal_links_resolve(pages):
    links = [(page, tag["href"]) for page in pages for tag in parsed(page).find_all("a", href=True)]
    assert len(links) > 100
    found = {(page.name, href): broken(page, href) for page, href in links}
    assert {link: reason for link, reason in found.items() if reason} == {}


def test_everything_a_page_loads_lies_beside_it(pages):
    sources = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href"}
    loaded = [
        (page, tag[name])
        for page in pages
        for kind, name in sources.items()
        for tag in parsed(page).find_all(kind, attrs={name: True})
    ]
    assert len(loaded) > 100
    external = {(page.name, url) for page, url in loaded if urlsplit(url).netloc}
    assert external == set()
    found = {(page.name, url): broken(page, url) for page, url in loaded}
    assert {link: reason for link, reason in found.items() if reason} == {}


def test_inline_scripts_and_styles_name_no_other_place(pages):
    named = {
        (page.name, tag.string[:80])
        for page in pages
        for tag in parsed(page).find_all(["script", "style"])
        if tag.string and re.search(r"(https?:)?//\w[\w-]*\.\w", tag.string)
    }
    assert named == set()


def test_every_image_has_a_text(pages):
    images = [(page.name, tag) for page in pages for tag in parsed(page).find_all("img")]
    without = [(name, tag.get("src")) for name, tag in images if not tag.get("alt", "").strip()]
    assert without == []
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
def test_every_public_name_is_in_the_api_reference(pages, module):
    documented = set().union(*(anchors(page) for page in pages if page.name.startswith("api")))
    names = {f"{module.__name__}.{name}" for name in module.__all__}
    # what a submodule re-exports may be documented where it is imported from
    elsewhere = {name for name in names if f"ofer.{name.rpartition('.')[2]}" in documented}
    assert names - elsewhere - documented == set()
