"""The whole book as one PDF, printed by a browser from the rendered pages.

python -m reproduction.pipeline.printing _build/ofer.pdf
"""

import contextlib
import shutil
import sys
import tempfile
from pathlib import Path

import yaml
from bs4 import BeautifulSoup
from playwright.sync_api import sync_playwright

from reproduction.files import replacing
from reproduction.paths import CHECKOUT

__all__ = ["laid_out", "one_page", "page_names", "print_pages"]

_WIDTH = 680  # CSS pixels between the margins of a sheet of A4
_MARGIN = "15mm"
_SHEET = 'link[rel="stylesheet"]'
_FOOT = (
    '<div style="width: 100%; text-align: center; font-size: 8px">'
    '<span class="pageNumber"></span></div>'
)
# What is wider than its place is made smaller: on paper nothing scrolls.
_FIT = """() => {
    for (const node of document.querySelectorAll('table, mjx-container, svg')) {
        const room = node.parentElement.closest('div, section, td, li, p, figure, main');
        const free = room.getBoundingClientRect().right - node.getBoundingClientRect().left;
        const width = Math.max(node.scrollWidth || 0, node.getBoundingClientRect().width);
        if (width > free + 1) node.style.zoom = free / width;
    }
}"""


def page_names(book):
    """Names of the pages in the order of the table of contents.

    Parameters
    ----------
    book : Path
        Folder with ``_toc.yml``.

    Returns
    -------
    names : list of str
    """
    contents = yaml.safe_load((book / "_toc.yml").read_text(encoding="utf-8"))
    chapters = (one["file"] for part in contents["parts"] for one in part.get("chapters", ()))
    return [contents["root"], *chapters]


def one_page(html, names):
    """Put rendered pages one below the other, with links that stay among them.

    No script is left but that of formulas: moving pictures stand still.

    Parameters
    ----------
    html : Path
        Folder of the rendered pages.
    names : list of str
        Pages, without their ending.

    Returns
    -------
    page : str
        HTML that finds its style sheets and images in `html`.
    """
    read = {name: (html / f"{name}.html").read_text(encoding="utf-8") for name in names}
    pages = {name: BeautifulSoup(text, "html.parser") for name, text in read.items()}
    articles = [_article(page, name, pages) for name, page in pages.items()]
    page = pages[names[0]]
    sheets = {str(sheet["href"]): sheet for one in pages.values() for sheet in one.select(_SHEET)}
    page.head.extend(sheets.values())
    for script in page.find_all("script"):
        if "mathjax" not in str(script).lower():
            script.decompose()
    page.html["data-theme"] = "light"  # which a script would do
    place = page.body
    place.clear()
    for kind, word in (("main", "bd-main"), ("div", "bd-content"), ("div", "printed")):
        place.append(page.new_tag(kind, attrs={"class": word}))
        place = place.contents[-1]
    place.extend(articles)
    return str(page)


def _article(page, own, names):
    """What stands on a page between bars and buttons, under ids that no other page has."""
    article = page.select_one("article.bd-article")
    article["class"] = "page"
    for node in article.find_all(id=True):
        node["id"] = f"{own}--{node['id']}"
    for link in article.find_all("a", href=True):
        file, _, anchor = link["href"].partition("#")
        name = Path(file).stem if file else own
        if name in names and Path(file).suffix in ("", ".html") and ":" not in file:
            link["href"] = f"#{name}--{anchor}" if anchor else f"#{name}"
        elif ":" not in file:
            del link["href"]  # of what is not printed
    for node in article.find_all("script"):
        node.decompose()
    for node in article.find_all("details"):
        node["open"] = ""
    article["id"] = own
    return article


@contextlib.contextmanager
def laid_out(browser, html, names):
    """Open pages in a browser as they stand on paper.

    Parameters
    ----------
    browser : playwright.sync_api.Browser
        Chromium.
    html : Path
        Folder of the rendered pages.
    names : list of str
        Pages, without their ending.

    Yields
    ------
    page : playwright.sync_api.Page
    """
    with tempfile.NamedTemporaryFile("w", suffix=".html", dir=html, encoding="utf-8") as file:
        file.write(one_page(html, names))
        file.flush()
        context = browser.new_context(offline=True)
        page = context.new_page()
        page.set_default_timeout(0)  # all formulas of the book take minutes
        page.emulate_media(media="print", color_scheme="light")
        page.set_viewport_size({"width": _WIDTH, "height": 1000})
        page.goto(Path(file.name).as_uri())
        page.evaluate("() => window.MathJax?.startup?.promise")
        page.evaluate(_FIT)
        yield page
        context.close()


def print_pages(browser, html, names, target):
    """Print pages into one PDF, with an outline.

    Parameters
    ----------
    browser, html, names
        As of `laid_out`.
    target : Path
        The PDF, replaced in one step.
    """
    margins = dict.fromkeys(("top", "right", "bottom", "left"), _MARGIN)
    with laid_out(browser, html, names) as page, replacing(target) as part:
        page.pdf(
            path=part,
            format="A4",
            margin=margins,
            outline=True,
            tagged=True,
            print_background=True,
            display_header_footer=True,
            header_template="<span></span>",
            footer_template=_FOOT,
        )


def main(target):
    """Print the whole book."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        raise SystemExit("There is no chromium on the path, which prints the pages: install it.")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=["--no-sandbox"])
        names = page_names(CHECKOUT / "book")
        print_pages(browser, CHECKOUT / "_build" / "html", names, Path(target))
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1])
