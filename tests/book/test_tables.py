"""Every table of the rendered book has a caption and a number."""

import pytest

from reproduction.pipeline.dodo import HTML

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
    numbers = [
        caption(table).find(class_="caption-number").get_text(strip=True)
        for table in page.find_all("table")
    ]
    chapter = numbers[0].split(".")[0]
    assert numbers == [f"{chapter}.{k}" for k in range(1, len(numbers) + 1)]
    assert chapter.startswith("Table ")
