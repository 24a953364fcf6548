import numpy as np
from numpy.testing import assert_allclose
from sklearn.utils import Bunch

from reproduction.studies.second_volume.regions.coverage import take_split, worst_slab

RNG = np.random.default_rng(0)
X = RNG.normal(size=(75, 3))
Y = np.column_stack([np.sin(X[:, 0]), X[:, 1], np.full(75, 2.0)]) + RNG.normal(
    scale=0.1, size=(75, 3)
) * [1, 1, 0]
TOY = {"toy": Bunch(X=np.where(RNG.uniform(size=X.shape) < 0.1, np.nan, X), Y=Y)}


def test_parts_are_disjoint_and_constant_outputs_are_dropped():
    part = take_split(TOY["toy"], 0)
    assert part.X.shape == (60, 3)
    assert part.Y.shape == (60, 2)
    assert part.X_test.shape == (15, 3)
    assert np.isfinite(part.X_test).all()
    assert_allclose(part.Y.std(axis=0), 1.0)
    assert not np.isin(part.Y_test[:, 0], part.Y[:, 0]).any()


def test_the_worst_slab_is_found():
    inputs = RNG.uniform(-1, 1, size=(800, 2))
    inside = (inputs[:, 0] < 0.5).astype(float)
    assert worst_slab(inputs, inside, seed=0) < 0.3
    assert_allclose(worst_slab(inputs, np.ones(800), seed=0), 1.0)
