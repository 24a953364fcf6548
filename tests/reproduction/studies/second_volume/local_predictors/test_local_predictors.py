import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.utils import Bunch

from ofer.companions import ChainOutputs, MulticlassOutputs, TreeOutputs
from reproduction.studies.second_volume.local_predictors.evaluation import build, evaluate, take
from reproduction.studies.second_volume.local_predictors.tables import sslsop_table_01 as module

TREE = TreeOutputs([-1, 0, 0, 1, 1])  # leaves are the nodes 2, 3, 4


def make_task(space, n=150, seed=0):
    rng = np.random.default_rng(seed)
    if space.sequential:
        y = [rng.integers(0, 3, size=4) for _ in range(n)]
        X = [np.eye(3)[one] + 0.3 * rng.normal(size=(4, 3)) for one in y]
    else:
        y = rng.integers(0, 3, size=n)
        X = np.eye(3)[y] + 0.3 * rng.normal(size=(n, 3))
    return Bunch(X=X, y=y, space=space, groups=None, forms=None)


@pytest.fixture(autouse=True)
def small_grids(monkeypatch):
    lines = {"n_neighbors": [5], "y_init": ["neighbors", "global"], "C": [0.01, 0.1]}
    monkeypatch.setitem(module.PARAMETERS, "lines", lines)
    # In halves of so few labelled samples there are no twenty neighbours.
    monkeypatch.setitem(module.PARAMETERS, "n_inner_folds", 3)


@pytest.mark.parametrize("space", [MulticlassOutputs(), TREE, ChainOutputs(range(3))])
def test_most_outputs_are_hidden_and_folds_are_disjoint(space):
    task = make_task(space)
    tested = []
    for split in range(10):
        (X, y), (X_test, y_test) = take(task, split)
        hidden = np.array([one is None or np.any(one == -1) for one in y])
        assert 0.5 < hidden.mean() < 0.9
        assert len(X) + len(X_test) == 150 == len(y) + len(y_test)
        tested += [np.asarray(one).tobytes() for one in X_test]
    assert sorted(tested) == sorted(np.asarray(one).tobytes() for one in task.X)


def test_groups_stay_together():
    task = make_task(MulticlassOutputs())
    task.groups = np.arange(150) // 3
    task.X = np.column_stack([task.groups, np.arange(150)])
    (X, _), (X_test, _) = take(task, 0)
    assert not set(X[:, 0]) & set(X_test[:, 0])


def test_what_is_chosen_is_what_is_tested(monkeypatch):
    lines = {"n_neighbors": [5, 100], "y_init": ["neighbors"], "n_iter": [5, 10]}
    monkeypatch.setitem(module.PARAMETERS, "lines", lines)
    task = make_task(MulticlassOutputs())
    (X, y), (X_test, y_test) = take(task, 0)
    search = build("SSLSOP", task.space, seed=0).fit(X, y)
    found = evaluate({"task": task}, "SSLSOP", "task", 0)
    assert found["n_neighbors"] == search.best_params_["n_neighbors"]
    assert found["n_iter"] == search.best_params_["n_iter"]
    assert found["loss"] == np.mean(search.predict(X_test) != y_test)


def test_hidden_outputs_do_not_matter():
    task = make_task(TREE)
    (X, y), (X_test, _) = take(task, 0)
    changed = Bunch(**task)
    seen = {row.tobytes(): label for row, label in zip(X, y, strict=True)}
    known = np.array([seen.get(row.tobytes(), -1) for row in task.X])
    changed.y = np.where(known == -1, (task.y + 1) % 3, task.y)
    (_, y_changed), _ = take(changed, 0)
    for method in ("SSLSOP", "Laplacian ridge"):
        first, second = (build(method, TREE, seed=0).fit(X, one) for one in (y, y_changed))
        assert_array_equal(first.predict(X_test), second.predict(X_test))
