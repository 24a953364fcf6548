"""Features of images that readers bring: files written here, and files that are none."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reproduction.datasets import DataUnavailableError
from reproduction.datasets.images.awa import AWA
from reproduction.datasets.images.caltech101 import CALTECH101
from reproduction.datasets.images.image_features import load_image_features

FEATURES = np.arange(6.0).reshape(3, 2)


@pytest.fixture
def file(tmp_path):
    """Function that writes the features, and other arrays if any, and returns the path."""

    def file(**arrays):
        if not arrays:
            np.save(tmp_path / "fc7.npy", FEATURES)
            return tmp_path / "fc7.npy"
        np.savez(tmp_path / "fc7.npz", features=FEATURES, **arrays)
        return tmp_path / "fc7.npz"

    return file


def test_everything_in_one_file(file):
    images = load_image_features(file(labels=[1, 0, 1], class_names=["wolf", "fox"], more=[1]))
    np.testing.assert_array_equal(images.features, FEATURES)
    assert images.features.dtype == np.float32
    np.testing.assert_array_equal(images.class_names[images.labels], ["fox", "wolf", "fox"])


def test_features_alone(file):
    images = load_image_features(str(file()), labels=["wolf", "fox", "wolf"])
    np.testing.assert_array_equal(images.labels, [1, 0, 1])
    np.testing.assert_array_equal(images.class_names, ["fox", "wolf"])


def test_same_attributes_as_the_loaders_of_the_data_sets(file):
    images = load_image_features(file(), labels=["a", "b", "a"])
    assert images.keys() <= AWA.fields.keys() & CALTECH101.fields.keys()


def test_arguments_come_before_the_file(file):
    path = file(labels=["wolf", "fox", "wolf"], class_names=["wolf", "fox"])
    images = load_image_features(path, class_names=["bear", "fox", "wolf"])
    np.testing.assert_array_equal(images.labels, [2, 1, 2])
    assert load_image_features(path, labels=["fox"] * 3).labels.tolist() == [1, 1, 1]


@given(st.lists(st.sampled_from("abc"), min_size=1))
def test_names_are_found_again(tmp_path_factory, labels):
    path = tmp_path_factory.mktemp("features") / "fc7.npy"
    np.save(path, np.zeros((len(labels), 1)))
    images = load_image_features(path, labels=labels)
    assert images.class_names[images.labels].tolist() == labels
    again = load_image_features(path, labels=labels, class_names=["c", "x", "b", "a"])
    assert again.class_names[again.labels].tolist() == labels
    numbers = load_image_features(path, labels=again.labels, class_names=again.class_names)
    assert numbers.labels.tolist() == again.labels.tolist()


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({}, ValueError, r"labels must be given, since .*fc7\.npy holds none; got None"),
        ({"labels": [0, 1, 1]}, ValueError, "class_names must be given when labels are numbers"),
        ({"labels": [0.0, 1.0, 1.0]}, TypeError, "labels must be names or integers; got dtype"),
        ({"labels": ["a", "b"]}, ValueError, "inconsistent numbers of samples"),
        (
            {"labels": ["a", "b", "d"], "class_names": ["a", "b"]},
            ValueError,
            "labels must be among class_names; got 'd'",
        ),
        (
            {"labels": [0, 2, 1], "class_names": ["a", "b"]},
            ValueError,
            "labels must be from 0 to 1, indices of class_names; got 0 to 2",
        ),
        (
            {"labels": [-1, 0, 1], "class_names": ["a", "b"]},
            ValueError,
            "labels must be from 0 to 1.* got -1 to 1",
        ),
    ],
)
def test_bad_arguments(file, arguments, error, message):
    with pytest.raises(error, match=message):
        load_image_features(file(), **arguments)


def test_features_that_are_not_finite(tmp_path):
    np.save(tmp_path / "f.npy", [[1.0, np.nan]])
    with pytest.raises(ValueError, match="Input features contains NaN"):
        load_image_features(tmp_path / "f.npy", labels=["a"])


def test_missing_file(tmp_path):
    with pytest.raises(DataUnavailableError, match=r"fc7\.npz cannot be read \(FileNotFound"):
        load_image_features(tmp_path / "fc7.npz")


@pytest.mark.parametrize("content", [b"", b"text", b"\x93NUMPY\x01\x00", b"PK\x03\x04"])
def test_other_files(tmp_path, content):
    (tmp_path / "fc7.npz").write_bytes(content)
    with pytest.raises(DataUnavailableError, match=r"cannot be read.*It must be an \.npy file"):
        load_image_features(tmp_path / "fc7.npz")


def test_archive_without_features(tmp_path):
    np.savez(tmp_path / "fc7.npz", X=FEATURES)
    with pytest.raises(DataUnavailableError, match=r"cannot be read \(KeyError.*features"):
        load_image_features(tmp_path / "fc7.npz")


class Bomb:
    """Ends the test when it is unpickled."""

    def __reduce__(self):
        return pytest.fail, ("unpickled",)


def test_nothing_is_unpickled(file):
    with pytest.raises(DataUnavailableError, match="allow_pickle=False"):
        load_image_features(file(labels=np.array([Bomb()], dtype=object)))
