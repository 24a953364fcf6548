"""Figures of the chapters on what came after the paper."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from reproduction.papers.after.figures.bibtex import plot_scores
from reproduction.papers.after.figures.many_samples import plot_errors


@pytest.fixture(autouse=True)
def close():
    yield
    plt.close("all")


def test_scores_are_sorted_and_all_are_there():
    scores = pd.Series({"a": 3.0, "b": 5.0})
    figure = plot_scores(scores, scores / 10, pd.Series({"b": 4.0, "c": 4.5}))
    (axis,) = figure.axes
    assert [label.get_text() for label in axis.get_yticklabels()] == ["b", "c", "a"]
    printed = axis.lines[-1].get_xdata()
    np.testing.assert_array_equal(printed, [4.0, 4.5, np.nan])


def test_missing_errors_are_not_drawn():
    errors = pd.DataFrame({"ours": [3.0, 2.0], "other": [4.0, np.nan]}, index=[10, 100])
    figure = plot_errors(errors, {"floor": 1.0})
    lines = {line.get_label(): line for line in figure.axes[0].lines}
    np.testing.assert_array_equal(lines["ours"].get_ydata(), [3.0, 2.0])
    np.testing.assert_array_equal(lines["other"].get_xdata(), [10])
