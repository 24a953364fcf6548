"""The cards of claims: a reader can filter them, and without scripts all are there."""

import re
from collections import Counter

import pytest

from reproduction.claims import read_claims, read_papers, scorecard
from tests.book.conftest import HTML

pytestmark = pytest.mark.html

CHAPTER = HTML / "91_scorecard.html"


@pytest.fixture
def page(window):
    """The chapter, opened without a network."""
    return window.open(CHAPTER)


@pytest.fixture
def form(page):
    """What filters the claims."""
    return page.get_by_role("search", name="Claims")


@pytest.fixture(scope="module")
def outcomes():
    """Paper's title and outcome of each claim."""
    claims = read_claims()
    words, papers = scorecard(claims)["outcome"], read_papers()
    return [(papers[claim.paper]["title"], word) for claim, word in zip(claims, words, strict=True)]


def shown(page):
    """Ids of the claims that are not filtered out."""
    cards = page.locator(".claim:not([hidden])")
    return cards.evaluate_all("all => all.map(card => card.id)")


def test_all_claims_are_there_without_scripts(unscripted, outcomes):
    unscripted.goto(CHAPTER.as_uri())
    assert len(shown(unscripted)) == len(outcomes)
    assert unscripted.locator(".claims-filter").count() == 0


def test_filters_by_paper_and_outcome(page, form, outcomes):
    paper, outcome = outcomes[0]
    form.get_by_role("combobox", name="Paper", exact=True).select_option(paper)
    assert len(shown(page)) == Counter(own for own, _ in outcomes)[paper]
    form.get_by_label("Outcome").select_option(outcome)
    left = outcomes.count((paper, outcome))
    assert len(shown(page)) == left
    assert form.get_by_role("status").inner_text() == f"{left} of {len(outcomes)} claims"
    form.get_by_role("combobox", name="Paper", exact=True).select_option("all")
    form.get_by_label("Outcome").select_option("all")
    assert len(shown(page)) == len(outcomes)


def test_filters_by_all_words_with_the_keyboard_alone(page, expect, form):
    visible = page.locator(".claim").filter(visible=True)
    expect(visible).to_have_count(0)  # conclusions are folded
    form.get_by_role("combobox", name="On", exact=True).focus()
    page.keyboard.press("Tab")
    page.keyboard.type("accuracy  CALTECH")
    found = shown(page)
    assert "claim-ofer-13-weak-labels-help" in found
    for id in found:
        text = page.locator(f"#{id}").text_content().lower()
        assert "accuracy" in text
        assert "caltech" in text
    expect(visible).to_have_count(len(found))
    page.keyboard.press("Enter")  # sends nothing anywhere
    assert shown(page) == found
    page.keyboard.type(" nowhere-to-be-found")
    assert shown(page) == []


def test_a_choice_stands_in_the_address(page, form):
    form.get_by_label("Outcome").select_option("holds in part")
    form.get_by_label("Words").fill("drug")
    found = shown(page)
    page.goto("about:blank")
    page.go_back()
    assert shown(page) == found != []
    assert form.get_by_label("Words").input_value() == "drug"


def test_two_clicks_lead_from_the_front_page_to_a_checked_claim(window, expect, parsed):
    claim = "claim-ofer-10-weak-labels-help"
    conclusion = parsed(CHAPTER).find(id=claim).find_parent(class_="conclusion")["id"]
    page = window.open(HTML / "00_overview.html")
    page.locator(f'article a[href$="#{conclusion}"]').first.click()
    card = page.locator(f"#{claim}")
    card.locator("summary").click()
    text = card.inner_text()
    assert card.locator("summary").inner_text().startswith("◇ depends on the reading on other data")
    expect(card.locator(".axis .interval").first).to_be_visible()
    assert "Table 10" in text
    assert card.get_by_role("link", name="table", exact=True).is_visible()
    rows = card.get_by_role("link", name="ofer-table-10.csv")
    assert rows.get_attribute("href") == "results/ofer-table-10.csv"


def test_a_card_opens_for_who_comes_by_a_link(page, expect):
    page.goto(f"{CHAPTER.as_uri()}#claim-ofer-09-beats-ridge")
    expect(page.locator("#claim-ofer-09-beats-ridge .axes").first).to_be_visible()


def test_one_card_is_open_at_a_time(page):
    cards = page.locator(".claim:visible")
    page.locator(".conclusion > summary").first.click()
    for place in (0, 1):
        cards.nth(place).locator("summary").click()
        opened = page.locator(".claim[open]")
        assert opened.count() == 1
        assert opened.get_attribute("id") == cards.nth(place).get_attribute("id")
    page.evaluate("location.hash = 'claim-ofer-09-beats-ridge'")  # in another conclusion
    page.wait_for_selector("#claim-ofer-09-beats-ridge[open]")
    assert page.locator(".claim[open]").count() == 1


def test_all_cards_are_on_paper(unscripted, expect, outcomes):
    unscripted.goto(CHAPTER.as_uri())
    ways = unscripted.locator(".claim > p:last-child").filter(visible=True)
    expect(ways).to_have_count(0)
    unscripted.emulate_media(media="print")
    expect(ways).to_have_count(len(outcomes))


def test_a_claim_leads_to_the_cell_that_shows_its_table(pages, parsed):
    link = parsed(CHAPTER).find(id="claim-ofer-10-weak-labels-help").a["href"]
    assert link == "06_4_2_drug_activity.html#ofer-table-10"
    # a cell that reads several tables carries the other names in empty elements
    chapter = parsed(HTML / "06_4_2_drug_activity.html")
    assert chapter.select_one(".cell:is(#ofer-table-10, :has(> span#ofer-table-10)) table")


def test_every_outcome_on_a_page_says_on_what(pages, parsed):
    """No page calls a claim reproduced or refuted, and every tested claim names its data."""
    banned, card_there = r"\b(?:refuted|not reproduced|inconclusive)\b", r'class="[^"]*\bclaim\b'
    for page in pages:
        source = page.read_text(encoding="utf-8")
        words = re.sub(r"<[^>]*>", "", source)
        if not re.search(banned, words) and not re.search(card_there, source):
            continue  # to parse all pages takes many times as long
        article = parsed(page).find("article")
        if article is None or page.stem.startswith("_"):
            continue
        assert re.findall(banned, article.get_text()) == [], page.name
        for claim in article.select(".claim"):
            known = claim["data-outcome"] == "not testable" or claim["data-on"] != "nothing"
            assert known, claim["id"]
            if claim["data-on"] != "nothing":
                text = (claim.summary or claim.parent).get_text()
                assert f"on {claim['data-on']}: " in text


def test_a_card_stands_on_one_page_and_chapters_lead_to_it(pages, parsed):
    cards = {card["id"] for card in parsed(CHAPTER).select("details.claim")}
    marks = 0
    for page in pages:
        if page == CHAPTER or 'class="claim"' not in page.read_text(encoding="utf-8"):
            continue
        article = parsed(page).find("article")
        assert article.select("details.claim") == [], page.name
        for mark in article.select("a.claim"):
            marks += 1
            assert mark["id"] in cards
            assert mark["href"] == f"91_scorecard.html#{mark['id']}"
    assert marks > len(cards) / 2
