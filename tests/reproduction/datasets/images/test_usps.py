"""USPS: two made-up pictures, and the real files where present."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest

from reproduction.datasets import DataUnavailableError, dataset_info
from reproduction.datasets.images.usps import USPS, fetch_usps


def test_bunch(put):
    pixels = np.arange(512, dtype="<i2").reshape(2, 256) - 1000
    digits = put(
        USPS,
        pixels_milli=pixels,
        y=np.array([3, 9], np.int8),
        is_official_test=np.array([0, 1], np.int8),
        half_train_idx=np.array([1], "<i2"),
        half_test_idx=np.array([0], "<i2"),
    ).fetch()
    assert digits.images.min() == -1.0
    middle = digits.images[:, 6:10, 6:10]
    np.testing.assert_array_equal(digits.Y, middle.reshape(2, 16))
    np.testing.assert_array_equal(digits.images[:, digits.border_mask], digits.X)
    np.testing.assert_array_equal(digits.images[:, digits.centre_mask], digits.Y)
    np.testing.assert_array_equal(digits.train, [1])
    np.testing.assert_array_equal(digits.test, [0])
    np.testing.assert_array_equal(digits.target, [3, 9])
    for part in ("faithful", "Hull", "9298", "4 x 4"):
        assert part in digits.DESCR


def test_without_h5py(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "h5py", None)
    with pytest.raises(DataUnavailableError, match=r"pip install h5py.*OFER_DATA"):
        fetch_usps(data_home=tmp_path, download_if_missing=False)


class FakeFile(dict):
    """As h5py's, a mapping whose data sets are read by ``[()]``."""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass


def test_conversion(monkeypatch):
    rng = np.random.default_rng(0)
    milli = rng.integers(-1000, 1001, size=(6, 256))
    stored = ((milli / 1000 + 1) / 2).astype(np.float32)
    digits = np.arange(6, dtype="<i4")
    parts = {"test": slice(4, 6), "train": slice(0, 4)}  # in the order of the alphabet, as in h5
    file = FakeFile(
        {name: {"data": stored[rows], "target": digits[rows]} for name, rows in parts.items()}
    )
    monkeypatch.setitem(sys.modules, "h5py", SimpleNamespace(File=lambda path, mode: file))
    arrays = USPS.convert(lambda name: name)
    np.testing.assert_array_equal(arrays["pixels_milli"], milli)
    np.testing.assert_array_equal(arrays["y"], digits)
    np.testing.assert_array_equal(arrays["is_official_test"], [0, 0, 0, 0, 1, 1])
    both = np.concatenate([arrays["half_train_idx"], arrays["half_test_idx"]])
    np.testing.assert_array_equal(np.sort(both), np.arange(6))
    assert len(arrays["half_train_idx"]) == 3


def test_real_data(need):
    need("usps")
    digits = fetch_usps()
    assert digits.X.shape == (9298, 240)
    assert digits.Y.shape == (9298, 16)
    assert dataset_info("usps").size == "9298 pictures, 240 inputs, 16 outputs"
    assert (digits.images.min(), digits.images.max()) == (-1.0, 1.0)
    both = np.concatenate([digits.train, digits.test])
    np.testing.assert_array_equal(np.sort(both), np.arange(9298))
    # Rows belong together: the middle of a zero is empty, that of an eight is not.
    assert digits.Y[digits.target == 0].mean() < -0.8 < digits.Y[digits.target == 8].mean()
