"""The cards of claims: a reader can filter them, and without scripts all are there."""

import pytest

from reproduction.claims import read_claims, read_papers, scorecard
from tests.book.conftest import HTML

pytestmark = pytest.mark.html

CHAPTER = HTML / "91_scorecard.html"


@pytest.fixture
def page(pages, window):
    """The chapter, opened without a network."""
    return window.open(CHAPTER, 1280, 720)


@pytest.fixture(scope="module")
def verdicts():
    """Paper's title and verdict of each claim."""
    claims = read_claims()
    words, papers = scorecard(claims)["verdict"], read_papers()
    return [(papers[claim.paper]["title"], word) for claim, word in zip(claims, words, strict=True)]


def shown(page):
    """Ids of the claims that are not filtered out."""
    return [card.get_attribute("id") for card in page.locator(".claim:not([hidden])").all()]


def test_all_claims_are_there_without_scripts(pages, browser, verdicts):
    context = browser.new_context(offline=True, java_script_enabled=False)
    page = context.new_page()
    page.goto(CHAPTER.as_uri())
    assert len(shown(page)) == len(verdicts)
    assert page.locator(".claims-filter").count() == 0
    context.close()


def test_filters_by_paper_and_verdict(page, verdicts):
    form = page.get_by_role("search", name="Claims")
    paper, verdict = verdicts[0]
    form.get_by_label("Paper").select_option(paper)
    assert len(shown(page)) == sum(own == paper for own, _ in verdicts)
    form.get_by_label("Verdict").select_option(verdict)
    left = verdicts.count((paper, verdict))
    assert len(shown(page)) == left
    assert form.get_by_role("status").inner_text() == f"{left} of {len(verdicts)} claims"
    form.get_by_label("Paper").select_option("all")
    form.get_by_label("Verdict").select_option("all")
    assert len(shown(page)) == len(verdicts)


def test_a_chapter_has_no_choice_of_papers(page):
    page.goto((HTML / "10_2_smtgp_experiments.html").as_uri())
    page.eval_on_selector_all("details.folded", "all => all.forEach(one => one.open = true)")
    form = page.get_by_role("search", name="Claims")
    assert form.get_by_label("Verdict").is_visible()
    assert not form.get_by_label("Paper").is_visible()


def test_filters_by_all_words_with_the_keyboard_alone(page):
    form = page.get_by_role("search", name="Claims")
    form.get_by_label("Verdict").focus()
    page.keyboard.press("Tab")
    page.keyboard.type("accuracy  CALTECH")
    found = shown(page)
    assert "claim-ofer-13-weak-labels-help" in found
    for id in found:
        text = page.locator(f"#{id}").text_content().lower()
        assert "accuracy" in text
        assert "caltech" in text
    page.keyboard.press("Enter")  # sends nothing anywhere
    assert shown(page) == found
    page.keyboard.type(" nowhere-to-be-found")
    assert shown(page) == []


def test_a_choice_stands_in_the_address(page, verdicts):
    form = page.get_by_role("search", name="Claims")
    form.get_by_label("Verdict").select_option("in part")
    form.get_by_label("Words").fill("drug")
    found = shown(page)
    page.goto("about:blank")
    page.go_back()
    assert shown(page) == found
    assert 0 < len(found) < sum(word == "in part" for _, word in verdicts)
    assert form.get_by_label("Words").input_value() == "drug"


def test_filtered_conclusions_open(page):
    form = page.get_by_role("search", name="Claims")
    assert page.locator(".claim:visible").count() == 0
    form.get_by_label("Words").fill("caltech")
    assert page.locator(".claim:visible").count() == len(shown(page)) > 3
    form.get_by_label("Words").fill("")
    assert page.locator(".claim:visible").count() == 0


def test_two_clicks_lead_from_the_front_page_to_a_checked_claim(window):
    page = window.open(HTML / "00_overview.html", 1280, 720)
    page.get_by_role("link", name="Weak labels take the place of some of the full ones.").click()
    card = page.locator("#claim-ofer-10-weak-labels-help")
    card.locator("summary").click()
    text = card.inner_text()
    assert card.locator("summary").inner_text().startswith("◐ in part")
    assert card.locator(".axis .interval").first.is_visible()
    assert card.locator("table").is_visible()
    assert "Table 10" in text
    assert "make results ID=ofer-table-10 FRESH=1" in text
    assert card.get_by_role("link", name="the rows").get_attribute("href").endswith(".csv")


def test_a_card_opens_for_who_comes_by_a_link(page):
    page.goto(f"{CHAPTER.as_uri()}#claim-ofer-09-beats-ridge")
    assert page.locator("#claim-ofer-09-beats-ridge table").is_visible()


def test_claims_lead_to_the_cell_that_reads_their_table(pages, parsed):
    page = parsed(CHAPTER)
    links = {claim.id: page.find(id=f"claim-{claim.id}").a for claim in read_claims()}
    assert links["ofer-10-weak-labels-help"]["href"] == "06_4_2_weak_labels.html#ofer-table-10"
    for claim in read_claims():
        link = links[claim.id]
        if "#" not in link["href"] or link["href"].startswith(CHAPTER.name):
            continue
        name, _, anchor = link["href"].partition("#")
        chapter = parsed(HTML / name)
        # A cell that reads several tables carries the other names in empty elements.
        cell = chapter.select_one(f".cell#{anchor}, .cell:has(> span#{anchor})")
        assert f'"{anchor}"' in cell.find(class_="cell_input").text


def test_only_pages_with_claims_load_the_script(pages):
    texts = {page.name: page.read_text() for page in pages}
    loading = {name for name, text in texts.items() if "_static/claims/" in text}
    assert CHAPTER.name in loading
    assert loading == {name for name, text in texts.items() if "data-verdict=" in text}
