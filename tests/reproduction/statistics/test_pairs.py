import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from reproduction.statistics import mcnemar_range


def test_ends_by_hand():
    # Of 10 objects 5 and 2 are wrong: the pairs are 3 and 0, 4 and 1, or 5 and 2.
    found = mcnemar_range(5, 2, 10)
    ps = [stats.binomtest(k, k + k + 3, 0.5).pvalue for k in range(3)]
    assert found == pytest.approx((min(ps), max(ps)))


@given(st.data())
def test_every_pairing_lies_inside(data):
    n = data.draw(st.integers(1, 40))
    a, b = (np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n))) for _ in range(2))
    only_a, only_b = int((a & ~b).sum()), int((b & ~a).sum())
    p = stats.binomtest(only_a, only_a + only_b, 0.5).pvalue if only_a + only_b else 1.0
    found = mcnemar_range(int(a.sum()), int(b.sum()), n)
    assert found.least - 1e-9 <= p <= found.greatest + 1e-9


@pytest.mark.parametrize(
    ("wrong", "answer"),
    [((90, 143), "differ"), ((111, 108), "open"), ((100, 112), "hangs on the pairs")],
)
def test_what_is_known(wrong, answer):
    assert mcnemar_range(*wrong, 2200).says(0.05) == answer


@pytest.mark.parametrize("wrong", [(-1, 0), (0, 11)])
def test_counts_must_fit(wrong):
    with pytest.raises(ValueError, match="wrong_"):
        mcnemar_range(*wrong, 10)
