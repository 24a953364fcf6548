import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.utils import Bunch

from reproduction.papers.ofer.coverage import EXPERIMENT, evaluate, take_split, worst_slab
from reproduction.papers.ofer.figures.regions import (
    plot_bands,
    plot_coverage,
    plot_left_out,
    plot_regions,
    plot_sizes,
)

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


def test_words_become_directions():
    counts = sparse.random_array((150, 200), density=0.2, rng=np.random.default_rng(0))
    part = take_split(Bunch(X=sparse.csr_array(counts), Y=RNG.normal(size=(150, 2))), 1)
    assert part.X.shape == (120, 100)
    assert part.X_test.shape == (30, 100)


@pytest.mark.parametrize("method", EXPERIMENT.methods)
def test_every_method_gives_all_numbers(method):
    found = evaluate(TOY, method, "toy", 0)
    sizes = [found[f"log size {level}"] for level in EXPERIMENT.parameters["levels"][:3]]
    held = [found[f"coverage {level}"] for level in EXPERIMENT.parameters["levels"]]
    assert sizes == sorted(sizes)
    assert held == sorted(held)
    assert 0.5 < found["coverage 0.9"] <= 1.0
    assert 0.0 <= found["slab 0.9"] <= 1.0


def test_the_worst_slab_is_found():
    inputs = RNG.uniform(-1, 1, size=(800, 2))
    inside = (inputs[:, 0] < 0.5).astype(float)
    assert worst_slab(inputs, inside, seed=0) < 0.3
    assert_allclose(worst_slab(inputs, np.ones(800), seed=0), 1.0)


STEPS = np.arange(5.0)
WITHOUT = RNG.normal(size=(7, 5))
ENDS = np.array([[[0.0, 1.0], [2.0, 5.0]]])
SERIES = RNG.normal(size=(2, 4))
BANDS = {"narrow": np.stack([SERIES - 1, SERIES + 1], axis=2)}
SHARES = pd.DataFrame({0.5: [0.4, 0.6], 0.9: [0.8, 0.9]}, index=["a", "b"])
FIGURES = {
    "plot_left_out": (
        lambda: plot_left_out(
            STEPS, STEPS, np.linspace(0, 4, 7), np.zeros(7), WITHOUT, [1, 3], STEPS + 1
        ),
        2,
    ),
    "plot_regions": (lambda: plot_regions(Y[:, :2], {"a": ENDS}, np.array([[0.5, 3.0]])), 1),
    "plot_bands": (lambda: plot_bands(SERIES, SERIES, BANDS), 2),
    "plot_coverage": (
        lambda: plot_coverage({"m": SHARES, "n": SHARES}, SHARES - 0.1, SHARES + 0.1),
        2,
    ),
    "plot_sizes": (lambda: plot_sizes(pd.DataFrame({"m": [0.5, 2.0]}, index=["a", "b"])), 1),
}


@pytest.mark.parametrize("name", FIGURES)
def test_is_complete_and_in_the_style(name, check_figure):
    check_figure(name)


def test_left_out_points_have_a_panel_each(draw):
    figure = draw("plot_left_out")
    for axis, i in zip(figure.axes, [1, 3], strict=True):
        lines = [line.get_xydata() for line in axis.lines]
        assert_allclose(lines[2][:, 1], WITHOUT[:, i])
        assert_allclose(lines[3], [[i, i]])
        assert_allclose(lines[4], [[i, i + 1]])


def test_boxes_are_where_their_ends_are(draw):
    (axis,) = draw("plot_regions").axes
    assert axis.patches[0].get_bbox().bounds == (0.0, 2.0, 1.0, 3.0)


def test_bands_are_drawn_around_series(draw):
    lower = draw("plot_bands").axes[1].lines[0].get_ydata()
    assert_allclose(lower, SERIES[1] - 1)


def test_coverage_and_sizes_are_drawn_by_row(draw):
    figure = draw("plot_coverage")
    marks = [line for line in figure.axes[0].lines if line.get_label() == "90%"]
    assert_allclose(marks[0].get_xdata(), [0.8, 0.9])
    assert [tick.get_text() for tick in figure.axes[0].get_yticklabels()] == ["a", "b"]
    (axis,) = draw("plot_sizes").axes
    assert_array_equal(axis.lines[1].get_xdata(), [0.5, 2.0])
