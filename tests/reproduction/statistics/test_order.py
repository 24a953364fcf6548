import numpy as np
import pandas as pd
import pytest

from reproduction.statistics import gap, least, most, steady, to_digits

EQUAL = [0.1 + 0.2, 0.3, 3 * 0.1]  # of three last bits two differ


@pytest.mark.parametrize("unit", [1e-200, 1e-9, 1.0, 1e9, 1e200])
def test_numbers_equal_up_to_roundoff_are_equal_in_any_unit(unit):
    assert len({*steady(unit * np.array(EQUAL))}) == 1
    assert len({*steady(unit * np.array([0.3, 0.3000001]))}) == 2


def test_numbers_beside_half_a_digit_are_equal():
    for digit in range(3, 14):
        half = 1 + 5 * 10.0**-digit
        assert len({*steady(half * (1 + np.array([-1e-15, 0.0, 1e-15])))}) == 1


def test_differences_that_are_roundoff_are_no_differences():
    assert not steady([0.1 + 0.2 - 0.3, 0.0, 1.0])[:2].any()
    for unit in (1e-9, -1.0, 1e9):
        a, b = unit * np.array([0.1 + 0.2, 1.0, 0.5, np.nan]), unit * np.array([0.3, 1.0, 0.5, 1.0])
        assert [*gap(a, b)[:3]] == [0.0, 0.0, 0.0]
        assert not np.signbit(gap(a, b)[:3]).any()
        assert [*gap(a, 2 * b)[:3]] == [*(a - 2 * b)[:3]]
        assert np.isnan(gap(a, b)[3])


def test_equal_ones_stay_in_the_order_of_their_rows():
    frame = pd.DataFrame({"value": [*EQUAL, 0.2]}, index=[*"cabd"])
    for sign in (1, -1):  # either way round
        moved = frame * (1 + sign * 1e-15 * np.arange(4)[:, None])
        assert [*moved.sort_values("value", key=steady, kind="stable").index] == [*"dcab"]


def test_of_equal_ones_the_first_is_least_and_most():
    numbers = dict(zip("cab", EQUAL, strict=True))
    assert least(numbers) == most(numbers) == "c"
    assert least(numbers | {"d": 0.2, "none": np.nan}) == "d"
    assert most([np.nan, 1.0, np.inf]) == 2


def test_what_is_not_finite_rounds_nothing_away():
    assert np.isfinite(steady([1e-310, 2e-310])).all()
    assert [*steady([np.inf, 0.25, -np.inf, 1e-3])] == [np.inf, 0.25, -np.inf, 1e-3]


def test_half_of_a_printed_digit_is_rounded_one_way():
    assert {f"{to_digits(1.875 + bit):.3g}" for bit in (-1e-15, 0.0, 1e-15)} == {"1.88"}
    assert to_digits(0.0) == 0.0
    assert np.isnan(to_digits(np.nan))
