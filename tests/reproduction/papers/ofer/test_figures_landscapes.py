import numpy as np
from numpy.testing import assert_allclose

from reproduction.papers.ofer.figures.landscapes import (
    landscape,
    loss_on_grid,
    minima_on_grid,
    with_slopes,
)

LINE = np.linspace(-2, 2, 41)
GRID = np.stack(np.meshgrid(LINE, LINE), axis=-1)


def squares(y):  # forgets signs
    return np.asarray(y) ** 2


def test_loss_is_zero_where_the_embedding_is_the_prediction():
    h = squares([[0.5, 1.0]])
    loss = loss_on_grid(squares, h, GRID)
    assert loss.shape == (41, 41)
    assert_allclose(loss[LINE.searchsorted(0.99), LINE.searchsorted(0.49)], 0, atol=1e-12)


def test_slopes_are_derivatives():
    y = np.array([[0.5, -1.0], [2.0, 3.0]])
    value, slopes = with_slopes(squares)(y)
    assert_allclose(value, y**2)
    assert_allclose(slopes, [np.diag(2 * row) for row in y], atol=1e-8)


def test_all_signs_of_a_square_are_minima():
    found = minima_on_grid(squares, squares([[0.53, 1.07]]), GRID)
    wanted = {(a * 0.53, b * 1.07) for a in (-1, 1) for b in (-1, 1)}
    assert {tuple(row.tolist()) for row in found} == wanted


def test_a_panel_has_the_lowest_minimum_apart():
    def shifted(y):  # favours positive outputs
        return np.hstack([squares(y), 0.1 * np.asarray(y)])

    truth = np.array([[0.53, 1.07]])
    loss, points = landscape(shifted, shifted(truth), truth, GRID, means=truth)
    assert loss.shape == (41, 41)
    assert_allclose(points["minimum"], truth[0], atol=0.01)
    assert len(points["other minima"]) == 3
    assert points["means"] is truth
