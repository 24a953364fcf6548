import numpy as np
import pandas as pd
import pytest

from reproduction.statistics import least, most, steady

EQUAL = [0.1 + 0.2, 0.3, 3 * 0.1]  # of three last bits two differ


@pytest.mark.parametrize("unit", [1e-200, 1e-9, 1.0, 1e9, 1e200])
def test_numbers_equal_up_to_roundoff_are_equal_in_any_unit(unit):
    assert len({*steady(unit * np.array(EQUAL))}) == 1
    assert len({*steady(unit * np.array([0.3, 0.3000001]))}) == 2


def test_differences_that_are_roundoff_are_no_differences():
    assert not steady([0.1 + 0.2 - 0.3, 0.0, 1.0])[:2].any()


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
