import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from reproduction.studies.second_volume.twin_processes.structured_errors import (
    limb_angle_error,
    mean_point_distance,
)

RNG = np.random.default_rng(0)
Y = RNG.normal(size=(5, 12))
LIMBS = [[0, 1], [1, 2], [0, 3]]


def test_point_distance_is_an_average_of_norms():
    predicted = RNG.normal(size=Y.shape)
    norms = [np.linalg.norm(a[k : k + 3] - b[k : k + 3])
             for a, b in zip(Y, predicted, strict=True) for k in range(0, 12, 3)]  # fmt: skip
    np.testing.assert_allclose(mean_point_distance(Y, predicted), np.mean(norms))
    whole = mean_point_distance(Y, predicted, n_coordinates=12)
    np.testing.assert_allclose(whole, np.linalg.norm(Y - predicted, axis=1).mean())
    single = mean_point_distance(Y, predicted, n_coordinates=1)
    np.testing.assert_allclose(single, np.abs(Y - predicted).mean())


def turned(angle, axis):
    return (Y.reshape(-1, 3) @ Rotation.from_rotvec(angle * np.array(axis)).as_matrix().T).reshape(
        Y.shape
    )


@given(st.floats(1e-9, np.pi))
def test_limb_angle_of_a_turned_limb(angle):
    """A limb in the plane, turned within it by an angle, is off by that angle, however small."""
    flat = np.array([[0.0, 0, 0, 2, 0, 0]])
    other = np.array([[7.0, 7, 7, 7 + np.cos(angle), 7 + np.sin(angle), 7]])
    found = limb_angle_error(flat, other, limbs=[[0, 1]])
    np.testing.assert_allclose(found, np.degrees(angle), rtol=1e-5)


def test_limb_angle_agrees_with_the_arc_cosine():
    predicted = turned(0.7, [0.0, 0.6, 0.8])
    a, b = (values.reshape(5, 4, 3) for values in (Y, predicted))
    cosines = []
    for i, j in LIMBS:
        u, v = a[:, j] - a[:, i], b[:, j] - b[:, i]
        cosines += list((u * v).sum(1) / np.linalg.norm(u, axis=1) / np.linalg.norm(v, axis=1))
    expected = np.degrees(np.arccos(cosines)).mean()
    np.testing.assert_allclose(limb_angle_error(Y, predicted, limbs=LIMBS), expected)
