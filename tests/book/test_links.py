"""Every link, image and script of the rendered pages is there, in the book itself."""

import importlib
from functools import cache
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

import pytest

pytestmark = pytest.mark.html

LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href"}


class _Page(HTMLParser):
    """Places in a page, addresses that its links lead to, and those of what it loads."""

    def __init__(self, path):
        super().__init__()
        self.places, self.links, self.loaded = set(), set(), set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        given = {name: value or "" for name, value in attributes}
        if "id" in given:
            self.places.add(given["id"])
        if tag == "a" and "href" in given:
            self.links.add(given["href"])
        if LOADED.get(tag) in given:
            self.loaded.add(given[LOADED[tag]])


read = cache(_Page)


def broken(page, address):
    """Why an address in a page leads nowhere; None if it does not, or leaves the book."""
    url = urlsplit(address)
    if url.scheme or url.netloc:
        return None
    target = (page.parent / unquote(url.path)).resolve() if url.path else page
    if not target.exists():
        return "no such file"
    known = target.suffix != ".html" or not url.fragment
    return None if known or unquote(url.fragment) in read(target).places else "no such anchor"


def test_links_lead_somewhere_and_what_is_loaded_lies_beside_the_pages(pages):
    found, elsewhere, count = {}, set(), 0
    for page in pages:
        links, loaded = read(page).links, read(page).loaded
        count += len(links)
        found |= {(page.name, address): broken(page, address) for address in links | loaded}
        elsewhere |= {(page.name, address) for address in loaded if urlsplit(address).netloc}
    assert count > 1000
    assert elsewhere == set()
    assert {link: reason for link, reason in found.items() if reason} == {}


@pytest.mark.parametrize(
    "name",
    ["ofer", "ofer.companions", "ofer.datasets", "ofer.embeddings", "ofer.kernels", "ofer.metrics"],
)
def test_every_public_name_is_in_the_api_reference(pages, name):
    documented = set().union(*(read(page).places for page in pages if page.name[:3] == "api"))
    names = {f"{name}.{public}" for public in importlib.import_module(name).__all__}
    # what a submodule re-exports may be documented where it is imported from
    elsewhere = {full for full in names if f"ofer.{full.rpartition('.')[2]}" in documented}
    assert names - elsewhere - documented == set()
