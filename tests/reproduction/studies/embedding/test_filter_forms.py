"""Forms of the smoother agree where no digits are lost, and with the joint Gaussian."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from reproduction.studies.embedding.filter_forms import (
    CASES,
    compare_forms,
    level_of,
    smooth_by_covariances,
    smooth_by_least_squares,
    smooth_by_ofer,
)


def test_least_squares_is_the_joint_gaussian():
    A, Q, r, S = CASES["an ordinary model"]
    T, z = 5, np.random.default_rng(0).normal(size=(5, 1))
    moves = np.zeros((2 * T, 2 * T))
    for t in range(T):
        for k in range(t + 1):
            power = np.linalg.matrix_power(A, t - k)
            moves[2 * t : 2 * t + 2, 2 * k : 2 * k + 2] = power
    noises = np.kron(np.eye(T), Q)
    noises[:2, :2] = S
    joint, view = moves @ noises @ moves.T, np.kron(np.eye(T), [[1.0, 0.0]])
    gain = np.linalg.solve(view @ joint @ view.T + r * np.eye(T), view @ joint).T
    means, covariances = smooth_by_least_squares(A, Q, r, S, z)
    assert_allclose(means.ravel(), gain @ z[:, 0])
    left = joint - gain @ view @ joint
    assert_allclose(covariances, [left[2 * t : 2 * t + 2, 2 * t : 2 * t + 2] for t in range(T)])


def test_all_forms_agree_on_an_ordinary_model_and_ours_on_all():
    wrong = compare_forms({"textbook": smooth_by_covariances, "ours": smooth_by_ofer})
    assert wrong["textbook"]["an ordinary model"] < 1e-12
    assert wrong["textbook"]["states decay without noise"] > 0.1
    assert max(wrong["ours"].values()) < 1e-6


@pytest.mark.parametrize(
    ("error", "words"),
    [(1e-15, "below 1e-9"), (5e-8, "below 1e-6"), (0.01, "below 0.1"), (9.0, "above 0.1")],
)
def test_levels(error, words):
    assert level_of(error) == words
