from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.model_selection import StratifiedKFold

from reproduction.methods import classifiers as module
from reproduction.methods.classifiers import CHOICES, CLASSIFIERS, OneVsRest
from reproduction.methods.mean_rank import mean_rank
from reproduction.studies.images.tasks import describe, take

pytestmark = pytest.mark.filterwarnings("ignore:The number of unique classes")


@pytest.fixture(scope="module")
def data():
    """Eight classes of noisy images."""
    rng = np.random.default_rng(0)
    centres = rng.normal(size=(8, 12))
    labels = rng.permutation(np.repeat(np.arange(8), 20))
    features = centres[labels] + rng.normal(size=(160, 12)) + 2.0
    return describe(features, labels, centres, [1, 2], largest=6, n_test=40)


def rank_of(make, task):
    folds = StratifiedKFold(module.PARAMETERS["n_folds"], shuffle=True, random_state=task.seed)
    ranks = []
    for kept, held in folds.split(task.X, task.y):
        scores = make().fit(task.X[kept], task.y[kept]).decision_function(task.X[held])
        ranks += [mean_rank(scores[[i]], task.y[held][[i]]) for i in range(len(held))]
    return np.mean(ranks)


def test_the_cost_has_the_least_rank_of_its_decades(data):
    task = take(data, 4, 0)
    _, chosen = CLASSIFIERS["m-SVM"](task)
    cost = chosen["cost"]
    ranks = [rank_of(partial(OneVsRest, at), task) for at in (cost / 10, cost, cost * 10)]
    assert chosen["rank"] == pytest.approx(ranks[1])
    assert ranks[1] <= min(ranks)


def test_the_forest_has_the_least_rank_out_of_bag(data, monkeypatch):
    monkeypatch.setitem(CHOICES, "n_trees", 30)
    task = take(data, 5, 0)
    model, chosen = CLASSIFIERS["m-RF"](task)
    ranks = {}
    for share in CHOICES["max_features"]:
        forest = module.make_forest(0).set_params(
            n_estimators=30, max_features=share, oob_score=True
        )
        forest.fit(task.X, task.y)
        tried = forest.estimators_[0].max_features_ / task.X.shape[1]
        ranks[tried] = mean_rank(forest.oob_decision_function_, task.y), forest
    rank, best = ranks[chosen["features tried"]]
    assert rank == min(rank for rank, _ in ranks.values()) == chosen["rank"]
    assert_array_equal(model.predict(task.X_test), best.predict(task.X_test))
