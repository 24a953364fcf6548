import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from reproduction.datasets.generated.toy_curves import make_toy1
from reproduction.papers.smtgp.figures.divergences import (
    plot_divergence_family,
    plot_objectives,
    plot_two_means,
)
from reproduction.papers.smtgp.figures.experiments import (
    plot_certainty,
    plot_error_by_alpha,
    plot_evaluation_times,
    plot_skeletons,
)
from reproduction.papers.smtgp.figures.toy_curves import plot_multivalued

RNG = np.random.default_rng(0)
POWERS = pd.DataFrame(
    [(f"power {p}", f"{n}", 1e-6 * n**p) for p in (2, 3) for n in (100, 200, 400)],
    columns=["method", "setting", "mean"],
)
TOY = make_toy1(20, n_test=10, random_state=0)
POSES = RNG.normal(size=(2, 4, 3))
LIMBS = np.array([[0, 1], [1, 2], [1, 3]])
WEIGHTS = np.linspace(0.0, 1.0, 5)
BY_ALPHA = pd.Series([3.0, 1.0, 2.0], index=[0.0, 1e-3, 1.0])
CERTAINTY = np.linspace(-2.0, 0.0, 40)

FIGURES = {
    "plot_skeletons": (
        lambda: plot_skeletons({"true": POSES, "predicted": POSES + 0.1}, LIMBS, ["a", "b"]),
        4,
    ),
    "plot_divergence_family": (
        lambda: plot_divergence_family(
            WEIGHTS, {"one": WEIGHTS, "two": WEIGHTS**2}, {"KL": (1.0, 1.0)}
        ),
        1,
    ),
    "plot_objectives": (
        lambda: plot_objectives(WEIGHTS, {"one": (WEIGHTS - 0.5) ** 2 + 3.0}, [0.2, 0.8]),
        1,
    ),
    "plot_two_means": (lambda: plot_two_means(WEIGHTS, [(1.0, 4.0), (2.0, 2.0)]), 2),
    "plot_multivalued": (
        lambda: plot_multivalued(TOY, dict.fromkeys("abcd", TOY.branches[:, :1])),
        4,
    ),
    "plot_error_by_alpha": (
        lambda: plot_error_by_alpha(
            {"x": {"test": BY_ALPHA, "validation": 2 * BY_ALPHA}, "y": {"test": BY_ALPHA}},
            ylabel="error",
        ),
        2,
    ),
    "plot_certainty": (
        lambda: plot_certainty({"x": (CERTAINTY, -CERTAINTY)}, n_bins=4),
        1,
    ),
    "plot_evaluation_times": (lambda: plot_evaluation_times(POWERS), 1),
}
# Pictures and diagrams: their text is in titles and row labels instead of axis labels.
WITHOUT_AXES = {"plot_skeletons"}

pytestmark = pytest.mark.usefixtures("without_a_screen")


@pytest.mark.parametrize("name", FIGURES)
def test_is_complete_and_in_the_style(name, check_figure):
    check_figure(name)


def test_skeletons_join_points_by_limbs_in_both_views(draw):
    figure = draw("plot_skeletons")
    front, side = figure.axes[0], figure.axes[2]
    for axis, across in ((front, 0), (side, 2)):
        path = axis.lines[0].get_xydata().reshape(3, 3, 2)
        assert_array_equal(path[:, :2], POSES[0][LIMBS][:, :, [across, 1]])
        assert np.isnan(path[:, 2]).all()
        assert axis.yaxis_inverted()
    assert [axis.get_title() for axis in figure.axes[:2]] == ["a", "b"]


def test_objectives_are_measured_from_their_minimum(draw, lines):
    axis = draw("plot_objectives").axes[0]
    assert_allclose(lines(axis)["one"].get_ydata(), 2 * abs(WEIGHTS - 0.5))
    marked = [line for line in axis.lines if line.get_marker() == "v"]
    assert_allclose(marked[0].get_xydata(), [[0.5, 0.0]])
    assert [line.get_xdata()[0] for line in axis.lines[:2]] == [0.2, 0.8]


def test_two_means_agree_where_the_numbers_do(draw):
    first, second = draw("plot_two_means").axes
    geometric, arithmetic = (line.get_ydata() for line in first.lines)
    assert (geometric[1:-1] < arithmetic[1:-1]).all()
    assert_allclose([geometric[0], geometric[-1]], [1.0, 4.0])
    assert_allclose(*(line.get_ydata() for line in second.lines))


def test_multivalued_shows_data_and_predictions(draw):
    axis = draw("plot_multivalued").axes[3]
    assert axis.get_title() == "d"
    data, predicted = axis.lines
    assert_array_equal(data.get_xydata(), np.hstack([TOY.X, TOY.Y]))
    assert_array_equal(predicted.get_xdata(), TOY.X_test[:, 0])


def test_error_by_alpha_marks_the_least(draw):
    axis = draw("plot_error_by_alpha").axes[0]
    rings = [line.get_xydata()[0] for line in axis.lines if line.get_markersize() == 12]
    assert_array_equal(rings, [[1, 1], [1, 2]])
    assert [text.get_text() for text in axis.get_xticklabels()] == ["0", "0.001", "1"]


def test_certainty_is_binned_and_correlated(draw):
    axis = draw("plot_certainty").axes[0]
    assert axis.get_title() == "x: -1.00"
    assert_allclose(axis.lines[1].get_ydata(), -CERTAINTY.reshape(4, 10).mean(axis=1))


def test_evaluation_times_have_slopes(draw, legend_texts):
    axis = draw("plot_evaluation_times").axes[0]
    assert legend_texts(axis) == ["power 2, slope 2.0", "power 3, slope 3.0"]
    assert [text.get_text() for text in axis.get_xticklabels()] == ["100", "200", "400"]


def test_divergence_family_has_its_limits(draw, lines, legend_texts):
    axis = draw("plot_divergence_family").axes[0]
    assert_array_equal(lines(axis)["KL"].get_xydata(), [[1.0, 1.0]])
    assert legend_texts(axis) == ["one", "two", "KL"]
