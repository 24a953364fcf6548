import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from reproduction.papers.sslsop.figures.label_sequences import plot_label_sequences
from reproduction.papers.sslsop.figures.parameters import plot_loss_by_parameter
from reproduction.papers.sslsop.figures.predictors import (
    plot_half_steps,
    plot_local_predictors,
    plot_transduction,
)

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
Y = np.vstack([RNG.normal(0, 1, (15, 2)), RNG.normal(9, 1, (15, 2))])
HALF_STEPS = {"falls": [9.0, 8.0, 8.0, 7.0, 6.0], "leaps": [9.0, 5.0, 7.0, 4.0, 6.0]}
NAMES = np.array([list("OBO"), list("OOI")])

FIGURES = {
    "plot_half_steps": (lambda: plot_half_steps(HALF_STEPS), 1),
    "plot_label_sequences": (
        lambda: plot_label_sequences({"one": NAMES, "two": NAMES[::-1]}, ["O", "I", "B"]),
        2,
    ),
    "plot_local_predictors": (
        lambda: plot_local_predictors(
            Y[:4], np.array([0, 1, 1, 0]), Y[4:8], (np.arange(3), np.arange(2)), np.eye(2, 3)
        ),
        1,
    ),
    "plot_loss_by_parameter": (
        lambda: plot_loss_by_parameter(
            FRAME.assign(metric="loss"), {"a": 0.1, "b": 10.0}, label="C", reference="c"
        ),
        2,
    ),
    "plot_transduction": (
        lambda: plot_transduction(
            Y[:4],
            np.array([0, 1, 1, 0]),
            np.array([True, True, False, False]),
            {"before": np.array([0, 1, 0, 1]), "after": np.array([0, 1, 1, 1])},
        ),
        2,
    ),
}

pytestmark = pytest.mark.usefixtures("without_a_screen")


@pytest.mark.parametrize("name", FIGURES)
def test_is_complete_and_in_the_style(name, check_figure):
    check_figure(name)


def test_half_steps_mark_the_second_steps_that_rise(draw):
    axis = draw("plot_half_steps").axes[0]
    falls, leaps = axis.lines[1], axis.lines[3]
    assert len(falls.get_xdata()) == 0
    assert_allclose(leaps.get_xdata(), [1.0, 2.0])
    assert_allclose(leaps.get_ydata(), [7.0, 6.0])
    assert leaps.get_label() == "raised by it: 2 times"


def test_transduction_crosses_out_what_is_wrong(draw):
    before, after = draw("plot_transduction").axes
    assert [before.get_title(), after.get_title()] == ["before: 2 wrong", "after: 1 wrong"]
    assert_allclose(after.lines[-1].get_xydata(), Y[3:4])


def test_label_sequences_have_the_cells_of_their_labels(draw):
    cells = draw("plot_label_sequences").axes[0].collections[0].get_array()
    assert_array_equal(cells.reshape(2, 3), [[0, 2, 0], [0, 0, 1]])


def test_local_predictors_have_arrows_of_one_length(draw):
    arrows = draw("plot_local_predictors").axes[0].collections[-1]
    assert_allclose(np.hypot(arrows.U, arrows.V), 1.0)


def test_losses_by_parameter_show_every_split_the_mean_and_the_reference(draw):
    axis = draw("plot_loss_by_parameter").axes[0]
    reference, *splits, mean = axis.lines
    rows = FRAME[FRAME["setting"] == "20"].pivot(index="split", columns="method", values="value")
    assert_allclose(reference.get_ydata(), rows["c"].mean())
    assert_array_equal([line.get_ydata() for line in splits], rows[["a", "b"]])
    assert_array_equal(mean.get_xdata(), [0.1, 10.0])
    assert_allclose(mean.get_ydata(), rows[["a", "b"]].mean())
