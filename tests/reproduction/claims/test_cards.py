"""Cards of claims: what a referee finds on one."""

from dataclasses import replace

import pytest
from bs4 import BeautifulSoup

from reproduction.claims import (
    cards_to_html,
    conclusions_to_html,
    read_conclusions,
    read_papers,
)


def parsed(html):
    return BeautifulSoup(html, "html.parser")


def card_of(claim, **folders):
    (card,) = parsed(cards_to_html([claim], **folders)).find_all("details", class_="claim")
    return card


def place(mark):
    """Where a mark begins on its axis, in percent."""
    return float(mark["style"].partition("left:")[2].partition("%")[0])


def test_card_of_one_claim(claim, folders):
    card = card_of(claim, **folders)
    assert (card["id"], card["data-paper"], card["data-verdict"]) == ("claim-one", "p", "in part")
    assert card.summary.text == "◐ in part a & b."
    assert "p: Table <1>; generated data." in card.text
    assert "paired t-test, level 0.05. holds at 10; refuted at 20" in card.text
    assert "better (level 0.05)" in card.text
    assert "make results ID=a-table-01 FRESH=1" in card.text
    assert [len(row.find_all(["th", "td"])) for row in card.table.find_all("tr")] == [4, 4, 4]
    links = [link["href"] for link in card.find_all("a")]
    assert links == [
        "06_1_protocol.html",  # which does not show this table
        "91_scorecard.html#rule-better",
        "results/a-table-01.csv",
    ]


def test_an_axis_has_a_line_a_row(claim, folders):
    names = [one.text for one in card_of(claim, **folders).select(".axes > :nth-child(3n+1)")]
    assert names == ["● 10", "○ 20"]
    low, high = (
        axis.find(class_="ours") for axis in card_of(claim, **folders).find_all(class_="axis")
    )
    assert place(low) < place(high)
    for axis in card_of(claim, **folders).find_all(class_="axis"):
        assert place(axis.find(class_="interval")) <= place(axis.find(class_="ours"))


def test_a_reason_is_told_for_its_verdict_alone(claim, folders):
    told = replace(claim, why={"in part": "Because & so.", "reproduced": "No."})
    text = card_of(told, **folders).text
    assert "Because & so." in text
    assert "No." not in text


def test_a_bar_counts_the_papers_claims(claim, folders):
    claims = [claim, replace(claim, id="two", ours=True)]
    page = parsed(cards_to_html(claims, {"So.": ["*"]}, **folders))
    (conclusion,) = page.find_all("details", class_="conclusion")
    assert conclusion.summary.text.strip() == "So. 0 of 1 claims ◐ 1"
    assert len(conclusion.find_all("details", class_="claim")) == 2


@pytest.mark.parametrize("paper", read_papers())
def test_the_ledger_of_the_book(ledger, paper):
    """Every claim has a card in one conclusion, the verdict of the scorecard, and axes."""
    claims, card = ledger
    own = [claim for claim in claims if claim.paper == paper]
    page = parsed(cards_to_html(own, read_conclusions()[paper]))
    cards = {one["id"]: one for one in page.select("details.conclusion > details.claim")}
    assert {*cards} == {f"claim-{claim.id}" for claim in own}
    for claim in own:
        found = cards[f"claim-{claim.id}"]
        assert found["data-verdict"] == card.loc[claim.id, "verdict"]
        without = claim.rule in ("asserted", "not_testable")
        assert (found.find(class_="axes") is None) == without
        for mark in found.select(".axis > i"):
            assert 0 <= place(mark) <= 100
    goals = {one["id"]: one.find("a")["href"] for one in cards.values()}
    if paper == "djerrab2018":
        assert goals["claim-ofer-10-weak-labels-help"] == "06_4_2_weak_labels.html#ofer-table-10"
        assert goals["claim-ofer-cvae-fails"] == "06_5_classification.html"


def test_conclusions_lead_to_their_cards(ledger):
    claims, _ = ledger
    conclusions = read_conclusions()
    page = parsed(conclusions_to_html(claims, conclusions))
    ids = {
        one["id"]
        for paper, own in conclusions.items()
        for one in parsed(
            cards_to_html([claim for claim in claims if claim.paper == paper], own)
        ).select("details.conclusion")
    }
    assert {link["href"].partition("#")[2] for link in page.find_all("a")} == ids
    counted = sum(int(one.text.split()[1]) for one in page.select(".bar > span[title]"))
    assert counted == sum(not claim.ours for claim in claims)
