import numpy as np
import pytest
from matplotlib import pyplot as plt
from numpy.testing import assert_allclose, assert_array_equal

from reproduction.figures.layout import (
    draw_band,
    draw_lines,
    only_ticks,
    panel_grid,
    shared_legend,
    side_by_side,
)
from reproduction.figures.style import curve_look, in_style, line_look, mark_look

pytestmark = pytest.mark.usefixtures("without_a_screen")


def test_seven_curves_differ_in_all_that_can_be_seen_and_the_eighth_repeats():
    for part in ("color", "ls", "marker"):
        assert len({curve_look(number)[part] for number in range(7)}) == 7
    assert curve_look(7) == curve_look(0)
    assert line_look(3).items() <= curve_look(3).items()
    assert mark_look(3) == curve_look(3) | {"ls": ""}


def test_panels_have_their_size_and_no_others_are_left():
    figure, axes = side_by_side(3, 2.0, 1.5, margin=0.5)
    assert_allclose(figure.get_size_inches(), [6.5, 1.5])
    assert figure.axes == list(axes)
    figure, axes = panel_grid(4, 3, 2.0, 1.5)
    assert_allclose(figure.get_size_inches(), [6.0, 3.0])
    assert axes.shape == (2, 3)
    assert figure.axes == list(axes.flat[:4])


def test_ticks_are_those_named():
    _, axis = plt.subplots()
    axis.set_xscale("log")
    only_ticks(axis, [3, 50])
    assert_array_equal(axis.get_xticks(), [3, 50])
    assert_array_equal(axis.get_xticks(minor=True), [])
    assert [text.get_text() for text in axis.get_xticklabels()] == ["3", "50"]


def test_lines_have_looks_in_turn_and_share_a_legend():
    figure, (axis,) = side_by_side(1, 2.0, 2.0)
    draw_lines(axis, [0, 1], {"a": [1, 2], "b": [3, 4]})
    shared_legend(axis, "lower center", ncols=2)
    assert [line.get_color() for line in axis.lines] == [line_look(k)["color"] for k in (0, 1)]
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["a", "b"]


def test_a_band_holds_one_deviation():
    _, axis = plt.subplots()
    draw_band(axis, np.arange(3), np.array([1.0, 2.0, 3.0]), np.array([0.5, 1.0, 0.5]), "black")
    vertices = axis.collections[0].get_paths()[0].vertices
    assert {(1.0, 1.0), (1.0, 3.0), (0.0, 0.5), (0.0, 1.5)} <= {tuple(v) for v in vertices}


def test_the_style_ends_with_the_figure():
    outside = plt.rcParams["figure.dpi"]

    @in_style
    def inside():
        return plt.figure()

    assert inside().dpi != outside
    assert plt.rcParams["figure.dpi"] == outside
