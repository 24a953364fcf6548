import pytest

from reproduction.claims import (
    Claim,
    read_conclusions,
)
from reproduction.claims.conclusions import by_conclusion


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


def test_every_claim_of_the_book_bears_on_a_conclusion(ledger):
    claims, _ = ledger
    for paper, conclusions in read_conclusions().items():
        groups = by_conclusion([claim for claim in claims if claim.paper == paper], conclusions)
        assert [*groups] == [*conclusions]
        assert all(groups.values())


def test_a_conclusion_without_claims_is_an_error():
    with pytest.raises(ValueError, match=r"conclusions must name ids of claims; got 'c-\*'"):
        by_conclusion([claim("a-1", "why")], {"First.": ["c-*"]})
