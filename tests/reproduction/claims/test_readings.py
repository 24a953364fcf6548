"""Claims in every reading of a table."""

import numpy as np
import pandas as pd
import pytest

from reproduction.claims import Claim, cards_to_html, decide, effects_in_readings
from reproduction.claims.decisions import Decision, InReading
from reproduction.claims.readings import over_readings
from reproduction.statistics.effects import mean_effect

COLUMNS = ["method", "setting", "split", "metric", "value"]
CLAIM = {
    "id": "one", "paper": "p", "place": "Table 1", "statement": "a is better.", "rule": "better",
    "chapter": "06_1_protocol",
    "arguments": {
        "table": "toy-table", "metric": "error", "method": "a", "than": ["b"], "level": 0.05,
        "settings": ["1", "2"],
    },
}  # fmt: skip
FACTS = """Facts(readings=(Readings(
    of="toy-table",
    dimensions=(Dimension(name="kernel", words="-", options=("linear", "Gaussian"), why="-"),
                Dimension(name="bias", words="-", options=("no", "yes"), why="-")),
    choices=(("linear", "no"), ("linear", "yes"), ("Gaussian", "no")),
    labels={"a": "A, {kernel}, {bias}"}),))"""


def rows(method, setting, value, n_splits=6):
    """Values with a spread that is the method's own."""
    step = 0.02 if method == "b" else 0.01
    return [(method, setting, k, "error", value + step * (k % 3)) for k in range(n_splits)]


@pytest.fixture
def folder(tmp_path, monkeypatch, declare):
    """Of the table "toy-table", which another one reads with the method "a" in three ways."""
    monkeypatch.setenv("OFER_RESULTS", str(tmp_path))
    declare(id="toy-table", methods='("a", "b")', settings='("1", "2")', n_splits="6")
    methods = tuple(f"A, {kernel}" for kernel in ("linear, no", "linear, yes", "Gaussian, no"))
    declare(id="toy-readings", methods=repr(methods), settings='("1",)', n_splits="6", facts=FACTS)
    own = [r for s in "12" for m, v in (("a", 1.0), ("b", 2.0)) for r in rows(m, s, v)]
    store(tmp_path, "toy-table", own)
    return tmp_path


def store(folder, id, found):
    pd.DataFrame(found, columns=COLUMNS).to_csv(folder / f"{id}.csv", index=False)
    (folder / f"{id}.json").write_text('{"duration_s": 1.0}')


def read_again(folder, *values):
    names = ("A, linear, no", "A, linear, yes", "A, Gaussian, no")
    found = [r for name, v in zip(names, values, strict=True) for r in rows(name, "1", v)]
    store(folder, "toy-readings", found)
    return decide(Claim(**CLAIM))


def test_without_stored_readings_the_table_decides(folder):
    decision = decide(Claim(**CLAIM))
    assert decision.outcome == "holds"
    assert decision.readings == ()


@pytest.mark.parametrize(
    ("values", "outcome", "said"),
    [
        ((1.0, 1.1, 1.2), "holds", "in 3 readings of the paper: holds in all"),
        (
            (1.0, 1.1, 3.0),
            "depends on the reading",
            "holds in 2, does not hold in 1 (Gaussian, no); kernel decides",
        ),
        (
            (1.0, 3.0, 3.0),
            "depends on the reading",
            "does not hold in 2, holds in 1 (linear, no); kernel and bias decide",
        ),
    ],
)
def test_a_claim_in_every_reading(folder, values, outcome, said):
    decision = read_again(folder, *values)
    assert decision.outcome == outcome
    assert said in decision.in_words()
    assert [one.choice for one in decision.readings][:2] == [{}, {"kernel": "linear", "bias": "no"}]
    # The reading has one row of two.
    assert [len(one.decision.rows) for one in decision.readings] == [2, 1, 1, 1]
    assert decision.by_decider["this book"] == outcome


def test_a_claim_on_other_methods_stays(folder):
    read_again(folder, 1.0, 3.0, 3.0)
    arguments = CLAIM["arguments"] | {"method": "b", "than": ["b"]}
    assert decide(Claim(**CLAIM | {"arguments": arguments})).readings == ()


def test_a_reading_of_two_methods_has_the_units_of_both(folder, declare):
    facts = """Facts(readings=(Readings(
        of="toy-table",
        dimensions=(Dimension(name="scale", words="-", options=("one", "raw"), why="-"),),
        choices=(("one",), ("raw",)), labels={"a": "A, {scale}", "b": "B, {scale}"}),))"""
    declare(
        id="toy-readings",
        methods='("A, raw", "B, raw")',
        settings='("1", "2")',
        n_splits="6",
        methods_of='{"2": ("B, raw",)}',
        facts=facts,
    )
    found = [*rows("A, raw", "1", 3.0), *rows("B, raw", "1", 2.0), *rows("B, raw", "2", 0.5)]
    store(folder, "toy-readings", found)
    (reading,) = decide(Claim(**CLAIM)).readings[1:]
    assert [(row.name, round(row.value, 1)) for row in reading.decision.rows] == [("1", 0.5)]


def test_a_claim_on_a_method_that_readings_change_and_lack_stays(folder, declare):
    facts = FACTS.replace('"A, {kernel}, {bias}"}', '"A, {kernel}, {bias}"}, missing=("b",)')
    methods = tuple(f"A, {kernel}" for kernel in ("linear, no", "linear, yes", "Gaussian, no"))
    declare(id="toy-readings", methods=repr(methods), settings='("1",)', n_splits="6", facts=facts)
    assert read_again(folder, 1.0, 3.0, 3.0).readings == ()


def test_a_reading_of_one_split_decides_nothing(folder):
    """Of a table of several: a test cannot see what varies between splits in one of them."""
    names = ("A, linear, no", "A, linear, yes", "A, Gaussian, no")
    store(folder, "toy-readings", [r for name in names for r in rows(name, "1", 3.0, n_splits=1)])
    decision = decide(Claim(**CLAIM))
    assert decision.outcome == "holds"
    assert decision.readings == ()


def test_a_card_has_a_line_a_reading(folder):
    read_again(folder, 3.0, 1.1, 1.2)
    html = cards_to_html([Claim(**CLAIM)])
    assert "The paper leaves open: kernel and bias" in html
    assert html.index("linear, yes") < html.index("linear, no")  # sorted by the effect


def test_no_axis_is_needed():
    plain = Decision("undecided", "")
    found = over_readings(plain, [InReading({"a": "b"}, Decision("holds", ""))])
    assert found.outcome == "depends on the reading"


def test_effects_for_a_specification_curve(folder):
    read_again(folder, 1.0, 1.1, 1.2)
    options = {"setting": "1", "metric": "error", "level": 0.05}
    effects, choices = effects_in_readings("toy-table", ["a"], "b", **options)
    assert list(choices.columns) == ["method", "kernel", "bias"]
    assert list(choices["bias"]) == ["no", "yes", "no"]
    a, b = (np.array([value for *_, value in rows(m, "1", v)]) for m, v in (("A", 1.2), ("b", 2.0)))
    expected = mean_effect(a - b, unit=b.mean() / 100, level=0.05)
    np.testing.assert_allclose(effects.iloc[2, :4].astype(float), expected[:4])
    twice = effects_in_readings("toy-table", ["a"], "b", **options | {"setting": ["1", "1"]})[0]
    assert list(twice["setting"]) == ["1"] * 6
    assert list(twice["value"][::2]) == list(twice["value"][1::2]) == list(effects["value"])


def test_effects_in_the_readings_of_two_experiments(folder, declare):
    """What one of them does not vary has the default option; their common default stands once."""
    facts = """Facts(readings=(Readings(
        of="toy-table",
        dimensions=(Dimension(name="choice", words="-", options=("rank", "share"), why="-"),),
        choices=(("rank",), ("share",)), labels={"a": "A, {choice}"}),))"""
    declare(
        id="toy-readings-choice",
        methods='("A, share",)',
        settings='("1",)',
        n_splits="6",
        facts=facts,
    )
    read_again(folder, 1.0, 1.1, 1.2)
    store(folder, "toy-readings-choice", rows("A, share", "1", 1.6))
    options = {"setting": "1", "metric": "error", "level": 0.05}
    effects, choices = effects_in_readings("toy-table", ["a"], "b", **options)
    assert list(choices["choice"]) == ["rank", "rank", "rank", "share"]
    assert list(choices["kernel"]) == ["linear", "linear", "Gaussian", "linear"]
    assert effects["value"].iloc[3] == pytest.approx(100 * (1.61 / 2.02 - 1))
    alone = effects_in_readings("toy-table", ["a"], "b", within=["toy-readings-choice"], **options)
    assert list(alone[1]["choice"]) == ["rank", "share"]
    assert list(alone[1].columns) == ["method", "choice"]
