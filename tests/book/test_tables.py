"""Every table of the rendered book has a caption and a number."""

import pytest

from reproduction.pipeline.execute import BOOK
from tests.book.conftest import HTML

pytestmark = pytest.mark.html

# Lists that sphinx lays out as tables, and not pages of ours.
_LISTS = {"indextable", "genindextable"}


def caption(table):
    """The caption of a table: its own, or that of the figure that it is the content of."""
    figure = table.find_parent("figure", class_="shown-table")
    return table.find("caption") or (figure and figure.find("figcaption"))


def test_every_table_has_a_caption_and_a_number(pages, parsed):
    tables = [
        (page.name, table, caption(table))
        for page in pages
        if page.parent == HTML
        for table in parsed(page).find_all("table")
        if not _LISTS & {*table.get("class", [])}
        if table.find_parent("details", class_="claim") is None  # the claim says what it shows
    ]
    assert len(tables) > 150
    without = [
        (name, table.get_text(" ", strip=True)[:60])
        for name, table, found in tables
        if found is None or not found.find(class_="caption-number")
    ]
    assert without == []


def test_numbers_of_tables_follow_their_chapter(pages, parsed):
    page = parsed(HTML / "06_4_2_drug_activity.html")
    captions = (caption(table) for table in page.find_all("table"))
    numbers = [
        found.find(class_="caption-number").get_text(strip=True) for found in captions if found
    ]
    numbers = list(dict.fromkeys(numbers))  # a figure may hold a table a metric
    chapter = numbers[0].split(".")[0]
    assert numbers == [f"{chapter}.{k}" for k in range(1, len(numbers) + 1)]
    assert chapter.startswith("Table ")
    assert len(numbers) > 3


def test_names_of_methods_lead_to_their_definitions(pages, parsed):
    terms = {term["id"] for term in parsed(HTML / "notation.html").find_all("dt", id=True)}
    for page in pages:
        if page.parent == HTML:
            for link in parsed(page).select("a.method"):
                name, _, id = link["href"].partition("#")
                assert (name, id in terms) == ("notation.html", True), (page.name, link)
                assert "$" not in link["title"]
    chapter = parsed(HTML / "06_4_2_drug_activity.html")
    named = {link.get_text(): link["title"] for link in chapter.select("a.method")}
    assert named["m-KRR centred"].endswith("as an intercept does.")
    assert named["m-KRR"].startswith("Kernel ridge regression")


def test_the_rows_lie_beside_the_pages(pages, parsed):
    links = {
        link["href"]
        for page in pages
        if page.parent == HTML
        for link in parsed(page).select(".results a[download], .claims a[download]")
        if link["href"].startswith("results/")
    }
    assert len(links) > 20
    for link in links:
        assert (HTML / link).read_bytes() == (BOOK / link).read_bytes()


@pytest.fixture
def table(window):
    """The first table of results of a chapter, in a browser."""
    page = window.open(HTML / "06_4_2_drug_activity.html", 1280, 800)
    return page.locator("div.results").first


def bold(table):
    """Texts in bold, of the table that is shown."""
    return table.locator("table:visible td > *").evaluate_all(
        "all => all.filter(e => getComputedStyle(e).fontWeight >= 600).map(e => e.textContent)"
    )


def test_switches_repaint_the_marks(pages, table):
    plain = bold(table)
    table.get_by_label("Test").select_option("the corrected paired t-test")
    assert set(plain) < set(bold(table))
    assert "the corrected paired t-test does not tell" in table.locator("p").inner_text()
    table.get_by_label("Test").select_option("Student's paired t-test")
    assert bold(table) == plain
    table.get_by_label("Level").select_option("0.001")
    assert set(plain) < set(bold(table))


def test_a_metric_is_chosen(pages, table):
    assert table.locator("table:visible").count() == 1
    table.get_by_label("Metric").select_option("aRRMSE")
    assert table.locator("table:visible").count() == 1
    assert table.locator("table:visible th").first.inner_text() == "aRRMSE"


def test_without_scripts_every_metric_stands(pages, browser):
    context = browser.new_context(offline=True, java_script_enabled=False)
    page = context.new_page()
    page.goto((HTML / "06_4_2_drug_activity.html").as_uri())
    shown = page.locator("div.results").first
    assert shown.locator("table:visible").count() == 2
    assert shown.locator("select").count() == 0
    context.close()
