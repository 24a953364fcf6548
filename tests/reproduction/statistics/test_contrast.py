import numpy as np
import pandas as pd
import pytest

from reproduction.statistics import Contrast, mean_table, paired_t_test

COLUMNS = ["method", "setting", "split", "metric", "value"]


def table(values, *, metric="error"):
    """Table of results from a mapping of (method, setting) to the values of the splits."""
    rows = [
        (method, setting, split, metric, float(value))
        for (method, setting), column in values.items()
        for split, value in enumerate(column)
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


# Differences a - b: -2, -3, -4 at 20, so t = -3 sqrt(3) with two degrees of freedom, and
# p = 1 - t / sqrt(t^2 + 2) = 1 - sqrt(27 / 29) = 0.035; at 10 they are 1, -1, 0, and p = 1.
VALUES = {
    ("a", "20"): [1, 2, 3],
    ("b", "20"): [3, 5, 7],
    ("c", "20"): [1, 2, 3],
    ("a", "10"): [5, 5, 6],
    ("b", "10"): [4, 6, 6],
    ("d", "10"): [4, 5, 6],
}


@pytest.fixture
def errors():
    return Contrast(table(VALUES), "error", level=0.05)


def test_by_hand(errors):
    p = 1 - np.sqrt(27 / 29)
    assert errors.better("a", than="b", only=["20"])
    assert errors.worse("b", than="a", only=["20"])
    assert errors.apart("b", "a", only=["20"])
    assert errors.apart("a", "b", only=1)
    assert errors.better("a", than="b", at=["20"])
    assert errors.better("a", than="b", at="10", only=[])
    assert errors.better("a", than="b", only="20")
    assert errors.worse("a", than="b", only=[])
    assert errors.better("a", than="b", level=p + 1e-9, at=["20"])
    assert errors.better("a", than="b", level=p - 1e-9, only=[])


def test_larger_may_be_better():
    accuracy = Contrast(table(VALUES), "error", level=0.05, larger_is_better=True)
    assert accuracy.worse("a", than="b", only=["20"])
    assert accuracy.ahead("b", of="a", by=(2.9, 3.1), at=["20"])
    assert accuracy.best("b", at=["20"])


def test_the_test_is_that_of_the_project(errors):
    frame = table(VALUES)
    frame = frame[frame["method"].isin(["a", "b"])]
    found = errors.tests("a", "b")
    expected = paired_t_test(frame, "a", "b", metric="error", level=0.05)
    pd.testing.assert_frame_equal(found, expected)
    assert list(errors.tests("a", "c").index) == ["20"]  # where both are


def test_corrected_by_hand():
    # With ratio 2/3, t = -3 / sqrt(1/3 + 2/3) = -3, and p = 1 - 3 / sqrt(11) = 0.095.
    options = {"test_train_ratio": {"20": 2 / 3}, "level": 0.05}
    errors = Contrast(table(VALUES), "error", **options)
    assert errors.better("a", than="b", at=["20"])
    assert errors.better("a", than="b", at=["20"], corrected=True, only=[])
    assert errors.better("a", than="b", at=["20"], corrected=True, level=0.0955)
    with pytest.raises(ValueError, match="needs a test_train_ratio of every setting"):
        errors.better("a", than="b", corrected=True)
    sound = Contrast(table(VALUES), "error", corrected=True, **options)
    assert sound.better("a", than="b", at=["20"], only=[])
    assert sound.better("a", than="b", at=["20"], corrected=False)


def test_equal_methods_are_not_apart(errors):
    assert errors.apart("a", "c", only=[])
    assert errors.ahead("a", of="c", only=[])
    assert errors.ahead("c", of="a", only=[])
    assert errors.best("a", only=[])  # a tie has no best


def test_means(errors):
    expected = pd.DataFrame(
        [[2, 5, 2, np.nan], [16 / 3, 16 / 3, np.nan, 5]], index=["20", "10"], columns=[*"abcd"]
    )
    pd.testing.assert_frame_equal(errors.means, expected, check_names=False)
    assert errors.deviations.loc["20", "b"] == 2
    assert list(errors.by_split.loc["10", "d"]) == [4, 5, 6]
    assert list(errors.by_split.index[:3]) == [("20", 0), ("20", 1), ("20", 2)]
    printed = table(VALUES).rename(columns={"value": "mean"}).query("split == 0")
    assert mean_table(printed, "error").loc["20"].tolist()[:3] == [1, 3, 1]


def test_order_of_means(errors):
    assert errors.ahead("a", of="b", only=["20"])
    assert errors.ahead("a", of=["b", "c"], at=["20"], by=-1)
    assert errors.ahead("a", of="b", at=["20"], by=2.9)
    assert errors.best("d", only=["10"])
    assert errors.best("a", without=["c"], only=["20"])
    assert errors.order("a", "b", at=["20"])
    with pytest.raises(AssertionError, match="mean of b is better than that of a"):
        errors.order("a", "b", "a", at=["20"])


def test_changes_are_relative_to_the_same_split(errors):
    changes = errors.changes("a", "b")
    assert list(changes.index) == ["20", "10"]
    np.testing.assert_allclose(changes["20"], 100 * ((1 / 3 + 2 / 5 + 3 / 7) / 3 - 1))
    np.testing.assert_allclose(changes["10"], 100 * ((5 / 4 + 5 / 6 + 6 / 6) / 3 - 1))


def test_differences_have_stars(errors):
    cells = errors.starred([("a", "b"), ("a", "c")], digits=1)
    assert cells.loc["a − b"].to_dict() == {"20": "-3.0 *", "10": "+0.0"}
    assert cells.loc["a − c"].to_dict() == {"20": "+0.0", "10": ""}
    sound = Contrast(table(VALUES), "error", level=0.05, corrected=True, test_train_ratio=2 / 3)
    assert sound.starred([("a", "b")], digits=0).loc["a − b", "20"] == "-3"


def test_tests_are_listed():
    options = {"level": 0.05, "test_train_ratio": 2 / 3}
    listed = Contrast(table(VALUES), "error", **options).listed([("a", "b")], digits=1, both=True)
    assert list(listed.index) == [("a − b", "20"), ("a − b", "10")]
    assert listed.iloc[0].to_dict() == {
        "difference": "-3.0", "p": "0.04", "significant": "yes",
        "p, corrected": "0.1", "significant, corrected": "no",
    }  # fmt: skip


def test_several_methods_are_taken_each_with_each(errors):
    assert errors.better(["a", "c"], than="b", at=["20"])
    assert errors.worse("b", than=["a", "c"], at=["20"])
    with pytest.raises(AssertionError, match="c is better than a"):
        errors.better("c", than=["b", "a"], at=["20"])


def test_what_is_not_true_is_said_with_the_numbers(errors):
    with pytest.raises(
        AssertionError, match=r"(?s)a is better than b .*: at \['20'\], not at .*-3"
    ):
        errors.better("a", than="b")
    with pytest.raises(AssertionError, match="not at 2 settings"):
        errors.better("a", than="b", only=2)
    with pytest.raises(AssertionError, match=r"not at \[\]"):
        errors.better("a", than="b", only=[])
    with pytest.raises(AssertionError, match=r"(?s)a has the best mean: at \[\].*5\.33"):
        errors.best("a", only=["10"])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda e: e.better("a", than="e"), r"methods must be among .*; got \['e'\]"),
        (lambda e: e.ahead("e", of="b"), r"methods must be among .*; got \['e'\]"),
        (lambda e: e.best("e"), r"methods must be among .*; got \['e'\]"),
        (lambda e: e.best("a", without=["e"]), r"methods must be among .*; got \['e'\]"),
        (lambda e: e.better("a", than="b", at=["30"]), r"settings must be among .*\['30'\]"),
        (lambda e: e.best("a", at=["30"]), r"settings must be among .*\['30'\]"),
        (lambda e: e.better("a", than="b", only=["30"]), r"only must be among .*\['30'\]"),
        (lambda e: e.better("c", than="d"), "c and d have no setting in common"),
        (lambda e: e.better("a", than=[]), r"a sentence needs methods; got \['a'\] and \[\]"),
        (lambda e: e.ahead([], of="b"), r"a sentence needs methods; got \[\] and \['b'\]"),
        (lambda e: e.order("a"), r"an order needs two methods or more; got \['a'\]"),
        (lambda e: e.better("a", than="b", at=[]), "a and b have no setting in common"),
        (lambda e: e.best("a", at=[]), "there is no setting of which to say that a has the best"),
    ],
)
def test_what_is_missing_is_named(errors, call, message):
    with pytest.raises(ValueError, match=message):
        call(errors)


def test_one_split_has_no_test():
    errors = Contrast(table({("a", "10"): [1], ("b", "10"): [2]}), "error")
    assert errors.ahead("a", of="b")
    with pytest.raises(ValueError, match="at least two, in setting 10"):
        errors.better("a", than="b")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"metric": "loss"}, r"metric must be one of \['error'\]; got 'loss'"),
        ({"metric": "error", "level": 1.0}, "level must be between 0 and 1; got 1.0"),
    ],
)
def test_bad_argument_is_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        Contrast(table(VALUES), **arguments)
