from dataclasses import replace

import pandas as pd
import pytest
from bs4 import BeautifulSoup

from reproduction.claims import (
    Claim,
    conclusions_to_html,
    count_by_conclusion,
    describe_cells,
    describe_verdicts,
    read_conclusions,
    scorecard,
)


@pytest.mark.parametrize(
    ("verdicts", "sentence"),
    [
        (["reproduced"], "Of 1 claim 1 is reproduced."),
        (["in part", "not reproduced"], "Of 2 claims 1 in part, 1 is not reproduced."),
        (["not reproduced"] * 3, "Of 3 claims 3 are not reproduced."),
        (
            ["undecided", "not testable", "inconclusive", "inconclusive"],
            "Of 4 claims 2 are inconclusive, 1 is not testable, 1 is undecided.",
        ),
        (
            ["reproduced", "in part", "in part", "not reproduced", "inconclusive"],
            "Of 5 claims 1 is reproduced, 2 in part, 1 is not reproduced; 1 is inconclusive.",
        ),
    ],
)
def test_verdicts_in_a_sentence(verdicts, sentence):
    assert describe_verdicts(verdicts) == sentence


def test_cells_in_a_sentence():
    cells = pd.DataFrame({"ratio": [0.49, 0.91, 1.09, 2.1]})
    assert describe_cells(cells, tolerance=0.05).startswith("Of 4 cells 0 lie within 5 % of the")
    assert describe_cells(cells).startswith("Of 4 cells 2 lie within 10 % of the printed figure, 2")
    assert describe_cells(cells[:0]) == ""


def claim(id, reason):
    return Claim(
        id=id,
        paper="p",
        place="Section 1",
        statement=f"A < {id}.",
        rule="not_testable",
        chapter="none",
        arguments={"reason": reason},
    )


def test_claims_go_to_the_first_conclusion_that_names_them():
    claims = [claim(id, "why") for id in ("a-1", "a-2", "b-1")]
    html = conclusions_to_html(claims, {"First.": ["a-1"], "Second.": ["a-*"]})
    paragraphs = BeautifulSoup(html, "html.parser").find_all("p")
    assert [p.strong.text for p in paragraphs] == ["First.", "Second.", "Other claims."]
    links = [[a["href"] for a in p.find_all("a")] for p in paragraphs]
    assert links == [["#claim-a-1"], ["#claim-a-2"], ["#claim-b-1"]]
    assert paragraphs[0].a.text == "A < a-1"


def test_a_named_claim_goes_where_its_id_stands():
    claims = [claim(id, "why") for id in ("a-1", "a-2")]
    html = conclusions_to_html(claims, {"All.": ["a-*"], "One.": ["a-1"]})
    paragraphs = BeautifulSoup(html, "html.parser").find_all("p")
    assert [p.a.text for p in paragraphs] == ["A < a-2", "A < a-1"]


def test_counts_by_conclusion_and_data():
    claims = [claim("a-1", "why"), claim("a-2", "why"), replace(claim("a-3", "why"), ours=True)]
    card = scorecard(claims)
    counts = count_by_conclusion(claims, card, {"All.": ["a-*"]})
    assert counts.loc[("All.", "none"), "not testable"] == counts.to_numpy().sum() == 2


def test_every_claim_of_the_book_bears_on_a_conclusion(ledger):
    conclusions = read_conclusions()
    claims, card = ledger
    for paper, own in conclusions.items():
        of_paper = [claim for claim in claims if claim.paper == paper]
        counts = count_by_conclusion(of_paper, card, own)
        assert set(counts.index.get_level_values(0)) == set(own)
        assert counts.to_numpy().sum() == sum(not claim.ours for claim in of_paper)


def test_a_conclusion_without_claims_is_an_error():
    with pytest.raises(ValueError, match=r"conclusions must name ids of claims; got 'c-\*'"):
        conclusions_to_html([claim("a-1", "why")], {"First.": ["c-*"]})


def test_a_paper_without_claims():
    assert conclusions_to_html([]) == "<p>No claim of this paper stands in the ledger.</p>"


def test_claims_of_ours_are_named_and_not_counted():
    claims = [claim("a-1", "why"), replace(claim("a-2", "why"), ours=True)]
    text = BeautifulSoup(conclusions_to_html(claims), "html.parser").p.text
    assert "Of 1 claim 1 is not testable." in text
    assert "A < a-1; A < a-2 (ours)." in text


def test_every_claim_of_the_book_stands_under_its_verdict(ledger):
    claims, card = ledger
    claims = [claim for claim in claims if claim.paper == "djerrab2018"]
    words = {
        "Reproduced:": "reproduced",
        "In part:": "in part",
        "Not reproduced:": "not reproduced",
    }
    words |= {"Inconclusive:": "inconclusive", "Not re-run yet:": "undecided"}
    verdicts = card.loc[[claim.id for claim in claims], "verdict"]
    paragraph = BeautifulSoup(conclusions_to_html(claims), "html.parser").p
    shown = {}
    for link in paragraph.find_all("a"):
        word = link.find_previous("em").text
        shown[link["href"].removeprefix("#claim-")] = words.get(word, "not testable")
    assert shown == verdicts.to_dict()
