import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_matrix
from sklearn.metrics import euclidean_distances
from sklearn.utils import Bunch

from ofer.companions import ChainOutputs, MulticlassOutputs, TreeOutputs
from reproduction.papers.sslsop import local_predictors as module
from reproduction.papers.sslsop import sensitivity as sensitivity
from reproduction.papers.sslsop.local_predictors import (
    break_ties,
    build,
    evaluate,
    mean_loss,
    take,
)

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


def test_losses_of_the_three_spaces():
    assert mean_loss(MulticlassOutputs(), np.array([0, 1, 2]), np.array([0, 2, 2])) == 1 / 3
    # Leaf 0 is a child of the root, 1 and 2 are siblings below it.
    assert mean_loss(TREE, np.array([0, 1, 1]), np.array([1, 2, 1])) == (2 + 1 + 0) / 3
    chains = [np.array([0, 1]), np.array([1, 1])]
    assert mean_loss(ChainOutputs(range(2)), chains, [chains[0], np.array([1, 0])]) == 0.5


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


@pytest.mark.parametrize("form", [np.asarray, csr_matrix])
def test_no_two_neighbours_tie_and_others_keep_their_order(form):
    X = np.repeat(np.eye(5), 4, axis=0)
    near = euclidean_distances(break_ties(form(X)))
    # Far above the errors of such distances, a few times 1e-16.
    assert np.diff(np.sort(near, axis=1), axis=1).min() > 1e-12
    before = euclidean_distances(X)
    assert near[before == 0].max() < 0.01 < near[before > 0].min()
    assert_allclose(near, before, atol=0.01)
