import numpy as np
import pytest

from reproduction.claims.decisions import Comparison, judge
from reproduction.statistics.effects import Effect

BELOW = (-np.inf, 0.0)


def comparison(row, low, high, claimed=BELOW, needed=7.0):
    effect = Effect((low + high) / 2, low, high, 0.03, 0.4, 5, needed)
    return Comparison(row, effect, BELOW, claimed)


def decide(*comparisons):
    return judge(comparisons, test="a test", what="difference", show="{:.1f}".format)


HOLDS, OPEN, FAILS = comparison("a", -2, -1), comparison("b", -2, 1), comparison("c", 1, 2)


@pytest.mark.parametrize(
    ("comparisons", "verdict"),
    [
        ([HOLDS], "reproduced"),
        ([HOLDS, OPEN], "in part"),
        ([HOLDS, FAILS], "in part"),
        ([OPEN], "inconclusive"),
        ([OPEN, FAILS], "not reproduced"),
        ([FAILS], "not reproduced"),
    ],
)
def test_verdicts(comparisons, verdict):
    assert decide(*comparisons).verdict == verdict


def test_a_row_needs_all_its_comparisons():
    second = HOLDS._replace(row="b")
    assert decide(HOLDS, second, OPEN).verdict == "in part"
    assert decide(HOLDS, FAILS._replace(row="a")).verdict == "not reproduced"


def test_an_interval_can_exclude_the_claimed_size():
    near_zero = (-0.2, 0.1)
    assert decide(comparison("a", *near_zero)).verdict == "inconclusive"
    assert decide(comparison("a", *near_zero, claimed=(-np.inf, -1.0))).verdict == "not reproduced"
    # What is significant holds, however small it is.
    small = comparison("a", -0.2, -0.1, claimed=(-np.inf, -1.0))
    assert decide(small).verdict == "reproduced"


def test_what_is_said():
    found = decide(HOLDS, OPEN)
    assert found.effect == "difference -1.5 to -0.5"
    assert found.interval == "-2.0 to 1.0"
    assert found.evidence == (
        "holds at a; cannot be decided at b; p up to 0.03, corrected 0.4; 7 splits would decide"
    )
    assert found.in_words() == (f"difference -1.5 to -0.5 [-2.0 to 1.0]; {found.evidence} (a test)")
    assert decide(HOLDS, HOLDS._replace(row="z")).evidence.startswith("holds at all 2 rows; p")


@pytest.mark.parametrize(
    ("one", "said"),
    [
        (comparison("a", -1, 0.5, needed=np.inf), "more than ten thousand splits would decide"),
        (comparison("a", -0.5, 1), "not all estimates are where the claim puts them"),
        (
            Comparison("a", Effect(-1, *[np.nan] * 4, 1, np.nan), BELOW, BELOW),
            "a single split decides nothing",
        ),
    ],
)
def test_why_it_is_open(one, said):
    found = decide(one)
    assert found.verdict == "inconclusive"
    assert found.evidence.endswith(said)


def test_rows_stand_on_an_axis_as_their_texts_do():
    """A scale that turns the order round turns intervals, bounds and printed sizes round."""
    one = comparison("a", -2, -1)._replace(printed=-1.5)
    (plain,) = judge([one], test="", what="", show="{:.1f}".format).rows
    assert plain[:4] == ("a", "holds", "-1.5", "-2.0, -1.0")
    assert plain[4:] == (-1.5, -2, -1, BELOW, -1.5)
    (turned,) = judge([one], test="", what="", show="{:.1f}".format, scale=lambda x: -x).rows
    assert turned[2:4] == ("1.5", "1.0, 2.0")
    assert turned[4:] == (1.5, 1, 2, (0, np.inf), 1.5)
