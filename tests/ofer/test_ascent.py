import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from ofer.ascent import ascend

RNG = np.random.default_rng(0)


def quadratics(n_rows=6, d=4):
    """Concave quadratics, one a row, with their maxima; curvatures from 0.02 to 2."""
    roots = np.linalg.qr(RNG.normal(size=(n_rows, d, d)))[0]
    A = roots @ (np.geomspace(0.02, 2.0, d)[:, None] * roots.transpose(0, 2, 1))
    maxima = RNG.normal(size=(n_rows, d))

    def objective(points, rows):
        offsets = points - maxima[rows]
        gradients = -np.einsum("ijk,ik->ij", A[rows], offsets)
        return np.einsum("ij,ij->i", gradients, offsets) / 2, gradients

    return objective, maxima


def waves(points, rows):
    """Products of cosines, of a size of its own in each row."""
    sizes = 1.0 / (1.0 + rows % 3)
    cosines, sines = np.cos(points), np.sin(points)
    values = sizes * cosines.prod(axis=1)
    return values, -sizes[:, None] * sines * cosines[:, ::-1]


def test_maxima_of_quadratics():
    objective, maxima = quadratics()
    found = ascend(objective, np.zeros_like(maxima))
    assert_allclose(found, maxima, rtol=0, atol=1e-6)


def test_values_never_fall():
    starts = np.random.default_rng(0).uniform(-3, 3, size=(50, 2))
    rows = np.arange(50)
    values = [waves(starts, rows)[0]]
    for max_iter in range(60):
        values.append(waves(ascend(waves, starts, max_iter=max_iter), rows)[0])
    assert_array_equal(values[1], values[0])
    assert (np.diff(values, axis=0) >= 0).all()
    assert_allclose(values[-1] * (1.0 + rows % 3), 1.0, atol=1e-9)


def test_rows_do_not_influence_each_other():
    starts = RNG.uniform(-3, 3, size=(20, 2))
    together = ascend(waves, starts)
    for i in range(20):
        alone = ascend(lambda points, rows, i=i: waves(points, rows + i), starts[[i]])
        assert_allclose(alone[0], together[i], rtol=0, atol=1e-12)


def test_box():
    """Concave quadratics have one maximum in a box: where no face holds back an uphill step."""
    objective, maxima = quadratics(40)
    bounds = np.array([-0.3, -2.0, -0.1, -5.0]), np.array([0.3, 0.5, 0.1, 5.0])
    starts = RNG.uniform(*bounds, size=maxima.shape)
    starts[:5, 0], starts[5:10, 2] = bounds[0][0], bounds[1][2]
    found = ascend(objective, starts, bounds=bounds)
    assert ((bounds[0] <= found) & (found <= bounds[1])).all()
    gradients = objective(found, np.arange(40))[1]
    projected = np.clip(found + gradients, *bounds) - found
    assert_allclose(projected, 0.0, atol=1e-6)
    assert 0.2 < np.mean((found == bounds[0]) | (found == bounds[1])) < 0.8
    wide = np.full(4, -1e3), np.full(4, 1e3)
    assert_allclose(ascend(objective, starts, bounds=wide), ascend(objective, starts), atol=1e-9)
