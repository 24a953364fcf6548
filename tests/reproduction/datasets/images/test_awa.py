"""Animals with Attributes: two made-up images, and the real file where present."""

import numpy as np
import pytest
from sklearn.neighbors import NearestCentroid

from reproduction.datasets import dataset_info
from reproduction.datasets.images.awa import AWA, fetch_awa


def test_bunch(put):
    images = put(
        AWA,
        features_q=np.array([[0, -127], [2, 4]], np.int8),
        scale=np.array([0.5, 0.01], np.float32),
        labels=np.array([1, 0], np.uint8),
        class_names=np.array(["fox", "wolf"]),
        predicate_names=np.array(["red", "swims", "barks"]),
        predicates_binary=np.array([[1, 0, 0], [0, 0, 1]], np.uint8),
        predicates_continuous=np.array([[80, -1, 0], [5, -1, 60]], np.float32),
        zero_shot_test_class=np.array([True, False]),
        explained_variance=np.array([2, 1], np.float32),
    ).fetch()
    np.testing.assert_allclose(images.features, [[0, -1.27], [1, 0.04]], rtol=1e-6)
    assert images.features.dtype == np.float32
    np.testing.assert_array_equal(images.class_names[images.labels], ["wolf", "fox"])
    np.testing.assert_array_equal(images.predicate_names[images.predicates[0]], ["red"])
    np.testing.assert_array_equal(images.predicate_strength, [[80, np.nan, 0], [5, np.nan, 60]])
    np.testing.assert_array_equal(images.zero_shot_test_class, [True, False])
    for part in ("histograms", "VGG19", "substitute", "Lampert", "50 classes"):
        assert part in images.DESCR


@pytest.fixture
def real(need):
    need("awa")
    return fetch_awa()


def test_real_data(real):
    assert real.features.shape == (30475, 256)
    assert real.class_names.shape == (50,)
    assert dataset_info("awa").size == "30475 images, 256 features, 50 classes, 85 attributes"
    assert real.predicates.shape == real.predicate_strength.shape == (50, 85)
    assert real.zero_shot_test_class.sum() == 10
    assert (np.diff(real.labels) >= 0).all()
    assert np.abs(real.features.mean(axis=0)).max() < 0.01 * real.features.std()
    variances = real.features.var(axis=0)
    assert (np.diff(variances) < 1e-3 * variances[:-1]).all()
    assert not np.isnan(real.predicate_strength).all()
    assert real.predicates[real.class_names == "dolphin", real.predicate_names == "swims"].all()


def test_images_of_a_class_are_near_each_other(real):
    """Rows of features and labels belong together: shuffled ones would give 2 to 4 %."""
    model = NearestCentroid().fit(real.features[::2], real.labels[::2])
    assert model.score(real.features[1::8], real.labels[1::8]) > 0.1
