import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from reproduction.datasets.generated.mixture_regression import make_mixture_regression
from reproduction.papers.ofer.figures.activities import plot_activities, plot_activity_profiles
from reproduction.papers.ofer.figures.class_map import plot_class_map
from reproduction.papers.ofer.figures.critical_difference import plot_critical_difference
from reproduction.papers.ofer.figures.protocol import plot_em_path, plot_p_values, plot_split
from reproduction.papers.ofer.figures.synthetic import (
    plot_clusters,
    plot_nearest_settings,
    plot_search_ends,
    plot_time_and_error,
)
from reproduction.papers.ofer.figures.traits import (
    plot_calibration,
    plot_errors_by_weak_labels,
    plot_scores,
)
from reproduction.papers.ofer.figures.weak_labels import plot_weak_label_value
from reproduction.papers.ofer.weak_classes.figures.latent_classes import (
    plot_assignments,
    plot_gains,
    plot_kinds,
)
from reproduction.statistics import repeated_splits, summarize

RNG = np.random.default_rng(0)
FRAME = pd.DataFrame(
    [
        (method, setting, split, "rrmse", base + int(setting) / 100 + split / 10)
        for method, base in [("a", 0.0), ("b", 1.0), ("c", 5.0)]
        for setting in ("20", "100")
        for split in range(3)
    ],
    columns=["method", "setting", "split", "metric", "value"],
)
SUMMARY = summarize(FRAME)
GRID = np.array([[0.0, 1.0], [9.0, 8.0], [1.0, 0.0]])
BOUNDS = [-5.0, -3.0, -2.5, -2.25]
SPLIT = repeated_splits(20, n_splits=1, train_fraction=0.6, train_sizes=[3, 8], random_state=0)[0]
P_VALUES = {"one": np.linspace(0.001, 1, 500), "two": np.full(500, 0.02)}
ACTIVITIES = RNG.normal(60, 5, size=(12, 5))
CELL_LINES = ["LE:a", "LE:b", "BR:c", "BR:d", "CO:e"]
CLUSTERED = make_mixture_regression(60, n_clusters=9, random_state=0)
TIMED = pd.concat([SUMMARY, SUMMARY.assign(metric="predict time", mean=[1e-3, 2e-3, 1, 2, 30, 40])])
BY_WEAK = pd.DataFrame({"mean": [0.4, 0.3], "std": [0.02, 0.01]}, index=[0, 100])
WORTH = pd.DataFrame({"weak": [30.0, 200.0]}, index=[10, 100])
RANKS = pd.Series({"a": 1.2, "b": 2.1, "d": 3.9, "c": 2.8})

STEPS = pd.DataFrame({"first": [1.0, 2.0], "second": [3.0, 4.0]}, index=[1, 10])

CURVE = pd.Series({10: 1.0, 100: 0.5})
FIGURES = {
    "plot_assignments": (
        lambda: plot_assignments(
            ACTIVITIES[:, :2],
            {"start": np.zeros(12), "round 1": np.arange(12) % 2},
            np.arange(12) % 2,
            ["a", "b"],
            ACTIVITIES[:2, 2:4],
            np.arange(2),
        ),
        2,
    ),
    "plot_gains": (lambda: plot_gains({"a": STEPS, "b": STEPS}, {"a": STEPS, "b": STEPS}), 2),
    "plot_kinds": (lambda: plot_kinds({"many": STEPS, "coarse": STEPS}, ["n", "k"]), 2),
    "plot_class_map": (
        lambda: plot_class_map(ACTIVITIES, list("abcdefghijkl"), np.arange(12) % 9),
        1,
    ),
    "plot_critical_difference": (lambda: plot_critical_difference(RANKS, 1.0), 1),
    "plot_scores": (
        lambda: plot_scores(GRID / 9, [0.9, 0.75], {"one": GRID / 9, "two": GRID[:1]}),
        2,
    ),
    "plot_calibration": (
        lambda: plot_calibration(GRID, {"half": GRID / 2, "none": 0 * GRID}, n_bins=2),
        1,
    ),
    "plot_errors_by_weak_labels": (
        lambda: plot_errors_by_weak_labels(
            {"first": {"ours": BY_WEAK, "paper": BY_WEAK / 2}, "second": {"paper": BY_WEAK}},
            ylabel="error",
        ),
        2,
    ),
    "plot_weak_label_value": (lambda: plot_weak_label_value(WORTH), 1),
    "plot_clusters": (lambda: plot_clusters({"one": CLUSTERED, "two": CLUSTERED}), 4),
    "plot_search_ends": (
        lambda: plot_search_ends(
            CLUSTERED.means,
            CLUSTERED.Y[:5],
            {"many": CLUSTERED.Y[:5], "one": CLUSTERED.Y[5:10]},
            start=CLUSTERED.means[0],
        ),
        2,
    ),
    "plot_nearest_settings": (
        lambda: plot_nearest_settings(
            {"one": (CURVE, CURVE / 2, {"near": CURVE * 1.1}, CURVE.to_frame().T)}
        ),
        1,
    ),
    "plot_time_and_error": (
        lambda: plot_time_and_error(TIMED, settings=["20", "100"]),
        2,
    ),
    "plot_em_path": (lambda: plot_em_path(BOUNDS, {"early": 2, "late": 4}), 2),
    "plot_split": (lambda: plot_split(SPLIT, [3, 8]), 1),
    "plot_p_values": (lambda: plot_p_values(P_VALUES, [0.05]), 1),
    "plot_activities": (lambda: plot_activities(ACTIVITIES, CELL_LINES), 3),
    "plot_activity_profiles": (
        lambda: plot_activity_profiles(
            ACTIVITIES[:2], {"one": ACTIVITIES[2:4], "two": ACTIVITIES[4:6]}, ["NSC 1", "NSC 2"]
        ),
        2,
    ),
}
# Pictures and diagrams: their text is in titles and row labels instead of axis labels.
WITHOUT_AXES = {"plot_critical_difference"}

pytestmark = pytest.mark.usefixtures("without_a_screen")


@pytest.mark.parametrize("name", FIGURES)
def test_is_complete_and_in_the_style(name, check_figure):
    check_figure(name)


def test_a_single_panel():
    assert len(plot_activity_profiles(ACTIVITIES[:1], {}, ["NSC 1"]).axes) == 1


def test_em_path_and_what_it_lacks(draw, legend_texts):
    left, right = draw("plot_em_path").axes
    assert_allclose(left.lines[0].get_ydata(), BOUNDS)
    assert_allclose(right.lines[0].get_ydata(), [2.75, 0.75, 0.25])
    assert [line.get_xdata()[0] for line in left.lines[1:]] == [2, 4]
    assert legend_texts(left) == ["early", "late"]


def test_split_bars_add_up(draw):
    axis = draw("plot_split").axes[0]
    widths = [[bar.get_width() for bar in bars] for bars in axis.containers]
    assert_array_equal(widths, [[3, 8], [9, 4], [8, 8]])
    assert [text.get_text() for text in axis.get_yticklabels()] == ["3", "8"]


def test_p_values_as_shares_below_each_level(draw, lines):
    axis = draw("plot_p_values").axes[0]
    level, share = lines(axis)["two"].get_data()
    assert_array_equal(np.isnan(share), level <= 0.02)
    assert_array_equal(share[level > 0.02], 1.0)
    level, share = lines(axis)["one"].get_data()
    assert_allclose(share[level > 0.01], level[level > 0.01], atol=0.01)


def test_activities_as_a_density_and_as_correlations(draw):
    histogram, matrix = draw("plot_activities").axes[:2]
    assert_allclose(sum(bar.get_height() * bar.get_width() for bar in histogram.patches), 1.0)
    shown = matrix.images[0].get_array()
    assert shown.shape == (5, 5)
    assert_allclose(np.diag(shown), 1.0)


def test_activity_profiles_hold_truth_and_predictions(draw):
    first = draw("plot_activity_profiles").axes[0]
    assert "NSC 1" in first.get_title()
    assert_allclose(sorted(bar.get_height() for bar in first.patches), sorted(ACTIVITIES[0]))


def test_clusters_are_drawn_apart_in_both_planes(draw):
    left, right = draw("plot_clusters").axes[:2]
    sizes = np.bincount(CLUSTERED.clusters, minlength=9)
    for axis in (left, right):
        assert [len(line.get_xdata()) for line in axis.lines] == sizes.tolist()
        looks = {
            (line.get_color(), line.get_marker(), line.get_markerfacecolor()) for line in axis.lines
        }
        assert len(looks) == 9
    first = right.lines[0].get_xydata()
    assert_allclose(first, CLUSTERED.X[CLUSTERED.clusters == 0, :2])
    # A projection keeps the distances in the plane of the principal axes: labels sit on means.
    centre = left.lines[0].get_xydata().mean(axis=0)
    assert np.linalg.norm(centre - left.texts[0].xy) < 2.0


def test_time_and_error_has_a_mark_a_method(draw):
    left, right = draw("plot_time_and_error").axes
    for axis, setting in ((left, "20"), (right, "100")):
        marks = [container.lines[0].get_xydata()[0] for container in axis.containers]
        rows = TIMED[TIMED["setting"] == setting].pivot(
            index="method", columns="metric", values="mean"
        )
        assert_allclose(marks, rows[["predict time", "rrmse"]])
        assert axis.get_xscale() == "log"


def test_search_ends_are_joined_with_the_truth(draw):
    left, right = draw("plot_search_ends").axes
    *_, true, found, means = left.lines
    assert_allclose(found.get_xydata(), true.get_xydata())
    assert len(means.get_xdata()) == 9
    *pairs, true, found, _, start = right.lines
    joined = [line.get_xydata() for line in pairs]
    assert_allclose([pair[0] for pair in joined], found.get_xydata())
    assert_allclose([pair[1] for pair in joined], true.get_xydata())
    assert_allclose(start.get_xydata(), means.get_xydata()[:1])


def test_value_of_weak_labels_against_the_diagonal():
    curve, diagonal = plot_weak_label_value(WORTH).axes[0].lines
    assert_array_equal(curve.get_ydata(), [30.0, 200.0])
    assert_array_equal(diagonal.get_xydata(), [[10, 10], [100, 100]])


def test_critical_difference_joins_what_it_cannot_tell_apart(draw):
    axis = draw("plot_critical_difference").axes[0]
    bars = [line.get_xdata() for line in axis.lines if line.get_linewidth() > 3]
    assert_allclose(bars, [[1.16, 2.14], [2.06, 2.84]])
    texts = [text.get_text() for text in axis.texts]
    assert {"a  1.2", "b  2.1", "2.8  c", "3.9  d", "critical difference 1.0"} <= set(texts)


def test_scores_with_thresholds_on_both_sides(draw, legend_texts):
    left, right = draw("plot_scores").axes
    assert_allclose(
        [line.get_xdata()[0] for line in left.lines], [0.9, 0.1, 0.75, 0.25], atol=1e-12
    )
    assert sum(bar.get_height() for bar in left.patches) == GRID.size
    assert legend_texts(left) == ["0.1 and 0.9", "0.25 and 0.75"]
    assert legend_texts(right) == ["one", "two"]


def test_calibration_of_halved_predictions_has_slope_two(draw):
    half, none, diagonal = draw("plot_calibration").axes[0].lines
    assert_allclose(half.get_ydata(), 2 * np.array(half.get_xdata()))
    # The values are 0, 0, 1, 1, 8 and 9, in two bins of three.
    assert_allclose(half.get_ydata(), [1 / 3, 6.0])
    assert_allclose(none.get_xdata(), 0.0)
    assert_array_equal(diagonal.get_xdata(), diagonal.get_ydata())


def test_errors_by_weak_labels_keep_their_look_across_panels(draw):
    figure = draw("plot_errors_by_weak_labels")
    (ours, paper), (again,) = ([bars.lines[0] for bars in axis.containers] for axis in figure.axes)
    assert_array_equal(ours.get_xdata(), [0, 100])
    assert_array_equal(ours.get_ydata(), [0.4, 0.3])
    assert paper.get_color() == again.get_color() != ours.get_color()
    assert paper.get_linestyle() == again.get_linestyle() != ours.get_linestyle()
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["ours", "paper"]


def test_class_map_names_every_class_at_its_place(draw):
    axis = draw("plot_class_map").axes[0]
    assert [text.get_text() for text in axis.texts] == list("abcdefghijkl")
    points = np.vstack([line.get_xydata() for line in axis.lines])
    assert {text.xy[0] for text in axis.texts} == set(points[:, 0])
    centred = ACTIVITIES - ACTIVITIES.mean(axis=0)
    values = np.linalg.svd(centred, compute_uv=False)
    assert_allclose(np.linalg.norm(points, axis=0), values[:2])
    looks = {(line.get_color(), line.get_marker()) for line in axis.lines}
    assert len(looks) == len(axis.lines) == 9
