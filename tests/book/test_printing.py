"""The book on paper."""

import pytest
from bs4 import BeautifulSoup

from reproduction.pipeline.dodo import HTML
from reproduction.pipeline.execute import BOOK
from reproduction.pipeline.printing import laid_out, one_page, page_names, print_pages

pytestmark = pytest.mark.html

# With wide tables, long formulas, folded code and solutions, and pictures that move.
NAMES = ["09_playground", "06_5_weak_labels_done_fully"]
WIDE = """() => [...document.querySelectorAll('article :not(mjx-assistive-mml *)')].filter(
    node => node.getBoundingClientRect().right > innerWidth + 1
).map(node => `${node.tagName} ${node.textContent.trim().slice(0, 60)}`)"""


def test_all_pages_are_printed_in_the_order_of_the_contents(pages):
    names = page_names(BOOK)
    assert names[0] == "00_overview"
    assert names.index("01_introduction") < names.index("the_method") < names.index("api")
    written = {path.stem for kind in ("md", "ipynb", "rst") for path in BOOK.glob(f"*.{kind}")}
    assert {*names} == written


def test_pages_below_each_other_keep_their_links(pages):
    page = BeautifulSoup(one_page(HTML, NAMES), "html.parser")
    assert [article["id"] for article in page.select("article")] == NAMES
    ids = [node["id"] for node in page.select("article, article [id]") if node.has_attr("id")]
    inside = {link["href"] for link in page.select("article a[href]") if ":" not in link["href"]}
    assert f"#{NAMES[1]}--exercises" in {f"#{id}" for id in ids}
    assert len(inside) > 20
    assert {link: ids.count(link[1:]) for link in inside} == dict.fromkeys(inside, 1)
    assert page.select("nav, article script, article details:not([open])") == []


def test_nothing_is_wider_than_the_paper(pages, browser):
    with laid_out(browser, HTML, NAMES) as page:
        assert page.evaluate(WIDE) == []
        assert page.locator("article mjx-container").count() > 50
        assert page.locator("button:visible, [data-playground]").count() == 0


def test_a_page_is_printed(pages, browser, tmp_path):
    target = tmp_path / "book.pdf"
    print_pages(browser, HTML, ["speed"], target)
    assert target.read_bytes().startswith(b"%PDF")
