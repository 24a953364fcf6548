"""Spoken Arabic digits: a made-up file, and the real ones where present."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from reproduction.datasets import dataset_info
from reproduction.datasets.series.spoken_arabic_digits import (
    SPOKEN_ARABIC_DIGITS,
    fetch_spoken_arabic_digits,
)


def test_conversion(tmp_path):
    """Frames in lines, utterances between blank ones; 40 of each of two digits."""
    blocks = [f"{i / 10} 0.0012\n" * (1 + i % 3) for i in range(80)]
    path = tmp_path / "digits.txt"
    path.write_text("            \n" + "            \n".join(blocks))
    arrays = SPOKEN_ARABIC_DIGITS["train"].convert(lambda name: path, per_digit=40)
    assert_array_equal(arrays["lengths"], 1 + np.arange(80) % 3)
    assert_array_equal(arrays["X_q"][:, 1], 2)
    assert_array_equal(np.unique(arrays["X_q"][:, 0]), 200 * np.arange(80))
    assert_array_equal(arrays["y"], np.repeat([0, 1], 40))
    assert_array_equal(arrays["is_female"], np.tile(np.repeat([0, 1], 20), 2))
    assert_array_equal(arrays["speaker"], np.tile(np.repeat([0, 1, 2, 3], 10), 2))


def test_bad_subset():
    with pytest.raises(ValueError, match="subset must be one of 'train', 'test'; got 'all'"):
        fetch_spoken_arabic_digits("all")


@pytest.mark.parametrize("subset", ["train", "test"])
def test_real_data(subset, need):
    need(f"spoken_arabic_digits_{subset}")
    digits = fetch_spoken_arabic_digits(subset)
    lengths = [len(one) for one in digits.sequences]
    size = f"{len(lengths)} series of {min(lengths)} to {max(lengths)} frames, 13 columns"
    speakers = len(np.unique(digits.speaker))
    expected = f"{size}, 10 classes, {speakers} speakers"
    assert dataset_info(f"spoken_arabic_digits_{subset}").size == expected
    assert {one.shape[1] for one in digits.sequences} == {13}
    assert_array_equal(np.bincount(digits.y), len(lengths) // 10)
    assert_array_equal(np.bincount(digits.speaker), 100)  # ten of each digit
    assert digits.is_female.mean() == 0.5
    assert digits.sequences[0].dtype == np.float64
    for part in ("fixed division", "Hammami", "0.0005", "faithful"):
        assert part in digits.DESCR
