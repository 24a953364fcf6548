"""The box under a chapter's title says what the ledger and the declarations say."""

import importlib.util
import sys

import pytest

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
    sys.modules.pop("times", None)


def test_a_chapter_of_experiments_has_its_claims_and_its_data(opening):
    found = {label: text for label, text, _ in opening.rows(CHAPTER, BOOK)}
    claims = [claim for claim in read_claims() if claim.chapter == CHAPTER]
    verdicts = scorecard(claims)["verdict"]
    counted = {tuple(part.split(" ", 1)) for part in found["Claims decided here"].split(", ")}
    assert counted == {(str(n), verdict) for verdict, n in verdicts.value_counts().items()}
    assert "NCI-60" in found["Real data"]
    assert "(substitute)" in found["Real data"]


def test_a_chapter_without_claims_and_data_has_its_times_alone(opening):
    found = {label: text for label, text, _ in opening.rows("01_introduction", BOOK)}
    assert [*found] == ["To read", "To execute"]
    assert 2 < int(found["To read"].removesuffix(" min")) < 15


@pytest.mark.html
def test_every_chapter_has_its_box_below_its_title(pages, parsed):
    for name in set(chapter_names()) - {"00_overview", "91_scorecard", "92_data"}:
        soup = parsed(HTML / f"{name}.html")
        following = soup.select_one("article section > h1").find_next_sibling()
        assert "opening" in following.get("class", []), name
        assert following.find("a")["href"].endswith(".html")
