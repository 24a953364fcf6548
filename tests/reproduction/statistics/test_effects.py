import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from reproduction.statistics.effects import (
    deviation_effect,
    mean_effect,
    rate_effect,
    share_effect,
    spread_effect,
)

VALUES = [0.3, -0.1, 0.4, 0.2, 0.5]


def test_mean_is_student_against_a_bound():
    effect = mean_effect(VALUES, bound=0.1, level=0.05)
    expected = stats.ttest_1samp(VALUES, 0.1)
    assert effect.p == pytest.approx(expected.pvalue)
    assert (effect.low, effect.high) == pytest.approx(tuple(expected.confidence_interval()))
    assert np.isnan(effect.p_corrected)


def test_interval_of_a_standard_deviation_covers_it():
    rng = np.random.default_rng(0)
    effects = [deviation_effect(rng.normal(scale=2.0, size=10), level=0.1) for _ in range(500)]
    assert np.mean([effect.low <= 2 <= effect.high for effect in effects]) == pytest.approx(
        0.9, abs=0.04
    )
    ps = [deviation_effect(rng.normal(size=10), bounds=(0, 1)).p for _ in range(500)]
    assert np.mean(np.array(ps) < 0.1) == pytest.approx(0.1, abs=0.04)
    assert np.isnan(deviation_effect(np.ones(4)).p)


def test_correction_by_hand():
    # Values 1, 2, 3 and a ratio of 2/3: t = 2, with two degrees of freedom.
    effect = mean_effect([1.0, 2.0, 3.0], overlap=2 / 3)
    assert effect.p_corrected == pytest.approx(1 - 2 / np.sqrt(6))


@given(st.floats(0.05, 3.0), st.sampled_from([0.05, 1e-3]))
def test_so_many_splits_would_decide_and_one_less_would_not(gap, level):
    def p_of(n):
        """P of n values with this mean and the standard deviation one."""
        values = np.linspace(-1, 1, n)
        values = (values - values.mean()) / values.std(ddof=1) + gap
        return mean_effect(values, level=level).p

    needed = mean_effect([gap - np.sqrt(0.5), gap + np.sqrt(0.5)], level=level).needed
    n = int(needed)
    assert p_of(n) < level
    assert n == 2 or p_of(n - 1) >= level


@pytest.mark.parametrize(("values", "p"), [([0.0, 0.0], 1.0), ([1.0, 1.0], 0.0)])
def test_without_spread(values, p):
    effect = mean_effect(values, overlap=1.0)
    assert (effect.p, effect.p_corrected, effect.low) == (p, p, values[0])


def test_spread_and_its_interval_agree_with_the_test():
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 12)) * [[1.0], [2.0]]
    effect = spread_effect(a, b)
    assert effect.value == pytest.approx(a.std() / b.std())
    # The interval holds the bounds that the test does not reject.
    for bound in (effect.low, effect.high):
        assert spread_effect(a, b, bound=bound).p == pytest.approx(0.05)
    swapped = spread_effect(b, a)
    assert (swapped.low, swapped.high) == pytest.approx((1 / effect.high, 1 / effect.low))


def test_shares_by_hand():
    # 20 and 30 of 100: the error of the difference is sqrt(0.2 * 0.8 + 0.3 * 0.7) / 10.
    effect = share_effect(20.0, 30.0, 100)
    error = 10.0 * np.sqrt(0.37)
    assert effect.p == pytest.approx(2 * stats.norm.sf(10.0 / error))
    assert effect.high == pytest.approx(-10.0 + stats.norm.isf(0.025) * error)
    assert share_effect(20.0, 30.0, 100 * int(effect.needed)).p < 0.05
    assert share_effect(20.0, 30.0, 100 * (int(effect.needed) - 1)).p >= 0.05


def test_rate_is_the_exact_binomial_test():
    effect = rate_effect(10.0, 50, bound=20.0)
    assert effect.p == pytest.approx(stats.binomtest(5, 50, 0.2).pvalue)
    assert effect.low < 10.0 < effect.high
