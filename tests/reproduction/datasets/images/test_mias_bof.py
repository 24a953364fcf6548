"""Mini-MIAS: two made-up regions, and the real file where present."""

import numpy as np
import pytest
from sklearn.svm import SVC

from reproduction.datasets import dataset_info
from reproduction.datasets.images.mias_bof import MIAS_BOF, fetch_mias_bof


def test_bunch(put):
    mammograms = put(
        MIAS_BOF,
        hist=np.array([[529, 0], [29, 500]], "<u2"),
        y=np.array([0, 2], "i1"),
        class_names=np.array(["normal", "benign", "malignant"]),
        source_name=np.array(["Normal/mdb006.jpg", "Malignant/mdb212 (1).jpg"]),
    ).fetch()
    np.testing.assert_array_equal(mammograms.counts - 530, [[-1, -530], [-501, -30]])
    np.testing.assert_array_equal(mammograms.image, [6, 212])
    np.testing.assert_array_equal(
        mammograms.class_names[mammograms.labels], ["normal", "malignant"]
    )
    for part in ("2620", "Suckling", "substitute", "redistribution"):
        assert part in mammograms.DESCR


@pytest.fixture
def real(need):
    need("mias_bof")
    return fetch_mias_bof()


def test_real_data(real):
    assert dataset_info("mias_bof").size == "185 regions, 200 visual words, 3 classes"
    assert real.counts.shape == (185, 200)
    np.testing.assert_array_equal(real.counts.sum(axis=1), 529)
    np.testing.assert_array_equal(np.bincount(real.labels), [70, 65, 50])
    assert real.image.min() >= 1
    assert real.image.max() <= 322, "the data base has 322 images"
    assert len(np.unique(real.image)) < 185


def test_regions_of_a_class_are_alike(real):
    """Rows of counts and labels belong together: the largest class is 38 %."""
    frequencies = np.sqrt(real.counts / 529)
    model = SVC(C=10.0).fit(frequencies[::2], real.labels[::2])
    assert model.score(frequencies[1::2], real.labels[1::2]) > 0.45
