"""The box under a chapter's title says what the ledger and the declarations say."""

import importlib.util
import re
import sys

import pytest
from bs4 import BeautifulSoup

from reproduction.claims import read_claims, scorecard
from reproduction.pipeline.dodo import HTML
from reproduction.pipeline.execute import BOOK, chapter_names

CHAPTER = "06_4_2_drug_activity"


@pytest.fixture(scope="module")
def opening():
    """The extension that makes the boxes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(BOOK / "_ext")
        spec = importlib.util.spec_from_file_location("opening", BOOK / "_ext" / "opening.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        yield module
    for name in ("times", "fold"):
        sys.modules.pop(name, None)


def test_a_chapter_of_experiments_has_its_claims_and_its_data(opening):
    found = {label: text for label, text, _ in opening.rows(CHAPTER, BOOK, [5, 9])}
    claims = [claim for claim in read_claims() if claim.chapter == CHAPTER]
    verdicts = scorecard(claims)["verdict"]
    counted = {tuple(part.split(" ", 1)) for part in found["Claims decided here"].split(", ")}
    assert counted == {(str(n), verdict) for verdict, n in verdicts.value_counts().items()}
    assert found["To read"] == "5 min, 9 min with what is folded"
    assert "NCI-60" in found["Real data"]
    assert "(substitute)" in found["Real data"]


def test_a_chapter_without_claims_and_data_has_its_times_alone(opening):
    found = {label: text for label, text, _ in opening.rows("01_introduction", BOOK, [5, 5])}
    assert [*found] == ["To read", "To execute"]
    assert found["To execute"].endswith("`make chapter NAME=01_introduction`")


@pytest.mark.html
def test_every_chapter_has_its_box_below_its_title(pages, parsed):
    for name in set(chapter_names()) - {"00_overview", "91_scorecard", "92_data"}:
        soup = parsed(HTML / f"{name}.html")
        following = soup.select_one("article section > h1").find_next_sibling()
        assert "opening" in following.get("class", []), name
        assert following.find("a")["href"].endswith(".html")


def minutes_of(page, opening):
    """Minutes that a page takes to read, open and whole, from what it shows."""
    article = BeautifulSoup(str(page.select_one("article")), "html.parser")
    unread = "pre, .opening, .headerlink, details:not(.folded), .dropdown, .output, .drawn"
    for node in article.select(f"{unread}, .section-number, .caption-number, a.checked"):
        node.decompose()
    for formula in article.select(".math"):
        formula.string = " x "
    texts = []
    for folded in ("", "details.folded > :not(summary)"):
        for node in article.select(folded) if folded else ():
            node.decompose()
        texts.insert(0, len(opening.WORD.findall(article.get_text())) / opening.WORDS_PER_MINUTE)
    return texts


@pytest.mark.html
def test_reading_times_are_those_of_the_rendered_words(pages, parsed, opening):
    boxes, whole = {}, 0
    for name in chapter_names():
        page = parsed(HTML / f"{name}.html")
        shown, all_of_it = minutes_of(page, opening)
        whole += all_of_it
        if box := page.select_one(".opening"):
            said = re.search(r"To read: (\d+) min(?:, (\d+) min)?", box.get_text())
            boxes[name] = int(said[1]), int(said[2] or said[1])
            assert boxes[name] == pytest.approx((shown, all_of_it), abs=0.6, rel=0.06), name
    assert any(shown < all_of_it for shown, all_of_it in boxes.values())
    front = parsed(HTML / "00_overview.html").get_text()
    hours = float(re.search(r"The whole book takes ([\d.]+) hours", front)[1])
    assert hours == pytest.approx(whole / 60, rel=0.05)
    assert int(re.search(r"the guide:\s+(\d+) minutes", front)[1]) < 45
