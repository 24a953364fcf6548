"""A specification curve shows each reading once, in the order of its effect."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from reproduction.figures.specification import plot_specifications


def test_effects_are_sorted_and_marks_stand_beneath_them():
    index = ["a", "b", "c"]
    effects = pd.DataFrame({"value": [2.0, -1.0, 0.5], "low": [1.0, -2, -1], "high": [3.0, 0, 2]})
    choices = pd.DataFrame({"kernel": ["linear", "rbf", "rbf"], "intercept": ["no", "no", "yes"]})
    figure = plot_specifications(effects.set_axis(index), choices.set_axis(index), label="effect")
    curve, marks = figure.axes
    clear, open_ = (line for line in curve.lines if line.get_marker() == "o")
    assert clear.get_xydata().tolist() == [[2, 2]]  # its interval leaves zero out
    assert open_.get_xydata().tolist() == [[0, -1], [1, 0.5]]
    labels = [text.get_text() for text in marks.get_yticklabels()]
    chosen = {
        label: line.get_xdata().tolist()
        for label, line in zip(
            labels, (li for li in marks.lines if li.get_marker() == "s"), strict=True
        )
    }
    assert chosen == {"rbf": [0, 1], "linear": [2], "no": [0, 2], "yes": [1]}
    assert np.all(np.diff(marks.get_yticks()) < 0)
    plt.close(figure)
