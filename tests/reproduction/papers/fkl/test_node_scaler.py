import numpy as np
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.preprocessing import StandardScaler

from reproduction.papers.fkl.node_scaler import NodeScaler


def draw():
    rng = np.random.default_rng(0)
    return [rng.normal(3, 2, size=(length, 2)) for length in (4, 1, 9)]


def test_is_the_scaler_of_all_nodes():
    objects, scaler = draw(), NodeScaler()
    expected = StandardScaler().fit(np.concatenate(objects[:2]))
    scaler.fit(objects[:2])
    for ours, one in zip(scaler.transform(objects), objects, strict=True):
        assert_allclose(ours, expected.transform(one))


def test_graphs_keep_their_edges():
    objects = [(nodes, [(0, len(nodes) - 1)] if len(nodes) > 1 else []) for nodes in draw()]
    chains = NodeScaler().fit_transform(draw())
    for (nodes, edges), one, scaled in zip(
        NodeScaler().fit_transform(objects), objects, chains, strict=True
    ):
        assert_array_equal(nodes, scaled)
        assert edges == one[1]


def test_constant_column():
    scaled = NodeScaler().fit_transform([np.array([[1.0, 5.0], [3.0, 5.0]])])[0]
    assert_array_equal(scaled, [[-1, 0], [1, 0]])
