"""The ledger for machines."""

import json
from collections import Counter

import pytest
from jsonschema import Draft202012Validator

from reproduction.claims import claims_as_json
from reproduction.paths import CHECKOUT


@pytest.fixture(scope="module")
def validator():
    path = CHECKOUT / "book" / "_static" / "claims" / "claims.schema.json"
    return Draft202012Validator(json.loads(path.read_text(encoding="utf-8")))


def test_the_ledger_fits_its_schema_and_the_scorecard(ledger, validator):
    claims, card = ledger
    document = json.loads(json.dumps(claims_as_json(claims), allow_nan=False))
    assert [error.message for error in validator.iter_errors(document)] == []
    reviews = document["@graph"]
    assert [review["identifier"] for review in reviews] == [claim.id for claim in claims]
    outcomes = Counter(review["reviewRating"]["alternateName"] for review in reviews)
    assert outcomes == Counter(card["outcome"])
    forms = [review["forrt"] for review in reviews]
    confirmed = sum(form["validationStatus"] == "Validated" for form in forms)
    assert confirmed == outcomes["holds"] == sum("cito:confirms" in review for review in reviews)
    # What another reading contradicts is not said with high confidence.
    open_to_reading = [
        form["confidenceLevel"]
        for form, review in zip(forms, reviews, strict=True)
        if review["reviewRating"]["alternateName"] == "depends on the reading"
    ]
    assert open_to_reading
    assert "HighConfidence" not in open_to_reading


def test_another_outcome_does_not_fit(ledger, validator):
    claims, _ = ledger
    document = claims_as_json(claims[:1])
    document["@graph"][0]["reviewRating"]["alternateName"] = "reproduced"
    assert not validator.is_valid(document)
