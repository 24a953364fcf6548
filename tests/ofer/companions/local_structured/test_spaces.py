"""Labels, codes and losses of the output spaces, and what they refuse."""

import numpy as np
import pytest

from ofer.companions import ChainOutputs, MulticlassOutputs, TreeOutputs

ONE = np.array([1])


def test_multiclass_labels_and_loss():
    space = MulticlassOutputs().fit(["b", "a", "c", "a"])
    np.testing.assert_array_equal(space.classes_, ["a", "b", "c"])
    encoded = space.transform(["c", "a"])
    np.testing.assert_array_equal(space.inverse_transform(encoded, ONE), ["c", "a"])
    np.testing.assert_array_equal(space.loss_matrix_, 1 - np.eye(3))
    codes, shared = space.features(encoded, np.array([1, 1]))
    np.testing.assert_array_equal(codes, [[0, 0, 1], [1, 0, 0]])
    assert shared.shape == (2, 0)


@pytest.mark.parametrize(
    ("space", "y", "value"),
    [
        (MulticlassOutputs([3, 5, 7]), [3, 4], 4),
        (MulticlassOutputs([3, 5, 7]), [3, 9], 9),
        (TreeOutputs([-1, 0, 0]), [0, 2], 2),
        (TreeOutputs([-1, 0, 0]), [0, -2], -2),
        (ChainOutputs([0, 1]), [[0, 1], [1, 2]], 2),
        (ChainOutputs(["O", "B"]), [["O"], ["I"]], "'I'"),
    ],
)
def test_labels_outside_the_space(space, y, value):
    with pytest.raises(ValueError, match=f"y must have labels among .*; got {value}"):
        space.fit([]).transform(y)


def lowest_common_height(parents, a, b):
    """Height of the first common ancestor, by walking up."""

    def path(node):
        return [node] + (path(parents[node]) if parents[node] >= 0 else [])

    def height(node):
        below = [height(child) + 1 for child in range(len(parents)) if parents[child] == node]
        return max(below, default=0)

    return height(next(node for node in path(a) if node in path(b)))


@pytest.mark.parametrize("seed", range(10))
def test_tree_loss_is_the_height_of_the_first_common_ancestor(seed):
    rng = np.random.default_rng(seed)
    n_nodes = int(rng.integers(1, 12))
    parents = np.array([-1] + [int(rng.integers(0, node)) for node in range(1, n_nodes)])
    order = rng.permutation(n_nodes)  # children may come before their parents
    shuffled = np.full(n_nodes, -1)
    shuffled[order] = np.where(parents < 0, -1, order[parents])
    space = TreeOutputs(shuffled).fit([])
    for i, a in enumerate(space.leaves_):
        for j, b in enumerate(space.leaves_):
            assert space.loss_matrix_[i, j] == lowest_common_height(shuffled, a, b)
    # Two leaves share as many ones as the first common ancestor is deep, and one more.
    np.testing.assert_array_equal(np.diag(space.codes_ @ space.codes_.T), space.codes_.sum(axis=1))


def test_tree_of_one_level_is_multiclass():
    tree = TreeOutputs([-1, 0, 0, 0]).fit([])
    np.testing.assert_array_equal(
        tree.loss_matrix_, MulticlassOutputs([0, 1, 2]).fit([]).loss_matrix_
    )


def test_labels_of_chosen_leaves():
    space = TreeOutputs([-1, 0, 0, 2, 2], leaves=[4, 1]).fit([])
    np.testing.assert_array_equal(space.codes_, [[1, 0, 1, 0, 1], [1, 1, 0, 0, 0]])
    np.testing.assert_array_equal(space.inverse_transform(np.array([1, 0]), ONE), [1, 0])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0, 0, 0],), "parents must have one -1, that of the root; got 0"),
        (([-1, -1, 0],), "parents must have one -1, that of the root; got 2"),
        (([-1, 2, 1],), "parents must lead to the root; node 1 is in a cycle"),
        (([-1, 5],), "parents must be nodes, or -1; got 5"),
        (([-1, -3],), "parents must be nodes, or -1; got -3"),
        (([-1.0, 0.0],), r"parents must be a sequence of integers; got \[-1.0, 0.0\]"),
        (([],), r"parents must be a sequence of integers; got \[\]"),
        (([-1, 0, 0], [0, 1]), "leaves must be nodes without children; got 0"),
        (([-1, 0, 0], [1, 1]), r"leaves must not repeat a node; got \[1, 1\]"),
    ],
)
def test_bad_trees(arguments, message):
    with pytest.raises(ValueError, match=message):
        TreeOutputs(*arguments).fit([])


def test_chain_features_are_counts():
    space = ChainOutputs().fit([["x", "y", "y"], ["y"], ["x", "y", "x", "y"]])
    lengths = np.array([3, 1, 4])
    y = space.transform([["x", "y", "y"], ["y"], ["x", "y", "x", "y"]])
    codes, shared = space.features(y, lengths)
    np.testing.assert_array_equal(codes[:3], [[1, 0], [0, 1], [0, 1]])
    # x to x, x to y, y to x, y to y
    np.testing.assert_array_equal(shared, [[0, 1, 0, 1], [0, 0, 0, 0], [0, 2, 1, 0]])
    restored = space.inverse_transform(y, lengths)
    assert [list(part) for part in restored] == [["x", "y", "y"], ["y"], ["x", "y", "x", "y"]]


@pytest.mark.parametrize("y", [[["a"], []], [["a"], "b"], [[["a"]], [["b"]]]])
def test_bad_sequences(y):
    with pytest.raises(ValueError, match=r"y\[\d\] must be a sequence of at least one label"):
        ChainOutputs().fit(y)
