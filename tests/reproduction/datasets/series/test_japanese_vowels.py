"""Japanese vowels: a made-up file, and the real ones where present."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from reproduction.datasets import dataset_info
from reproduction.datasets.series.japanese_vowels import JAPANESE_VOWELS, fetch_japanese_vowels


def test_conversion(tmp_path):
    path = tmp_path / "vowels.ts"
    path.write_text("#comment: no\n@dimensions 2\n@data\n1.5,2:3,4:2\n-1:0.1:1\n")
    arrays = JAPANESE_VOWELS["train"].convert(lambda name: path)
    assert_allclose(arrays["X"], [[1.5, 3], [2, 4], [-1, 0.1]], rtol=1e-7)
    assert arrays["X"].dtype == np.float32
    assert_array_equal(arrays["lengths"], [2, 1])
    assert_array_equal(arrays["y"], [1, 0])


def test_bad_subset():
    with pytest.raises(ValueError, match="subset must be one of 'train', 'test'; got None"):
        fetch_japanese_vowels(None)


@pytest.mark.parametrize("subset", ["train", "test"])
def test_real_data(subset, need):
    need(f"japanese_vowels_{subset}")
    vowels = fetch_japanese_vowels(subset)
    lengths = [len(one) for one in vowels.sequences]
    size = f"{len(lengths)} series of {min(lengths)} to {max(lengths)} frames"
    assert dataset_info(f"japanese_vowels_{subset}").size == f"{size}, 12 columns, 9 classes"
    assert {one.shape[1] for one in vowels.sequences} == {12}
    assert len(np.unique(vowels.y)) == 9
    for part in ("substitute", "Cohn-Kanade", "Kudo", "BSD-3-Clause"):
        assert part in vowels.DESCR
