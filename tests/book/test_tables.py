"""Tables of the rendered book: numbers, names of methods, rows for download, and switches."""

import pytest

from reproduction.figures.names import method_name
from tests.book.conftest import BOOK, HTML

pytestmark = pytest.mark.html

CHAPTER = HTML / "06_4_2_drug_activity.html"


def test_numbers_of_tables_follow_their_chapter(pages, parsed):
    found = parsed(CHAPTER).select("article .caption-number")
    numbers = [number.get_text(strip=True) for number in found if "Table" in number.get_text()]
    chapter = numbers[0].split(".")[0]
    assert numbers == [f"{chapter}.{k}" for k in range(1, len(numbers) + 1)]


def test_names_of_methods_lead_to_their_definitions(pages, parsed):
    named = {link.get_text(): link for link in parsed(CHAPTER).select("a.method")}
    assert named["m-KRR centred"]["title"].endswith("as an intercept does.")
    assert named["m-KRR"]["href"] == "notation.html#term-m-KRR"  # which test_links follows


def test_every_table_says_whose_form_a_method_is(pages, parsed):
    for page in pages:
        if "<th" not in page.read_text(encoding="utf-8") or page.stem.startswith("_"):
            continue
        for head in parsed(page).select("article .cell_output th"):
            assert head.get_text() == method_name(head.get_text()), page.name


def test_no_table_is_headed_by_the_column_names_of_stored_rows(pages, parsed):
    for page in pages:
        if "<th" not in page.read_text(encoding="utf-8") or page.stem.startswith("_"):
            continue
        for table in parsed(page).select("article .cell_output table"):
            corner = table.select_one("tbody th") and table.select_one("thead th")
            assert corner is None or corner.get_text() not in {"method", "setting"}, page.name


def test_the_rows_lie_beside_the_pages(pages, parsed):
    link = parsed(CHAPTER).select_one(".results a[download]")["href"]
    assert (HTML / link).read_bytes() == (BOOK / link).read_bytes()


@pytest.fixture
def table(window):
    """The first table of results of a chapter, in a browser."""
    return window.open(CHAPTER).locator("div.results").first


def bold(table):
    """Texts in bold, of the table that is shown."""
    return table.locator("table:visible td > *").evaluate_all(
        "all => all.filter(e => getComputedStyle(e).fontWeight >= 600).map(e => e.textContent)"
    )


def test_switches_repaint_the_marks(table):
    plain = bold(table)
    table.get_by_label("Test").select_option("the corrected paired t-test")
    assert set(plain) < set(bold(table))
    assert "the corrected paired t-test at the level" in table.locator("p").inner_text()
    table.get_by_label("Test").select_option("Student's paired t-test")
    assert bold(table) == plain
    table.get_by_label("Level").select_option("0.001")
    assert set(plain) < set(bold(table))


def test_a_metric_is_chosen(table):
    table.get_by_label("Metric").select_option("aRRMSE")
    assert table.locator("table:visible").count() == 1
    assert table.locator("table:visible th").first.inner_text() == "aRRMSE"


def test_without_scripts_every_metric_stands(unscripted):
    unscripted.goto(CHAPTER.as_uri())
    shown = unscripted.locator("div.results").first
    assert shown.locator("table:visible").count() == 2
    assert shown.locator("select").count() == 0
