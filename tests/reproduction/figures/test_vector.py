"""Figures as SVG, in pieces that need nothing of each other."""

import re
from xml.etree import ElementTree

import matplotlib.pyplot as plt
import numpy as np
import pytest

from reproduction.figures import vector
from reproduction.figures.layout import shared_legend, side_by_side
from reproduction.figures.style import curve_look, in_style
from reproduction.figures.vector import to_png, to_svg

pytestmark = pytest.mark.usefixtures("without_a_screen")


@in_style
def plot_two(**options):
    figure, axes = side_by_side(2, 3.0, 2.5, **options)
    for axis in axes:
        axis.plot([1, 2, 4], [0.5, np.nan, 0.25], label="$x_1$", **curve_look(0))
        axis.plot([1, 4], [0.1, 0.2], label="two", **curve_look(0))
        axis.set_yticks([0.125, 0.25])
    axes[0].set(ylabel="error")
    shared_legend(axes[0], "lower center", ncols=2)
    return figure


def pieces(figure):
    return list(ElementTree.fromstring(re.sub(' xmlns="[^"]*"', "", to_svg(figure))))


def texts(piece):
    return {"".join(text.itertext()) for text in piece.iter("text")}


def test_panels_and_entries_of_the_legend_are_pieces():
    left, right, *entries = pieces(plot_two())
    assert {"error", "0.125", "4"} <= texts(left) & texts(right), "each has its axis"
    assert [piece.get("class") for piece in (left, right, *entries)] == [None, None, *["entry"] * 2]
    assert [texts(piece) for piece in entries] == [{"x1"}, {"two"}]


def test_panels_that_one_axis_names_stay_together():
    assert len(pieces(plot_two(sharey=True))) == 4

    figure = plot_two(sharey=True)
    figure.axes[1].tick_params(labelleft=False)
    assert len(pieces(figure)) == 3


def test_a_piece_has_all_that_it_refers_to():
    everywhere = []
    for piece in pieces(plot_two()):
        text = ElementTree.tostring(piece, encoding="unicode")
        ids = re.findall(r'\bid="([^"]*)"', text)
        assert set(re.findall(r'(?:url\(|href=")#([^")]*)', text)) == set(ids)
        everywhere += ids
    assert len(everywhere) == len(set(everywhere)) > 4


def test_marks_of_curves_say_their_values():
    left = pieces(plot_two())[0]
    said = [title.text for title in left.iter("title")]
    assert said == ["$x_1$: 0.5 at 1", "$x_1$: 0.25 at 4", "two: 0.1 at 1", "two: 0.2 at 4"]


def test_the_same_figure_gives_the_same_text():
    first, second = to_svg(plot_two()), to_svg(plot_two())
    assert first == second
    assert "date" not in first
    assert max(map(len, re.findall(r"\.(\d+)(?=[^<>]*>)", first))) == 2


def test_pictures_and_heavy_drawings_are_pixels_at_twice_the_size(monkeypatch):
    figure = plot_two()
    assert to_png(figure) is None
    monkeypatch.setattr(vector, "HEAVY", 100)
    content, shown = to_png(figure)
    assert to_svg(figure) is None
    assert content.startswith(b"\x89PNG")
    assert shown["width"] == pytest.approx(6 * figure.dpi, rel=0.1)
    picture = plt.figure()
    picture.add_subplot().imshow(np.eye(2))
    monkeypatch.undo()
    assert to_svg(picture) is None
