"""Scenes: two made-up images, and the real file where present."""

import numpy as np
import pytest
from sklearn.linear_model import RidgeClassifier

from ofer.companions import TreeOutputs
from reproduction.datasets import dataset_info
from reproduction.datasets.images.scene15 import SCENE15, fetch_scene15


def test_bunch(put):
    scenes = put(
        SCENE15,
        hog_u8=np.array([[0, 255], [51, 102]], np.uint8),
        y=np.array([1, 0], "i1"),
        class_names=np.array(["Coast", "Forest"]),
        node_names=np.array(["root", "Coast", "Forest"]),
        parent=np.array([-1, 0, 0], "i1"),
        leaf_node=np.array([1, 2], "i1"),
        filename=np.array(["a.jpg", "b.jpg"]),
    ).fetch()
    np.testing.assert_allclose(scenes.features, [[0, 1], [0.2, 0.4]])
    np.testing.assert_array_equal(scenes.class_names[scenes.labels], ["Forest", "Coast"])
    np.testing.assert_array_equal(scenes.node_names[scenes.leaves], scenes.class_names)
    for part in ("SUN", "Lazebnik", "substitute", "tree of our own"):
        assert part in scenes.DESCR


@pytest.fixture
def real(need):
    need("scene15")
    return fetch_scene15()


def test_real_data(real):
    assert real.features.shape == (3000, 1764)
    assert dataset_info("scene15").size.startswith("3000 images, 1764 features, 15 leaves")
    assert (real.features.min(), real.features.max()) == (0, 1)
    np.testing.assert_array_equal(np.bincount(real.labels), np.full(15, 200))
    np.testing.assert_array_equal(real.node_names[real.leaves], real.class_names)


def test_real_tree(real):
    space = TreeOutputs(real.parents, real.leaves).fit(real.labels)
    assert space.codes_.shape == (15, 29)
    np.testing.assert_array_equal(space.codes_.sum(axis=1), 4)  # every leaf has depth 3
    assert set(np.unique(space.loss_matrix_)) == {0, 1, 2, 3}
    names = real.class_names.tolist()
    bedroom, kitchen, coast = map(names.index, ("Bedroom", "Kitchen", "Coast"))
    assert space.loss_matrix_[bedroom, kitchen] < space.loss_matrix_[bedroom, coast]


def test_images_of_a_category_are_alike(real):
    """Rows of features and labels belong together: shuffled ones would give 7 %."""
    columns = slice(None, None, 6)
    model = RidgeClassifier(100.0).fit(real.features[::4, columns], real.labels[::4])
    assert model.score(real.features[1::4, columns], real.labels[1::4]) > 0.3
