"""Weak labels as latent classes: the experiments' parts on small data."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.utils import Bunch

from ofer import KernelSystem
from reproduction.papers.ofer.images.tasks import Task
from reproduction.papers.ofer.weak_classes.candidates import candidates
from reproduction.papers.ofer.weak_classes.hybrid import (
    scores_by_folds,
)

RNG = np.random.default_rng(0)
K, D = 6, 30
MEANS = 2.0 * RNG.normal(size=(K, D))


class Groups:
    """A mixture whose components are pairs of classes."""

    def predict_proba(self, vectors):
        return np.eye(3)[np.arange(len(vectors)) // 2]


DATA = Bunch(vectors=MEANS[:, :5] + 0.1 * RNG.normal(size=(K, 5)), natural={3: Groups()})


def draw(y):
    return MEANS[y] + RNG.normal(size=(len(y), D))


Y, Y_WEAK, Y_TEST = np.repeat(np.arange(K), 4), RNG.integers(0, K, 80), RNG.integers(0, K, 60)
TASK = Task(draw(Y), Y, draw(Y_WEAK), Y_WEAK, draw(Y_TEST), Y_TEST, per_class=4, seed=0)


def test_candidates_are_the_classes_of_a_component():
    still_open = candidates(DATA, Y_WEAK)
    assert_array_equal(still_open.sum(axis=1), 2)
    assert still_open[np.arange(len(Y_WEAK)), Y_WEAK].all()


@pytest.mark.parametrize("features", [TASK.X[:, :3], TASK.X], ids=["primal", "dual"])
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_folds_are_left_out_exactly(features, fit_intercept):
    weights, targets = RNG.uniform(0.5, 2.0, size=len(Y)), RNG.normal(size=(len(Y), 2))
    system = KernelSystem.from_features(features, weights, fit_intercept)
    folds = [np.array([0, 4, 7]), np.array([1, 2, 3, 5, 6])]
    found = scores_by_folds(system, targets, 0.7, folds)
    for left in folds:
        kept = np.setdiff1d(np.arange(len(Y)), left)
        other = KernelSystem.from_features(features[kept], weights[kept], fit_intercept)
        expected = other.solve(targets[kept], 0.7).predict(features[left])
        assert_allclose(found[left], expected)
