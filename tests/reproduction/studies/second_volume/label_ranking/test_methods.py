"""Methods of the label-ranking benchmark beside plain ones."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import kendalltau
from sklearn.kernel_ridge import KernelRidge
from sklearn.model_selection import GridSearchCV

from ofer import RankingEmbedding
from reproduction.engine.table import Task
from reproduction.studies.second_volume.label_ranking.methods.embedded import ALPHAS, ridge_by_folds
from reproduction.studies.second_volume.label_ranking.methods.ours import FACTORS, OurRidge
from reproduction.studies.second_volume.label_ranking.methods.rivals import majority
from reproduction.studies.second_volume.label_ranking.problem import (
    RELEASED,
    draw,
    load_sets,
    mean_tau,
)
from reproduction.studies.second_volume.label_ranking.tables.ranking_benchmark import (
    EXPERIMENT,
    PRINTED,
)


@pytest.fixture(scope="module")
def task():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    Y = 1.0 + (X @ rng.normal(size=(3, 4))).argsort(axis=1).argsort(axis=1)
    return Task(X[:160], Y[:160], X[160:], Y[160:], 0)


def test_ridge_is_that_of_a_grid_search(task):
    H = RankingEmbedding().fit_transform(task.Y)
    grid = {"alpha": ALPHAS, "gamma": ALPHAS}
    search = GridSearchCV(KernelRidge(kernel="rbf"), grid, cv=5).fit(task.X, H)
    found, chosen = ridge_by_folds(task.X, H, task.X_test)
    assert chosen == search.best_params_
    assert_allclose(found, search.predict(task.X_test), atol=1e-8)


def test_tau_is_that_of_scipy(task):
    Y = task.Y_test
    expected = np.mean([kendalltau(*pair).statistic for pair in zip(Y[1:], Y[:-1], strict=True)])
    assert_allclose(mean_tau(Y[1:], Y[:-1], None), expected)


@pytest.mark.parametrize("name", [*PRINTED, "ridge Kemeny", "ridge of ranks", "kNN of ranks"])
def test_predictions_are_rankings_and_better_than_the_majority(task, name):
    outputs, _ = EXPERIMENT.methods[name](task)
    assert_array_equal(np.sort(outputs), np.sort(task.Y_test))
    guessed = mean_tau(task.Y_test, majority(task).outputs, task.Y)
    assert mean_tau(task.Y_test, outputs, task.Y) > max(guessed, 0.3)


def test_a_misread_pre_image_is_the_program_s(task):
    """The first row has the label of the second place, and so on; the last that of the first."""
    ranks = PRINTED["kNN Hamming as printed"](task).outputs
    misread = EXPERIMENT.methods[RELEASED](task).outputs
    for row, found in zip(ranks, misread, strict=True):
        matrix = np.zeros((4, 4))
        for label, rank in enumerate(row.astype(int) - 1):
            matrix[rank - 1, label] = 1
        assert_array_equal(np.nonzero(matrix)[1], found)


def test_the_rule_for_the_width_is_searched_around(task):
    for kind in ("lehmer", ""):
        assert OurRidge(kind)(task).chosen["width"] in FACTORS


def test_folds_are_five_times_ten():
    data = load_sets()
    tests = [draw(data, "iris", split).X_test for split in range(10)]
    assert_array_equal(np.sort(np.vstack(tests), axis=0), np.sort(data["iris"].X, axis=0))
    assert not np.array_equal(draw(data, "iris", 10).X_test, tests[0])
