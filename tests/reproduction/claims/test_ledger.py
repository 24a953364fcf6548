from functools import cache

import pandas as pd
import pytest
import yaml

from reproduction.claims import Claim, decide, read_claims, scorecard
from reproduction.claims.decisions import VERDICTS
from reproduction.engine import get_experiment, list_experiments
from reproduction.paths import CHECKOUT, paper_dir
from reproduction.statistics import paired_t_test

ENTRY = {
    "id": "one",
    "paper": "djerrab2018",
    "place": "Table 9",
    "statement": "It is better.",
    "rule": "better",
    "chapter": "06_4_2_drug_activity",
    "arguments": {"table": "toy", "metric": "error", "method": "a", "than": ["b"]},
}


def write(tmp_path, *entries):
    path = tmp_path / "claims.yml"
    path.write_text(yaml.safe_dump(list(entries)))
    return path


def test_a_ledger_that_cannot_be_parsed_is_named(tmp_path):
    path = write(tmp_path, ENTRY)
    for damage in (b"- id: 'two", b"\xff"):
        path.write_bytes(path.read_bytes() + damage)
        with pytest.raises(ValueError, match=rf"^{path} is damaged \([^\n]+\): restore it"):
            read_claims(path)


def test_a_verdict_cannot_be_typed(tmp_path):
    with pytest.raises(ValueError, match=r"claim 'one' has wrong fields: .*'verdict'"):
        read_claims(write(tmp_path, ENTRY | {"verdict": "reproduced"}))


def test_bad_entries(tmp_path):
    with pytest.raises(ValueError, match=r"ids must differ; got 'one' twice"):
        read_claims(write(tmp_path, ENTRY, ENTRY))
    with pytest.raises(ValueError, match=r"rule of one must be one of .* got 'nicer'"):
        read_claims(write(tmp_path, ENTRY | {"rule": "nicer"}))
    path = write(tmp_path, ENTRY | {"arguments": {"table": "toy"}})
    with pytest.raises(ValueError, match=r"arguments of one must suit better: .*'metric'"):
        read_claims(path)
    with pytest.raises(ValueError, match=r"why of one must be by verdict, .*; got 'perhaps'"):
        read_claims(write(tmp_path, ENTRY | {"why": {"perhaps": "So."}}))


def test_decides_by_stored_results(stored):
    assert decide(Claim(**ENTRY)).verdict == "reproduced"
    card = scorecard([Claim(**ENTRY)])
    assert list(card.columns) == [
        "place", "statement", "verdict", "evidence", "chapter", "data", "ours"
    ]  # fmt: skip
    assert card.loc["one", "evidence"] == (
        "difference −67 % [−67 %]; p 0 (paired t-test, level 0.001)"
    )
    assert card.loc["one", "data"] == "generated"


@pytest.fixture
def stored(monkeypatch, declare):
    """A table of the toy in the ledger."""
    declare(id="toy")
    rows = [(m, "10", k, "error", v + k) for m, v in {"a": 0.0, "b": 1.0}.items() for k in (0, 1)]
    frame = pd.DataFrame(rows, columns=["method", "setting", "split", "metric", "value"])
    monkeypatch.setattr("reproduction.claims.ledger.load", lambda id, folder: (frame, {}))


def test_level_is_the_papers_or_a_twentieth_or_named(stored):
    assert decide(Claim(**ENTRY)).test.endswith("level 0.001")
    assert decide(Claim(**ENTRY | {"paper": "du2016"})).test.endswith("level 0.05")
    named = ENTRY | {"arguments": ENTRY["arguments"] | {"level": 0.01}}
    assert decide(Claim(**named)).test.endswith("level 0.01")


def test_undecided_without_its_table():
    decision = decide(Claim(**ENTRY))
    assert decision[:2] == ("undecided", "toy has not been re-run yet")


def test_overlapping_splits_get_the_corrected_test_without_a_further_entry(monkeypatch, declare):
    rows = [
        (m, "10", k, "error", v + k % 3) for m, v in {"a": 0.0, "b": 1.0}.items() for k in range(9)
    ]
    frame = pd.DataFrame(rows, columns=["method", "setting", "split", "metric", "value"])
    frame.loc[:2, "value"] += [0.5, 1.0, 0.75]
    monkeypatch.setattr("reproduction.claims.ledger.load", lambda id, folder: (frame, {}))
    declare(id="toy", n_splits="9", facts='Facts(test_train_ratio={"10": 4.0})')
    test = paired_t_test(frame, "a", "b", metric="error", test_train_ratio={"10": 4.0}).loc["10"]
    assert f"corrected {test['p_corrected']:.2g}" in decide(Claim(**ENTRY)).evidence


def test_undecided_without_a_method(stored):
    for name in ("method", "than", "control"):
        entry = ENTRY | {"arguments": ENTRY["arguments"] | {name: "c" if name != "than" else ["c"]}}
        assert decide(Claim(**entry))[:2] == ("undecided", "toy has no c yet")


def test_the_ledger_of_the_book(ledger):
    """Every claim can be decided, every table of a paper decides some, and chapters exist."""
    claims, card = ledger
    assert set(card["verdict"]) <= set(VERDICTS)
    assert len(card[~card["ours"]]) >= 140
    tested = [decide(claim) for claim in claims if "table" in claim.arguments]
    for decision in tested:
        assert decision.verdict == "undecided" or (decision.test and decision.effect)
    decided = {claim.arguments.get("table") for claim in claims}
    assert {id for id in list_experiments() if "-table-" in id} <= decided
    for claim in claims:
        open_ = card.loc[claim.id, "verdict"] in ("undecided", "not testable")
        assert open_ or (CHECKOUT / "notebooks" / f"{claim.chapter}.py").exists()


def test_bounds_that_the_text_gives_are_those_of_the_claims():
    said = pd.read_csv(paper_dir() / "notes" / "said.csv")
    by_id = {claim.id: claim.arguments for claim in read_claims()}
    for ids, method, setting in (
        (["ofer-11-forest-fails", "esann-2-forest"], "m-RF", "Caltech-101"),
        (["ofer-12-forest-fails"], "m-RF", "AwA"),
        (["smtgp-divergence-faster"], "simplified divergence", "equal means"),
        (["smtgp-divergence-faster-means"], "simplified divergence", "different means"),
    ):
        rows = said[(said["method"] == method) & (said["setting"] == setting)]
        assert len(rows) == len(ids)
        for row, id in zip(rows.itertuples(), ids, strict=True):
            bounds = by_id[id]
            assert bounds.get("high", row.high) == row.high
            low = bounds.get("low", bounds.get("at_least"))
            assert low is None or low == row.low


def test_whatever_a_claim_names_is_recomputed_when_code_changes():
    """A method that a rule names has a unit in the check slice of its table."""
    checked = cache(lambda id: {unit.method for unit in get_experiment(id).check_slice()})
    for claim in read_claims():
        if (id := claim.arguments.get("table")) is None:
            continue
        experiment = get_experiment(id)
        if claim.arguments.get("metric") in experiment.tolerance.timings:
            continue  # no two runs agree on a time
        given = claim.arguments.values()
        lists = (v if isinstance(v, list | dict) else [v] for v in given)
        named = {name for values in lists for name in values} & {*experiment.methods}
        assert named <= checked(id), claim.id


def test_every_claim_tells_the_reason_of_its_verdict_in_a_sentence(ledger):
    claims, card = ledger
    for claim in claims:
        assert [*claim.why] == [card.loc[claim.id, "verdict"]], claim.id
        (reason,) = claim.why.values()
        assert reason.endswith(".")
        assert 5 <= len(reason.split()) <= 30
