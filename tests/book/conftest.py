"""The rendered pages, and a browser to open them in."""

import re
import shutil
from functools import cache

import nbformat
import pytest
import yaml
from bs4 import BeautifulSoup

from reproduction.paths import CHECKOUT

BOOK = CHECKOUT / "book"
SOURCES = CHECKOUT / "notebooks"
HTML = CHECKOUT / "_build" / "html"
CHAPTERS = sorted(path.stem for path in SOURCES.glob("[0-9]*.py"))
# preload would have axe read style sheets by a request that file:// addresses do not allow
AXE = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"],
    "resultTypes": ["violations"],
    "preload": False,
}
# buttons change their colours gradually, and are measured at the end of that
THEME = """theme => {
    document.documentElement.dataset.theme = document.documentElement.dataset.mode = theme;
    document.getAnimations().forEach(animation => animation.finish());
}"""
MOVED = yaml.safe_load((CHECKOUT / "_config.yml").read_text())["sphinx"]["config"]["moved"]


@pytest.fixture(scope="session")
def pages():
    """All rendered pages, as paths; the index, and pages that have moved, only lead to others."""
    if not (HTML / "index.html").exists():
        pytest.skip("the book is not rendered: run make book first")
    found = sorted(HTML.rglob("*.html"))
    return [p for p in found if "_static" not in p.parts and p.stem not in {"index", *MOVED}]


@pytest.fixture(scope="session")
def parsed():
    """Function that reads a page into a tree, once, whoever asks for it."""
    return cache(lambda path: BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser"))


@pytest.fixture(scope="session")
def summaries():
    """Function that reads an executed chapter: by computed table, the errors and what it says."""

    def summaries(path):
        cells = nbformat.read(path, as_version=4).cells
        outputs = [output for cell in cells for output in cell.get("outputs", [])]
        text = "".join(output.text for output in outputs if output.get("name") == "stdout")
        said = r"^(([\w-]+): \d+ cells, (\d+) beyond the tolerance.*)$"
        found = re.findall(said, text, re.MULTILINE)
        return {id: (int(wrong), line) for line, id, wrong in found}

    return summaries


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


@pytest.fixture(scope="session")
def faults():
    """Function that gives what axe finds wrong on a page."""
    script = pytest.importorskip("axe_playwright_python.sync_playwright").Axe().axe_script

    def faults(page, options=AXE):
        if not page.evaluate("'axe' in window"):
            page.evaluate(script)
        # of what axe says, which is long, violations alone leave the browser
        found = page.evaluate("given => axe.run(given).then(said => said.violations)", options)
        nodes = ((violation["id"], node) for violation in found for node in violation["nodes"])
        return [f"{name}: {node['html'][:200]}" for name, node in nodes]

    return faults


class Window:
    """A page of a browser without a network, and what is heard of what is open in it."""

    def __init__(self, page):
        self.page = page
        self.errors, self.requests = [], []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self._console)
        page.on("request", lambda request: self.requests.append(request.url))

    def _console(self, said):
        if said.type in {"error", "warning"}:
            self.errors.append(said.text)

    def open(self, path, width=1280, height=800):
        """Open a page anew, and wait until its formulas are set, after which nothing shifts."""
        self.page.goto("about:blank")  # what was open before says nothing more
        self.page.set_viewport_size({"width": width, "height": height})
        self.errors.clear()
        self.requests.clear()
        self.page.goto(path.as_uri())
        self.page.evaluate("() => window.MathJax?.startup?.promise")
        return self.page


@pytest.fixture(scope="module")
def window(pages, browser):
    """A window in which a module opens one page after the other.

    What the browser has made of scripts and letters for one of them, it has for the next.
    """
    context = browser.new_context(offline=True)
    yield Window(context.new_page())
    context.close()


@pytest.fixture
def unscripted(pages, browser):
    """A page of a browser that runs no scripts."""
    context = browser.new_context(offline=True, java_script_enabled=False)
    yield context.new_page()
    context.close()


@pytest.fixture
def expect(browser):
    """Assertions that wait until the browser has drawn what they ask for."""
    return pytest.importorskip("playwright.sync_api").expect
