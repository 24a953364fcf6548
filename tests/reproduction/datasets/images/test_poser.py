"""Poser: two made-up frames, and the real files where present."""

import numpy as np
import pytest
from scipy.io import savemat

from reproduction.datasets import dataset_info
from reproduction.datasets.images.poser import POSER, fetch_poser


def test_bunch(put):
    arrays = {
        "X_train": np.ones((2, 100), "<f4"),
        "Y_train": np.arange(126, dtype="<f4").reshape(2, 63),
        "X_test": np.zeros((1, 100), "<f4"),
        "Y_test": np.full((1, 63), 0.5, "<f4"),
    }
    poser = put(POSER, **arrays).fetch()
    np.testing.assert_array_equal(poser.X, arrays["X_train"])
    np.testing.assert_array_equal(poser.Y, arrays["Y_train"])
    np.testing.assert_array_equal(poser.X_test, arrays["X_test"])
    np.testing.assert_array_equal(poser.Y_test, arrays["Y_test"])
    assert poser.Y.dtype == np.float64
    for part in ("faithful", "54 joint angles", "Agarwal", "21 points"):
        assert part in poser.DESCR


def test_conversion(tmp_path):
    rng = np.random.default_rng(0)
    stored = {name: rng.normal(size=(3, 2)) for name in ("Y", "Z", "Y_test", "Z_test")}
    savemat(tmp_path / "some.mat", stored)
    arrays = POSER.convert(lambda name: tmp_path / "some.mat")
    np.testing.assert_array_equal(arrays["X_train"], stored["Y"].astype("<f4"), strict=True)
    np.testing.assert_array_equal(arrays["Y_test"], stored["Z_test"].astype("<f4"), strict=True)


@pytest.fixture
def real(need):
    need("poser")
    return fetch_poser()


def test_real_data(real):
    assert real.X.shape == (1927, 100)
    assert real.Y_test.shape == (418, 63)
    assert "1927 training and 418 test frames" in dataset_info("poser").size
    np.testing.assert_allclose(real.X.sum(axis=1), 100, rtol=1e-4)


def test_limbs_keep_their_lengths(real):
    points = np.concatenate([real.Y, real.Y_test]).reshape(-1, 21, 3)
    lengths = np.linalg.norm(points[:, real.limbs[:, 1]] - points[:, real.limbs[:, 0]], axis=-1)
    assert lengths.min() > 0.1
    assert np.ptp(lengths, axis=0).max() < 1e-3 * lengths.mean()
    assert real.limbs.shape == (19, 2)


def test_poses_jump_where_sequences_begin(real):
    steps = np.linalg.norm(np.diff(real.Y, axis=0), axis=1)
    jumps = steps[real.sequence_starts[1:] - 1]
    others = np.delete(steps, real.sequence_starts[1:] - 1)
    assert jumps.min() > np.quantile(others, 0.99)
