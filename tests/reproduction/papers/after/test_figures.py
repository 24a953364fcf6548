"""Figures of the chapters on what came after the paper."""

import numpy as np
import pandas as pd
import pytest

from reproduction.papers.after.figures.bibtex import plot_scores
from reproduction.papers.after.figures.many_samples import plot_errors

SCORES = pd.Series({"a": 3.0, "b": 5.0})
ERRORS = pd.DataFrame({"ours": [3.0, 2.0], "other": [4.0, np.nan]}, index=[10, 100])
FIGURES = {
    "plot_scores": (
        lambda: plot_scores(SCORES, SCORES / 10, pd.Series({"b": 4.0, "c": 4.5})),
        1,
    ),
    "plot_errors": (lambda: plot_errors(ERRORS, {"floor": 1.0}), 1),
}


@pytest.mark.parametrize("name", FIGURES)
def test_is_complete_and_in_the_style(name, check_figure):
    check_figure(name)


def test_scores_are_sorted_and_all_are_there(draw):
    (axis,) = draw("plot_scores").axes
    assert [label.get_text() for label in axis.get_yticklabels()] == ["b", "c", "a"]
    printed = axis.lines[-1].get_xdata()
    np.testing.assert_array_equal(printed, [4.0, 4.5, np.nan])


def test_missing_errors_are_not_drawn(draw):
    lines = {line.get_label(): line for line in draw("plot_errors").axes[0].lines}
    np.testing.assert_array_equal(lines["ours"].get_ydata(), [3.0, 2.0])
    np.testing.assert_array_equal(lines["other"].get_xdata(), [10])
