import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reproduction.statistics import repeated_splits


@st.composite
def arguments(draw):
    n_samples = draw(st.integers(2, 60))
    n_pool = draw(st.integers(1, n_samples - 1))
    return {
        "n_samples": n_samples,
        "n_splits": draw(st.integers(1, 4)),
        "train_fraction": n_pool / n_samples,
        "train_sizes": draw(st.lists(st.integers(1, n_pool), max_size=3)),
        "random_state": draw(st.integers(0, 2**32)),
    }, n_pool


@settings(deadline=None, max_examples=30)
@given(arguments())
def test_partition(case):
    arguments, n_pool = case
    splits = repeated_splits(**arguments)
    assert len(splits) == arguments["n_splits"]
    for split in splits:
        assert len(split.train_pool) == n_pool
        together = np.concatenate([split.train_pool, split.test])
        np.testing.assert_array_equal(np.sort(together), np.arange(arguments["n_samples"]))


@settings(deadline=None, max_examples=30)
@given(arguments())
def test_training_subsets_are_nested_and_leave_the_rest(case):
    arguments, n_pool = case
    for split in repeated_splits(**arguments):
        smaller = set()
        for size in range(1, n_pool + 1):
            train, rest = set(split.train(size)), set(split.rest(size))
            assert len(train) == size
            assert smaller < train
            assert train | rest == set(split.train_pool)
            assert not train & rest
            smaller = train


@settings(deadline=None, max_examples=30)
@given(arguments())
def test_split_depends_on_its_number_and_the_seed_only(case):
    arguments, _ = case
    few = repeated_splits(**arguments)
    many = repeated_splits(**arguments | {"n_splits": 6, "train_sizes": []})
    for a, b in zip(few, many[: len(few)], strict=True):
        np.testing.assert_array_equal(a.train_pool, b.train_pool)
        np.testing.assert_array_equal(a.test, b.test)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"n_samples": 0}, "n_samples must be an int, at least 1; got 0"),
        ({"random_state": -1}, "random_state must be an int, not negative; got -1"),
        ({"train_fraction": 1.0}, "train_fraction must be between 0 and 1; got 1.0"),
        ({"train_fraction": 0.01}, "leaves a training pool of 0 and a test set of 10"),
        ({"train_sizes": [2, 7]}, "size must be an int between 1 and 6, .* got 7"),
    ],
)
def test_bad_argument_is_named(changes, message):
    arguments = {
        "n_samples": 10,
        "n_splits": 2,
        "train_fraction": 0.6,
        "train_sizes": [2],
        "random_state": 0,
    }
    with pytest.raises(ValueError, match=message):
        repeated_splits(**arguments | changes)
