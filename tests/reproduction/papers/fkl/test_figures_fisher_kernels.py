import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from reproduction.datasets.generated.markov_sequences import make_markov_sequences
from reproduction.papers.fkl.figures.experiments import (
    plot_classifier_errors,
    plot_letters,
    plot_shares,
)
from reproduction.papers.fkl.figures.learning import (
    plot_mean_scores,
    plot_objective_histories,
    plot_propagation,
    plot_score_embeddings,
    plot_walks,
)

RNG = np.random.default_rng(0)
Y = np.vstack([RNG.normal(0, 1, (15, 2)), RNG.normal(9, 1, (15, 2))])
PEN, MOVES = np.ones((5, 3)), np.array([0, 0, 1, 1, 1])
CLASSIFIED = pd.DataFrame(
    [
        (method, setting, "rrmse", base + int(setting) / 100, 0.1)
        for method, base in [("a", 0.1), ("b", 1.1), ("c", 5.1)]
        for setting in ("20", "100")
    ],
    columns=["method", "setting", "metric", "mean", "std"],
)
OVERFIT = pd.DataFrame(
    {"training": [0.9, 0.95, 0.8, 1.0], "test": [0.8, 0.7, 0.8, 0.9]},
    index=pd.MultiIndex.from_product([["a", "b"], ["2", "5"]]),
)
WEIGHTS = np.linspace(0.0, 1.0, 5)
WALKS = make_markov_sequences(6, n_classes=2, persistence=0.3, random_state=0)
CLOUDS = {"plain": [Y, Y[::3]], "learned": [2 * Y, 2 * Y[::3]]}
HISTORIES = {"full": np.array([0.3, 0.6, 0.9]), "held": np.array([0.3, 0.7, 0.5, 0.6])}

FIGURES = {
    "plot_walks": (lambda: plot_walks(WALKS), 2),
    "plot_mean_scores": (
        lambda: plot_mean_scores([0, 1, 30], {"mean": [2.0, 0.1, 1e-3], "one": [9, 9, 8]}),
        1,
    ),
    "plot_propagation": (
        lambda: plot_propagation(
            WEIGHTS,
            {"a sum": {"exact": WEIGHTS, "Bethe": WEIGHTS**2}, "another": {"exact": WEIGHTS}},
        ),
        2,
    ),
    "plot_objective_histories": (lambda: plot_objective_histories(HISTORIES), 1),
    "plot_score_embeddings": (
        lambda: plot_score_embeddings(
            CLOUDS, {"training": np.arange(30) % 3, "test": np.arange(10) % 2}
        ),
        4,
    ),
    "plot_letters": (
        lambda: plot_letters(
            {"one": [PEN, 2 * PEN], "two": [PEN, PEN]},
            "ab",
            dict.fromkeys(["one", "two"], [MOVES] * 2),
        ),
        4,
    ),
    "plot_classifier_errors": (
        lambda: plot_classifier_errors({"x": CLASSIFIED, "y": CLASSIFIED}, ["rrmse"], ["a", "c"]),
        2,
    ),
    "plot_shares": (lambda: plot_shares({"x": OVERFIT}, ["c", "b", "a"]), 1),
}
# Pictures and diagrams: their text is in titles and row labels instead of axis labels.
WITHOUT_AXES = {"plot_letters"}

pytestmark = pytest.mark.usefixtures("without_a_screen")


@pytest.mark.parametrize("name", FIGURES)
def test_is_complete_and_in_the_style(name, check_figure):
    check_figure(name)


def test_walks_show_the_first_sequence_of_each_class(draw, lines):
    figure = draw("plot_walks")
    for label, axis in enumerate(figure.axes):
        assert axis.get_title() == f"class {label}"
        assert_array_equal(lines(axis)["seen"].get_xydata(), WALKS.sequences[label])
        assert_array_equal(lines(axis)["places"].get_xydata(), WALKS.means)
        moves = np.flatnonzero(np.diff(WALKS.paths[label]))
        starts = [arrow.xyann for arrow in axis.texts]
        assert_array_equal(starts, WALKS.means[WALKS.paths[label][moves]])


def test_mean_scores_are_on_logarithmic_axes_that_hold_zero_iterations(draw, lines):
    axis = draw("plot_mean_scores").axes[0]
    assert (axis.get_xscale(), axis.get_yscale()) == ("symlog", "log")
    assert axis.get_xticks().tolist() == [0, 1, 2, 5, 10, 20]
    assert_array_equal(lines(axis)["mean"].get_xydata(), [(0, 2.0), (1, 0.1), (30, 1e-3)])


def test_propagation_gives_a_method_one_look(draw, lines):
    first, second = draw("plot_propagation").axes
    assert lines(first)["exact"].get_color() == lines(second)["exact"].get_color()
    assert lines(first)["exact"].get_linestyle() != lines(first)["Bethe"].get_linestyle()
    assert [axis.get_ylabel() for axis in (first, second)] == ["a sum", "another"]


def test_objective_histories_mark_the_best_iterate(draw):
    axis = draw("plot_objective_histories").axes[0]
    curves, marks = axis.lines[::2], axis.lines[1::2]
    for curve, mark, place in zip(curves, marks, (2, 1), strict=True):
        assert_array_equal(mark.get_xydata(), curve.get_xydata()[[place]])


def test_score_embeddings_split_their_points_by_class(draw):
    axes = np.reshape(draw("plot_score_embeddings").axes, (2, 2))
    assert axes[1, 0].get_title() == "plain, test"
    assert len(axes[0, 1].lines) == 3
    assert len(axes[1, 1].lines) == 2
    assert_array_equal(axes[0, 1].lines[1].get_xydata(), 2 * Y[1::3])
    assert_array_equal(axes[1, 0].lines[1].get_xydata(), Y[::3][1::2])
    assert len({line.get_marker() for line in axes[0, 0].lines}) == 3


def test_letters_are_the_integrals_of_velocities_and_show_states(draw):
    axis = draw("plot_letters").axes[1]
    path, first, second, start = axis.lines
    assert_array_equal(path.get_xydata(), 2 * np.cumsum(np.ones((5, 2)), axis=0))
    assert_array_equal(first.get_xydata(), path.get_xydata()[:2])
    assert_array_equal(second.get_xydata(), path.get_xydata()[2:])
    assert_array_equal(start.get_xydata(), path.get_xydata()[:1])
    assert first.get_marker() != second.get_marker()


def test_classifier_errors_are_the_means(draw):
    axis = draw("plot_classifier_errors").axes[0]
    chosen = CLASSIFIED[(CLASSIFIED["method"] == "c") & (CLASSIFIED["metric"] == "rrmse")]
    line = axis.containers[1][0]
    assert_allclose(np.asarray(line.get_ydata(), float), chosen["mean"])
    assert axis.containers[1].get_label() == "c"


def test_shares_join_the_settings_of_a_method(draw):
    axis = draw("plot_shares").axes[0]
    assert_array_equal(axis.lines[1].get_xydata(), OVERFIT.loc["b"])
    assert axis.lines[1].get_marker() == "s", "the second one, as in the other figures"
    assert [text.get_text() for text in axis.texts] == ["2", "5"] * 2
