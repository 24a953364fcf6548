import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from reproduction.statistics import paired_t_test
from reproduction.statistics.effects import MOST_OVERLAP
from reproduction.statistics.two_way import two_way_effect


def table(values, *, metric="error"):
    """Table of results from a mapping of (method, setting) to the values of the splits."""
    rows = [
        (method, setting, split, metric, float(value))
        for (method, setting), column in values.items()
        for split, value in enumerate(column)
    ]
    return pd.DataFrame(rows, columns=["method", "setting", "split", "metric", "value"])


@pytest.fixture
def frame():
    rng = np.random.default_rng(0)
    return table(
        {(m, s): rng.normal(k, 1, size=10) for k, m in enumerate("abc") for s in ("100", "20")}
    )


def test_student_equals_scipy(frame):
    tests = paired_t_test(frame, "a", "b", metric="error", level=0.05)
    assert list(tests.index) == ["100", "20"]
    for setting, test in tests.iterrows():
        values = frame[frame["setting"] == setting].pivot(
            index="split", columns="method", values="value"
        )
        reference = stats.ttest_rel(values["a"], values["b"])
        np.testing.assert_allclose(test["t"], reference.statistic)
        np.testing.assert_allclose(test["p"], reference.pvalue)
        np.testing.assert_allclose(test["difference"], (values["a"] - values["b"]).mean())
        assert test["significant"] == (reference.pvalue < 0.05)


def test_corrected_by_hand():
    # d = 1, 2, 3: mean 2, variance 1. With ratio 2/3: t = 2 / sqrt(1/3 + 2/3) = 2.
    # Two degrees of freedom: P(|T| > t) = 1 - t / sqrt(t^2 + 2).
    frame = table({("a", "10"): [2, 4, 6], ("b", "10"): [1, 2, 3]})
    test = paired_t_test(frame, "a", "b", metric="error", test_train_ratio=2 / 3).loc["10"]
    np.testing.assert_allclose(test["t"], 2 * np.sqrt(3))
    np.testing.assert_allclose(test["t_corrected"], 2)
    np.testing.assert_allclose(test["p_corrected"], 1 - 2 / np.sqrt(6))


values = st.lists(st.integers(-1000, 1000).map(lambda i: i / 100), min_size=6, max_size=6)


@settings(deadline=None, max_examples=30)
@given(a=values, b=values, scale=st.sampled_from([1e-3, 0.5, 2.0, 1e4]), shift=st.integers(-5, 5))
def test_invariances(a, b, scale, shift):
    a, b = np.array(a), np.array(b)

    def test(a, b):
        frame = table({("a", "10"): a, ("b", "10"): b})
        return paired_t_test(frame, "a", "b", metric="error").loc["10"]

    reference = test(a, b)
    swapped, scaled, shifted = test(b, a), test(scale * a, scale * b), test(a + shift, b + shift)
    reordered = test(a[::-1], b[::-1])
    np.testing.assert_allclose(swapped["t"], -reference["t"], atol=1e-9)
    for other in (swapped, scaled, shifted, reordered):
        np.testing.assert_allclose(abs(other["t"]), abs(reference["t"]), rtol=1e-6, atol=1e-9)
        np.testing.assert_allclose(other["p"], reference["p"], rtol=1e-6)
    np.testing.assert_allclose(scaled["difference"], scale * reference["difference"], atol=1e-9)


@pytest.mark.parametrize(
    ("a", "b", "t", "p"),
    [
        ([0.1, 0.2, 0.3], [0.1, 0.2, 0.3], 0.0, 1.0),
        ([0.1, 0.1, 0.1], [0.1, 0.1, 0.1], 0.0, 1.0),
        ([0.0, 0.0, 0.0], [0.0, 0.0, 0.0], 0.0, 1.0),
        # 0.3 - 0.2 is not 0.2 - 0.1 in floating point
        ([0.2, 0.3, 0.9], [0.1, 0.2, 0.8], np.inf, 0.0),
        ([0.1, 0.2, 0.8], [0.2, 0.3, 0.9], -np.inf, 0.0),
    ],
)
def test_no_variance(a, b, t, p):
    frame = table({("a", "10"): a, ("b", "10"): b})
    test = paired_t_test(frame, "a", "b", metric="error", test_train_ratio=1.0).loc["10"]
    assert (test["t"], test["p"]) == (t, p)
    assert (test["t_corrected"], test["p_corrected"]) == (t, p)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"method": "d"}, r"method must be one of \['a', 'b', 'c'\]; got 'd'"),
        ({"level": 0.0}, "level must be between 0 and 1; got 0.0"),
        ({"test_train_ratio": {"20": 1.0}}, "test_train_ratio has no value for setting '100'"),
    ],
)
def test_bad_argument_is_named(frame, arguments, message):
    with pytest.raises(ValueError, match=message):
        paired_t_test(frame, **{"method": "a", "reference": "b", "metric": "error"} | arguments)


def test_splits_must_be_shared():
    frame = table({("a", "10"): [1, 2, 3], ("b", "10"): [1, 2]})
    with pytest.raises(ValueError, match=r"a and b must share the same splits, .* setting 10"):
        paired_t_test(frame, "a", "b", metric="error")
    single = table({("a", "10"): [1], ("b", "10"): [2]})
    with pytest.raises(ValueError, match="at least two"):
        paired_t_test(single, "a", "b", metric="error")


def test_overlap_counts_no_more_than_two_splits_can_share():
    """With few training samples the test set over the training set says little."""
    rng = np.random.default_rng(0)
    rows = [(m, "10", k, "error", v) for m in "ab" for k, v in enumerate(rng.normal(size=8))]
    frame = pd.DataFrame(rows, columns=["method", "setting", "split", "metric", "value"])
    many, bound = (
        paired_t_test(frame, "a", "b", metric="error", test_train_ratio=ratio).loc["10"]
        for ratio in (90.0, MOST_OVERLAP)
    )
    assert many["p_corrected"] == bound["p_corrected"]


def test_values_without_groups_of_objects_make_the_test_two_way():
    rng = np.random.default_rng(1)
    losses = {m: rng.normal(size=(6, 1)) + rng.normal(size=(6, 20)) for m in "ab"}
    without = {m: (v.sum(axis=1, keepdims=True) - v) / 19 for m, v in losses.items()}
    columns = ["method", "setting", "split", "metric"]
    frame = pd.DataFrame(
        [(m, "10", k, "error", v[k].mean()) for m, v in losses.items() for k in range(6)],
        columns=[*columns, "value"],
    )
    groups = pd.DataFrame(
        [(m, "10", k, "error", *v[k]) for m, v in without.items() for k in range(6)],
        columns=[*columns, *map(str, range(20))],
    )
    options = {"metric": "error", "test_train_ratio": 2.0, "train_share": {"10": 0.1}}
    found = paired_t_test(frame, "a", "b", groups=groups, **options).loc["10", "p_corrected"]
    gap = losses["a"].mean(axis=1) - losses["b"].mean(axis=1)
    expected = two_way_effect(gap, without["a"] - without["b"], shared=0.1)
    np.testing.assert_allclose(found, expected.p)
    other = groups[groups["method"] == "a"]  # of one method alone there is nothing to compare
    again = paired_t_test(frame, "a", "b", groups=other, **options).loc["10", "p_corrected"]
    assert again == paired_t_test(frame, "a", "b", **options).loc["10", "p_corrected"]
