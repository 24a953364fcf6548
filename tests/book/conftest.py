"""The rendered pages, and a browser to open them in."""

import shutil
from functools import cache

import pytest
from bs4 import BeautifulSoup

from reproduction.pipeline.dodo import HTML


@pytest.fixture(scope="session")
def pages():
    """All rendered pages, as paths; the index only leads to the first of them."""
    if not (HTML / "index.html").exists():
        pytest.skip("the book is not rendered: run make book first")
    found = sorted(HTML.rglob("*.html"))
    return [p for p in found if "_static" not in p.parts and p != HTML / "index.html"]


@pytest.fixture(scope="session")
def parsed():
    """Function that reads a page, once, whoever asks for it."""

    @cache
    def parsed(path):
        return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")

    return parsed


@pytest.fixture(scope="session")
def browser():
    """Chromium, driven by Playwright."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        pytest.skip("there is no chromium on the path")
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as driver:
        # a container's root user has no sandbox; the pages are our own files
        browser = driver.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()
