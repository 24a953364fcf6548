import numpy as np
from numpy.testing import assert_allclose
from sklearn.preprocessing import StandardScaler

from reproduction.studies.second_volume.fisher_kernels.node_scaler import NodeScaler


def draw():
    rng = np.random.default_rng(0)
    return [rng.normal(3, 2, size=(length, 2)) for length in (4, 1, 9)]


def test_is_the_scaler_of_all_nodes():
    objects, scaler = draw(), NodeScaler()
    expected = StandardScaler().fit(np.concatenate(objects[:2]))
    scaler.fit(objects[:2])
    for ours, one in zip(scaler.transform(objects), objects, strict=True):
        assert_allclose(ours, expected.transform(one))
