"""Spoken Arabic digits: a made-up file, and the real ones where present."""

from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from ofer.datasets import DataUnavailableError, dataset_info, fetch_spoken_arabic_digits
from ofer.datasets import _spoken_arabic_digits as module
from ofer.datasets._cache import fetch_arrays


def test_conversion(tmp_path):
    """Frames in lines, utterances between blank ones; 40 of each of two digits."""
    blocks = [f"{i / 10} 0.0012\n" * (1 + i % 3) for i in range(80)]
    path = tmp_path / "digits.txt"
    path.write_text("            \n" + "            \n".join(blocks))
    arrays = module._convert(lambda name: path, file="any", per_digit=40)
    assert_array_equal(arrays["lengths"], 1 + np.arange(80) % 3)
    assert_array_equal(arrays["X_q"][:, 1], 2)
    assert_array_equal(np.unique(arrays["X_q"][:, 0]), 200 * np.arange(80))
    assert_array_equal(arrays["y"], np.repeat([0, 1], 40))
    assert_array_equal(arrays["is_female"], np.tile(np.repeat([0, 1], 20), 2))
    assert_array_equal(arrays["speaker"], np.tile(np.repeat([0, 1, 2, 3], 10), 2))


def test_bad_subset():
    with pytest.raises(ValueError, match="subset must be one of 'train', 'test'; got 'all'"):
        fetch_spoken_arabic_digits("all")


def test_missing_file(tmp_path):
    with pytest.raises(DataUnavailableError, match=r"Test_Arabic_Digit\.txt.*OFER_DATA"):
        fetch_spoken_arabic_digits("test", data_home=tmp_path, download_if_missing=False)


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


@pytest.mark.parametrize("subset", ["train", "test"])
def test_conversion_of_the_real_files(subset, unprepared):
    home, dataset = (
        unprepared(f"spoken_arabic_digits_{subset}"),
        module.SPOKEN_ARABIC_DIGITS[subset],
    )
    convert = partial(
        module._convert, file=dataset.upstream[0].name, per_digit=module._PER_DIGIT[subset]
    )
    arrays = fetch_arrays(dataset, convert, home=home, download_if_missing=False)
    assert arrays.keys() == dataset.checksums.keys()
