import pandas as pd
import pytest

from reproduction.claims import (
    Claim,
    describe_cells,
    read_conclusions,
)
from reproduction.claims.conclusions import by_conclusion


def test_cells_in_a_sentence():
    cells = pd.DataFrame({"ratio": [0.49, 0.91, 1.09, 2.1]})
    assert describe_cells(cells, tolerance=0.05).startswith("0 of 4 printed numbers are within 5 %")
    assert describe_cells(cells).startswith("2 of 4 printed numbers are within 10 % of ours, 2 ")
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


def ids(groups):
    return {text: [claim.id for claim in own] for text, own in groups.items()}


def test_claims_go_to_the_first_conclusion_that_names_them():
    claims = [claim(id, "why") for id in ("a-1", "a-2", "b-1")]
    groups = by_conclusion(claims, {"First.": ["a-1"], "Second.": ["a-*"]})
    assert ids(groups) == {"First.": ["a-1"], "Second.": ["a-2"], "Other claims.": ["b-1"]}


def test_a_named_claim_goes_where_its_id_stands():
    claims = [claim(id, "why") for id in ("a-1", "a-2")]
    groups = by_conclusion(claims, {"All.": ["a-*"], "One.": ["a-1"]})
    assert ids(groups) == {"All.": ["a-2"], "One.": ["a-1"]}


def test_every_claim_of_the_book_bears_on_a_conclusion(ledger):
    claims, _ = ledger
    for paper, conclusions in read_conclusions().items():
        groups = by_conclusion([claim for claim in claims if claim.paper == paper], conclusions)
        assert [*groups] == [*conclusions]
        assert all(groups.values())


def test_a_conclusion_without_claims_is_an_error():
    with pytest.raises(ValueError, match=r"conclusions must name ids of claims; got 'c-\*'"):
        by_conclusion([claim("a-1", "why")], {"First.": ["c-*"]})
