"""Character trajectories: two made-up letters, and the real ones where present."""

import numpy as np
from numpy.testing import assert_array_equal
from scipy.io import savemat

from reproduction.datasets import dataset_info
from reproduction.datasets.series.character_trajectories import (
    CHARACTER_TRAJECTORIES,
    fetch_character_trajectories,
)


def test_bunch(put):
    letters = put(
        CHARACTER_TRAJECTORIES,
        X=np.arange(15, dtype="<f4").reshape(5, 3),
        lengths=np.array([2, 3], "<i2"),
        n_zero_lead=np.array([0, 1], "<i2"),
        n_zero_trail=np.array([4, 0], "<i2"),
        y=np.array([1, 0], np.int8),
        class_names=np.array(["a", "b"]),
    ).fetch()
    assert_array_equal(letters.sequences[0], [[0, 1, 2], [3, 4, 5]])
    assert_array_equal(letters.sequences[1], [[6, 7, 8], [9, 10, 11], [12, 13, 14]])
    assert letters.sequences[0].dtype == np.float64
    assert_array_equal(letters.class_names[letters.y], ["b", "a"])
    for part in ("200 frames a second", "Half of the 2858", "Williams", "CC BY 4.0"):
        assert part in letters.DESCR


def test_conversion(tmp_path):
    """Zeros are removed at the ends of a series, and only there."""
    cells = np.empty((1, 2), dtype=object)
    cells[0, 0] = np.array([[0, 1.5, 0, 2, 0, 0], [0, 0, 0, 3, 0, 0], [0, 0, 0, 4, 0, 0]])
    cells[0, 1] = np.ones((3, 1))
    key = np.empty((1, 2), dtype=object)
    key[0] = "a", "b"
    savemat(tmp_path / "x.mat", {"xtrain": cells, "ytrain": [[2, 1]], "key": key})
    arrays = CHARACTER_TRAJECTORIES.convert(lambda name: tmp_path / "x.mat")
    assert_array_equal(arrays["X"], [[1.5, 0, 0], [0, 0, 0], [2, 3, 4], [1, 1, 1]])
    assert_array_equal(arrays["lengths"], [3, 1])
    assert_array_equal(arrays["n_zero_lead"], [1, 0])
    assert_array_equal(arrays["n_zero_trail"], [2, 0])
    assert_array_equal(arrays["y"], [1, 0])
    assert_array_equal(arrays["class_names"], ["a", "b"])


def test_real_data(need):
    need("character_trajectories")
    letters = fetch_character_trajectories()
    lengths = [len(one) for one in letters.sequences]
    size = f"{len(lengths)} series of {min(lengths)} to {max(lengths)} frames"
    assert dataset_info("character_trajectories").size == f"{size}, 3 columns, 20 classes"
    assert {one.shape[1] for one in letters.sequences} == {3}
    assert round(np.mean(lengths)) == 121
    counts = np.bincount(letters.y)
    assert (len(counts), counts.min(), counts.max()) == (20, 57, 96)
    assert all(one[[0, -1]].any(axis=1).all() for one in letters.sequences)
