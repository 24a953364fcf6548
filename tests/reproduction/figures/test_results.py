import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex
from numpy.testing import assert_allclose, assert_array_equal

from reproduction.figures.curves import plot_curves
from reproduction.figures.errors_by_split import (
    plot_error_by_method,
    plot_paired_differences,
    plot_task_errors,
)
from reproduction.figures.gains import plot_abstract, plot_gain_parts, plot_leads
from reproduction.figures.learning_curves import plot_learning_curves
from reproduction.figures.loo_path import plot_loo_path
from reproduction.figures.method_times import plot_times
from reproduction.figures.relative_errors import plot_ablation, plot_relative_errors
from reproduction.figures.scorecard import plot_printed_and_ours, plot_scorecard
from reproduction.statistics import summarize

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
ALPHAS = np.logspace(-2, 2, 5)
ERRORS = {"membership": np.array([4.0, 2.0, 1.0, 2.0, 4.0]), "mean": np.array([3, 6.0, 9, 12, 15])}
COUNTS = pd.DataFrame({"in part": [1, 2], "reproduced": [3, 0]}, index=["one", "two"])
CELLS = pd.DataFrame(
    [
        ("a-table-01", False, 1.0, 1.05),
        ("a-table-01", False, 1.0, 1.2),
        ("a-table-01", False, 30.0, 3.0),
        ("b-table-02", False, 0.0, 5.0),
        ("b-table-02", True, 1.0, 2.0),
    ],
    columns=["table", "is_time", "paper", "ours"],
).assign(ratio=lambda cells: cells["ours"] / cells["paper"])
TIMED = pd.concat([SUMMARY, SUMMARY.assign(metric="predict time", mean=[1e-3, 2e-3, 1, 2, 30, 40])])

MEANS_BY_SIZE = pd.DataFrame(
    {"m-KRR": [0.4, 0.3], "m-KRR centred": [0.2, 0.19], "OFER-GMM as printed": [0.21, 0.2]},
    index=[10, 100],
)
CHANGES = pd.DataFrame(
    [
        ("intercept", "alone", "a", -20.0),
        ("intercept", "alone", "a", -10.0),
        ("embedding", "alone", "b", 1.0),
        ("embedding", "weak", "a", 3.0),
    ],
    columns=["part", "kind", "task", "change"],
)
LEADS = pd.DataFrame({"table": ["x", "x", "y"], "printed": [0.5, 12, -3], "ours": [0, -1, np.nan]})

FIGURES = {
    "plot_task_errors": (
        lambda: plot_task_errors(
            FRAME, {"few": ("20", "rrmse"), "many": ("100", "rrmse")}, ["c", "a"]
        ),
        2,
    ),
    "plot_relative_errors": (
        lambda: plot_relative_errors(FRAME, ["b", "c"], reference="a", metric="rrmse"),
        1,
    ),
    "plot_times": (lambda: plot_times(TIMED, metrics=("rrmse", "predict time")), 2),
    "plot_abstract": (
        lambda: plot_abstract(
            MEANS_BY_SIZE, pd.DataFrame({"one": [-16.0, -14.0], "two": [-0.2, 0.0]})
        ),
        3,
    ),
    "plot_gain_parts": (lambda: plot_gain_parts(CHANGES), 2),
    "plot_leads": (lambda: plot_leads(LEADS), 1),
    "plot_ablation": (lambda: plot_ablation(FRAME, reference="a"), 2),
    "plot_error_by_method": (
        lambda: plot_error_by_method(
            FRAME[FRAME["setting"] == "20"], metric="rrmse", label="RRMSE", reference=1.0
        ),
        1,
    ),
    "plot_scorecard": (lambda: plot_scorecard(COUNTS), 1),
    "plot_printed_and_ours": (lambda: plot_printed_and_ours(CELLS, n_columns=2), 3),
    "plot_learning_curves": (lambda: plot_learning_curves(SUMMARY, paper=SUMMARY), 2),
    "plot_paired_differences": (
        lambda: plot_paired_differences(FRAME, [("b", "a"), ("c", "a")]),
        2,
    ),
    "plot_loo_path": (
        lambda: plot_loo_path(
            dict.fromkeys(ERRORS, ALPHAS), ERRORS, {"membership": 1.0, "mean": 0.01}
        ),
        1,
    ),
    "plot_curves": (
        lambda: plot_curves(
            ALPHAS,
            {"a": {"one": ERRORS["mean"], "two": np.stack(list(ERRORS.values()))}, "b": ERRORS},
            xlabel="x",
            ylabel="error",
            chosen={"a": 1.0, "b": 0.1},
            yscale="log",
        ),
        2,
    ),
}

pytestmark = pytest.mark.usefixtures("without_a_screen")


@pytest.mark.parametrize("name", FIGURES)
def test_is_complete_and_in_the_style(name, check_figure):
    check_figure(name)


def test_learning_curves_show_the_means_in_order_of_size(draw, lines):
    first, second = draw("plot_learning_curves").axes
    assert [first.get_title(), second.get_title()] == ["this book", "as printed in the paper"]
    curve = lines(first)["b"]
    assert_array_equal(curve.get_xdata(), [20, 100])
    assert_allclose(curve.get_ydata(), [1.3, 2.1])
    assert first.get_xscale() == "log"


def test_curves_are_means_of_runs_and_mark_the_choice(draw):
    figure = draw("plot_curves")
    first, second = figure.axes
    assert_allclose(first.lines[1].get_ydata(), np.mean(list(ERRORS.values()), axis=0))
    assert len(first.collections) == 1, "a band only where there are several runs"
    assert_array_equal(second.lines[-1].get_xdata(), [0.1, 0.1])
    names = [text.get_text() for text in figure.legends[0].get_texts()]
    assert names == ["one", "two", "membership", "mean", "chosen"]
    assert_allclose(first.get_xticks(), ALPHAS)
    assert (second.get_xscale(), second.get_yscale()) == ("log", "log")


def test_learning_curves_without_the_paper_and_within_limits():
    figure = plot_learning_curves(SUMMARY, limits=(0.0, 1.0))
    assert len(figure.axes) == 1
    assert figure.axes[0].get_ylim() == (0.0, 1.0)


def test_learning_curves_can_be_told_apart_in_grey(draw):
    curves = draw("plot_learning_curves").axes[0].lines
    for style in ("get_linestyle", "get_marker"):
        assert len({getattr(curve, style)() for curve in curves}) == 3
    assert len({to_hex(curve.get_color()) for curve in curves}) == 3


def test_paired_differences_one_dot_a_split(draw):
    first, second = draw("plot_paired_differences").axes
    dots = [line.get_ydata() for line in second.lines if line.get_linestyle() == "None"]
    assert_allclose(dots, np.full((2, 3), 5.0))
    assert first.get_title() == "b minus a"
    assert [text.get_text() for text in first.get_xticklabels()] == ["20", "100"]


def test_loo_path_is_relative_to_the_best(draw, lines, legend_texts):
    axis = draw("plot_loo_path").axes[0]
    assert legend_texts(axis) == list(ERRORS)
    assert_allclose(lines(axis)["mean"].get_ydata(), ERRORS["mean"] / 3)
    marks = [line for line in axis.lines if line.get_linestyle() == "None"]
    assert [line.get_xdata()[0] for line in marks] == [1.0, 0.01]


def test_scorecard_stacks_the_verdicts_in_a_fixed_order(legend_texts):
    axes = plot_scorecard(COUNTS).axes[0]
    assert legend_texts(axes) == ["reproduced", "in part"]
    starts = [[bar.get_x() for bar in bars] for bars in axes.containers]
    assert starts == [[0, 0], [3, 0]]
    assert [bars[0].get_width() for bars in axes.containers] == [3, 1]


def test_printed_and_ours_fill_what_lies_in_the_band(draw):
    errors, percent, times = axes = draw("plot_printed_and_ours").axes
    assert [axis.get_title() for axis in (errors, times)] == ["A Table 1", "B Table 2, times"]
    assert percent.get_title() == "B Table 2"
    assert [axis.get_xscale() for axis in axes] == ["log", "linear", "linear"]
    _, near, far = errors.lines
    assert_array_equal(near.get_xydata(), [(1.0, 1.05)])
    assert_array_equal(far.get_xydata(), [(1.0, 1.2), (30.0, 3.0)])
    assert near.get_markerfacecolor() != far.get_markerfacecolor()
    assert near.get_marker() != times.lines[1].get_marker()
    for axis in axes:
        assert axis.get_xlim() == axis.get_ylim()
        assert_array_equal(*axis.lines[0].get_data())


def test_error_by_method_one_dot_a_split(draw):
    axis = draw("plot_error_by_method").axes[0]
    dots = [line.get_xdata() for line in axis.lines if line.get_linestyle() == "None"]
    assert_allclose(dots, [[0.2, 0.3, 0.4], [1.2, 1.3, 1.4], [5.2, 5.3, 5.4]])
    means = [bars.get_paths()[0].vertices[0, 0] for bars in axis.collections]
    assert_allclose(means, [0.3, 1.3, 5.3])
    assert [text.get_text() for text in axis.get_yticklabels()] == ["a", "b", "c"]
    assert axis.yaxis_inverted()


def test_parts_of_gains_stand_in_the_rows_of_their_tasks(draw):
    first, second = draw("plot_gain_parts").axes
    assert [first.get_title(), second.get_title()] == ["intercept", "embedding"]
    assert [text.get_text() for text in first.get_yticklabels()] == ["a", "b"]
    assert_allclose(first.containers[0][0].get_xydata(), [[-15, 0]])
    alone, weak = second.containers
    assert_allclose(alone[0].get_xydata(), [[1, 1]])
    assert_allclose(weak[0].get_xydata(), [[3, 0]])
    assert alone[0].get_marker() != weak[0].get_marker()


def test_leads_stand_in_the_rows_of_their_tables(draw):
    axis = draw("plot_leads").axes[0]
    printed, ours = axis.lines[-2:]
    assert_allclose(printed.get_xdata(), LEADS["printed"])
    assert_allclose(np.round(printed.get_ydata()), [0, 0, 1])
    assert ours.get_markerfacecolor() == "none"


def test_the_abstract_shows_the_claim_without_its_cause(draw):
    claim, cause, rest = draw("plot_abstract").axes
    assert len(claim.lines) == 2
    assert_allclose(cause.lines[1].get_ydata(), MEANS_BY_SIZE["m-KRR centred"])
    assert [text.get_text() for text in rest.texts] == ["one  −15.0 %", "two  −0.1 %"]
    (bars,) = rest.containers[-1].errorbar[2]
    assert_allclose(
        [np.ptp(path.vertices[:, 0]) / 2 for path in bars.get_paths()], [2**0.5, 0.1 * 2**0.5]
    )


def test_tables_are_called_by_their_papers():
    axis = plot_scorecard(COUNTS.set_axis(["ofer-table-09", "no table"])).axes[0]
    assert [text.get_text() for text in axis.get_yticklabels()] == ["OFER Table 9", "no table"]


def test_ablation_shows_the_ratio_to_the_reference():
    panel = plot_ablation(FRAME, reference="b").axes[0]
    wide = FRAME[FRAME["setting"] == "20"].pivot(index="split", columns="method", values="value")
    assert panel.get_title() == "20"
    assert_allclose(panel.lines[0].get_xdata(), wide[["a", "c"]].div(wide["b"], axis=0).mean())


def test_times_are_sorted_by_the_first_metric(draw):
    left, _ = draw("plot_times").axes
    rows = TIMED[TIMED["setting"] == "20"].pivot(index="method", columns="metric", values="mean")
    rows = rows.sort_values("rrmse", ascending=False)
    assert [label.get_text() for label in left.get_yticklabels()] == list(rows.index)
    for line, metric in zip(left.lines, ("rrmse", "predict time"), strict=True):
        assert_allclose(line.get_xdata(), rows[metric])


def test_relative_errors_are_means_of_ratios_in_each_split(draw):
    axis = draw("plot_relative_errors").axes[0]
    (ratios,) = (c[0].get_xdata() for c in axis.containers if c.get_label() == "b")
    base = np.array([[0.2, 0.3, 0.4], [1.0, 1.1, 1.2]])
    assert_allclose(ratios, (1 + 1 / base).mean(axis=1))
    assert [text.get_text() for text in axis.get_yticklabels()] == ["20", "100"]


def test_task_errors_show_every_split_and_the_mean(draw):
    figure = draw("plot_task_errors")
    first = figure.axes[0]
    dots, mean = first.lines[0], first.collections[0]
    expected = FRAME.query("method == 'c' and setting == '20'")["value"]
    assert_array_equal(dots.get_xdata(), expected)
    assert_allclose(mean.get_paths()[0].vertices[:, 0], expected.mean())
    assert [text.get_text() for text in first.get_yticklabels()] == ["c", "a"]
    assert first.yaxis_inverted()
