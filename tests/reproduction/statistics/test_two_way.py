"""The paired test over splits and objects."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from reproduction.statistics.two_way import two_way, two_way_effect

K, G = 8, 30


def without_each(losses):
    """Means of the rows, and of the rows without each column."""
    n = losses.shape[1]
    return losses.mean(axis=1), (losses.sum(axis=1, keepdims=True) - losses) / (n - 1)


def test_a_balanced_table_by_hand():
    """Every split tests every object: two-way analysis of variance."""
    rng = np.random.default_rng(0)
    losses = rng.normal(size=(K, 1)) + 2 * rng.normal(size=(1, G)) + rng.normal(size=(K, G))
    found = two_way(*without_each(losses), shared=0.2)
    of_splits = losses.mean(axis=1).var(ddof=1) / K
    of_objects = losses.mean(axis=0).var(ddof=1) / G
    of_both = sum(row.var(ddof=1) / G for row in losses) / K**2
    tested = (of_objects - of_both) * K / (K - 1)
    trained = 0.2 * losses.mean(axis=1).var(ddof=1)
    share = 0.8 * of_splits / (of_splits + of_objects)
    others = of_splits + share * (trained + 2 * np.sqrt(trained * tested))
    expected = others + tested
    np.testing.assert_allclose(
        expected**2 / found.degrees, others**2 / (K - 1) + tested**2 / (G - 1)
    )
    np.testing.assert_allclose(found.error**2, expected)
    np.testing.assert_allclose(found.mean, losses.mean())


def test_objects_that_add_nothing_leave_students_test():
    values = np.random.default_rng(1).normal(size=K)
    groups = np.repeat(values[:, None], G, axis=1)
    effect = two_way_effect(values, groups, level=0.05)
    student = stats.ttest_1samp(values, 0.0)
    low, high = student.confidence_interval(0.95)
    np.testing.assert_allclose(effect[:4], [values.mean(), low, high, student.pvalue])


def test_splits_that_agree_leave_the_test_of_objects():
    objects = np.random.default_rng(2).normal(size=G)
    losses = np.repeat(objects[None], K, axis=0)
    found = two_way(*without_each(losses))
    np.testing.assert_allclose(found.error, stats.sem(objects))
    np.testing.assert_allclose(found.degrees, G - 1)


@given(st.floats(1e-9, 1e9), st.integers(0, 2**31))
def test_units_order_and_sign_do_not_matter(unit, seed):
    rng = np.random.default_rng(seed)
    values, groups = without_each(rng.normal(size=(K, G)))
    effect = two_way_effect(values, groups, shared=0.1)
    rows, columns = rng.permutation(K), rng.permutation(G)
    moved = -unit * values[rows], -unit * groups[np.ix_(rows, columns)]
    again = two_way_effect(*moved, shared=0.1, unit=-unit)
    np.testing.assert_allclose(again[:4], effect[:4], rtol=1e-6, atol=1e-9)


def test_it_is_the_interval_of_its_test():
    values, groups = without_each(np.random.default_rng(3).normal(1.0, size=(K, G)))
    effect = two_way_effect(values, groups, level=0.01)
    for end in (effect.low, effect.high):
        np.testing.assert_allclose(two_way_effect(values, groups, bound=end).p, 0.01)


def test_many_at_once():
    losses = np.random.default_rng(5).normal(size=(3, K, G))
    values, groups = (np.array(part) for part in zip(*map(without_each, losses), strict=True))
    found = two_way(values, groups, shared=0.3)
    for place in range(3):
        one = two_way(values[place], groups[place], shared=0.3)
        np.testing.assert_allclose([part[place] for part in found], one)


def test_no_spread_has_no_interval():
    effect = two_way_effect(np.ones(K), np.ones((K, G)))
    assert effect.value == 1.0
    assert np.isnan([effect.low, effect.high, effect.p]).all()


@pytest.mark.parametrize(
    ("values", "groups", "options", "match"),
    [
        (np.ones(3), np.ones((2, 4)), {}, r"groups must be of shape \(K, G\)"),
        (np.ones(3), np.ones((3, 1)), {}, r"got \(3, 1\) and \(3,\)"),
        (np.ones(1), np.ones((1, 4)), {}, "of two splits"),
        (np.ones(3), np.ones(3), {}, "groups must be"),
        (np.ones(3), np.ones((3, 4)), {"shared": 1.0}, "shared must be at least 0 and below 1"),
    ],
)
def test_faults(values, groups, options, match):
    with pytest.raises(ValueError, match=match):
        two_way(values, groups, **options)


@pytest.mark.parametrize("share", [0.05, 0.5, 0.95])
def test_it_keeps_its_level_whatever_varies(share):
    """Ten splits of forty groups of five objects, of which each tests two fifths."""
    rng = np.random.default_rng(6)
    n_repetitions, n_splits, n_groups = 4000, 10, 40
    tested = np.argsort(rng.random((n_splits, 5 * n_groups)), axis=1) < 2 * n_groups
    objects = rng.normal(size=(n_repetitions, 1, 5 * n_groups)) * tested
    sums = objects.reshape(n_repetitions, n_splits, n_groups, 5).sum(axis=3)
    sizes = tested.reshape(n_splits, n_groups, 5).sum(axis=2)
    whole, size = sums.sum(axis=2, keepdims=True), sizes.sum(axis=1, keepdims=True)
    training = rng.normal(size=(n_repetitions, n_splits, 1)) * np.sqrt(1 - share)
    scale = np.sqrt(share * 2 * n_groups)
    values = training + scale * whole / size
    groups = training + scale * (whole - sums) / (size - sizes)
    found = two_way(values[..., 0], groups)
    p = 2 * stats.t.sf(np.abs(found.mean) / found.error, found.degrees)
    assert 0.05 * 2 / 3 < np.mean(p < 0.05) < 0.05 * 4 / 3
    student = stats.ttest_1samp(values[..., 0], 0.0, axis=1).pvalue
    assert (np.mean(student < 0.05) > 0.1) == (share > 0.1)
