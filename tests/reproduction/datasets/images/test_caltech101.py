"""Caltech-101: two made-up images, and the real file where present."""

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier

from reproduction.datasets import dataset_info
from reproduction.datasets.images.caltech101 import CALTECH101, fetch_caltech101


def test_bunch(put):
    images = put(
        CALTECH101,
        features_q=np.array([[0, 255], [2, 4]], np.uint8),
        scale=np.array([0.5, 0.01], np.float32),
        labels=np.array([1, 0], np.uint8),
        class_names=np.array(["anchor", "ant"]),
        image_number=np.array([1, 800], "<i2"),
    ).fetch()
    np.testing.assert_allclose(images.features, [[0, 2.55], [1, 0.04]], rtol=1e-6)
    assert images.features.dtype == np.float32
    np.testing.assert_array_equal(images.class_names[images.labels], ["ant", "anchor"])
    assert (images.labels - 2).min() == -2, "labels must not wrap around"
    np.testing.assert_array_equal(images.image_number, [1, 800])
    for part in ("MobileNet", "VGG19", "substitute", "CC BY 4.0", "Fei-Fei", "8677 images"):
        assert part in images.DESCR


@pytest.fixture
def real(need):
    need("caltech101")
    return fetch_caltech101()


def test_real_data(real):
    assert real.features.shape == (8677, 1024)
    assert dataset_info("caltech101").size == "8677 images, 1024 features, 101 classes"
    assert real.features.min() == 0
    assert real.class_names.shape == (101,)
    counts = np.bincount(real.labels, minlength=101)
    assert (counts.min(), counts.max()) == (31, 800)


def test_images_of_a_class_are_near_each_other(real):
    """Rows of features and labels belong together: shuffled ones would give 1 %."""
    model = KNeighborsClassifier(1).fit(real.features[::2], real.labels[::2])
    assert model.score(real.features[1::8], real.labels[1::8]) > 0.7
