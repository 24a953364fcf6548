import numpy as np
import pytest

from reproduction.claims.decisions import Comparison, combine, combine_readings, judge
from reproduction.statistics.effects import Effect

BELOW = (-np.inf, 0.0)


def comparison(row, low, high, printed=np.nan, needed=7.0):
    effect = Effect((low + high) / 2, low, high, 0.03, 0.4, 5, needed)
    return Comparison(row, effect, BELOW, printed)


def decide(*comparisons):
    return judge(comparisons, test="a test", level=0.05, what="difference", show="{:.1f}".format)


HOLDS, OPEN, FAILS = comparison("a", -2, -1), comparison("b", -2, 1), comparison("c", 1, 2)


@pytest.mark.parametrize(
    ("comparisons", "outcome"),
    [
        ([HOLDS], "holds"),
        ([HOLDS, OPEN], "holds in part"),
        ([HOLDS, FAILS], "holds in part"),
        ([OPEN], "undecided"),
        ([OPEN, FAILS], "does not hold"),
        ([FAILS], "does not hold"),
    ],
)
def test_outcomes(comparisons, outcome):
    assert decide(*comparisons).outcome == outcome


def test_a_row_needs_all_its_comparisons():
    second = HOLDS._replace(row="b")
    assert decide(HOLDS, second, OPEN).outcome == "holds in part"
    assert decide(HOLDS, FAILS._replace(row="a")).outcome == "does not hold"


def test_an_interval_can_exclude_the_printed_size():
    near_zero = (-0.2, 0.1)
    found = decide(comparison("a", *near_zero, printed=-1.0))
    assert found.outcome == "undecided"
    assert found.by_decider["printed sizes"] == "does not hold"
    inside = decide(comparison("a", *near_zero, printed=-0.1))
    assert inside.by_decider["printed sizes"] == "undecided"
    # What is significant holds, however small it is.
    small = comparison("a", -0.2, -0.1, printed=-1.0)
    assert decide(small).by_decider["printed sizes"] == "holds"


def test_what_is_said():
    found = decide(HOLDS, OPEN)
    assert found.effect == "difference -1.5 to -0.5"
    assert found.interval == "-2.0 to 1.0"
    assert found.evidence == "largest p 0.03, allowing for overlap 0.4; 7 splits would decide"
    assert found.in_words() == (
        "difference -1.5 to -0.5 [-2.0 to 1.0]; holds at a; undecided at b; "
        f"{found.evidence} (a test)"
    )
    assert "; holds at all 2 rows; largest p" in decide(HOLDS, HOLDS._replace(row="z")).in_words()


@pytest.mark.parametrize(
    ("one", "said"),
    [
        (comparison("a", -1, 0.5, needed=np.inf), "more than ten thousand splits would decide"),
        (comparison("a", -0.5, 1), "allowing for overlap 0.4"),
        (
            Comparison("a", Effect(-1, *[np.nan] * 4, 1, np.nan), BELOW),
            "a single split decides nothing",
        ),
    ],
)
def test_why_it_is_open(one, said):
    found = decide(one)
    assert found.outcome == "undecided"
    assert found.evidence.endswith(said)


def test_rows_stand_on_an_axis_as_their_texts_do():
    """A scale that turns the order round turns intervals, bounds and printed sizes round."""
    one = comparison("a", -2, -1)._replace(printed=-1.5)
    (plain,) = judge([one], test="", level=0.05, what="", show="{:.1f}".format).rows
    assert plain[:6] == ("a", "", "holds", "-1.5", "-2.0, -1.0", "-1.5")
    assert plain[6:] == (-1.5, -2, -1, BELOW, -1.5)
    (turned,) = judge(
        [one], test="", level=0.05, what="", show="{:.1f}".format, scale=lambda x: -x
    ).rows
    assert turned[3:6] == ("1.5", "1.0, 2.0", "1.5")
    assert turned[6:] == (1.5, 1, 2, (0, np.inf), 1.5)


@pytest.mark.parametrize(
    ("parts", "whole"),
    [
        (["holds", "holds"], "holds"),
        (["holds", "not testable"], "holds"),
        (["holds", "undecided"], "holds in part"),
        (["holds in part", "does not hold"], "holds in part"),
        (["undecided", "does not hold"], "does not hold"),
        (["undecided", "undecided"], "undecided"),
        (["not testable"], "not testable"),
        (["not comparable", "undecided"], "undecided"),
        (["not comparable", "not testable"], "not comparable"),
        (["depends on the reading", "undecided"], "depends on the reading"),
        (["depends on the reading", "holds"], "holds in part"),
    ],
)
def test_a_whole_by_its_parts(parts, whole):
    assert combine(parts) == combine(reversed(parts)) == whole


@pytest.mark.parametrize(
    ("readings", "whole"),
    [
        (["holds", "holds"], "holds"),
        (["holds", "undecided"], "depends on the reading"),
        (["holds in part", "does not hold"], "depends on the reading"),
        (["holds", "holds in part"], "holds in part"),
        (["undecided", "does not hold"], "undecided"),
        (["does not hold", "does not hold"], "does not hold"),
        (["does not hold", "not comparable"], "does not hold"),
        (["not comparable", "not testable"], "not comparable"),
    ],
)
def test_an_outcome_over_readings(readings, whole):
    assert combine_readings(readings) == combine_readings(reversed(readings)) == whole


def test_a_row_that_says_nothing_has_no_part_in_the_outcome():
    nothing = FAILS._replace(says_nothing="other data")
    found = decide(HOLDS, nothing)
    assert found.outcome == "holds"
    assert found.rows[1].outcome == "not comparable"
    assert "not comparable at c: other data" in found.evidence
    assert decide(nothing).outcome == "not comparable"
