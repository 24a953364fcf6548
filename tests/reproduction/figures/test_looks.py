import importlib
import pkgutil

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex

import reproduction.papers
from reproduction.figures.curves import plot_curves
from reproduction.figures.gains import plot_abstract
from reproduction.figures.learning_curves import plot_learning_curves
from reproduction.figures.looks import LOOKS, method_looks
from reproduction.figures.relative_errors import plot_relative_errors
from reproduction.figures.style import COLORS, curve_look
from reproduction.papers.ofer.figures.forecasts import plot_excess_error
from reproduction.papers.ofer.figures.regions import plot_sizes
from reproduction.papers.ofer.figures.synthetic import plot_time_and_error
from reproduction.papers.ofer.figures.traits import plot_calibration, plot_errors_by_weak_labels
from reproduction.papers.ofer.figures.weak_labels import plot_weak_label_value
from reproduction.statistics import summarize

pytestmark = pytest.mark.usefixtures("without_a_screen")

METHODS = ["m-KRR centred", "OFER-GMM as printed", "m-KRR"]
FRAME = pd.DataFrame(
    [
        (method, setting, split, metric, 1 + place + int(setting) / 100 + split / 10)
        for place, method in enumerate(["floor", *METHODS])
        for setting in ("20", "100")
        for split in range(3)
        for metric in ("rrmse", "predict time")
    ],
    columns=["method", "setting", "split", "metric", "value"],
)
WIDE = FRAME.query("metric == 'rrmse'").pivot_table(
    index="setting", columns="method", values="value"
)[METHODS]
WIDE.index = [20, 100]
CURVES = {name: WIDE[name].to_numpy() for name in METHODS}
SPREAD = {name: pd.DataFrame({"mean": WIDE[name], "std": 0.1}) for name in METHODS}
DRAWN = {
    "abstract": lambda: plot_abstract(WIDE, pd.DataFrame({"one": [1.0, 2.0]})),
    "calibration": lambda: plot_calibration(
        np.arange(20.0), {name: place + np.arange(20.0) for place, name in enumerate(METHODS)}
    ),
    "curves": lambda: plot_curves(WIDE.index, {"": CURVES}, xlabel="x", ylabel="y"),
    "excess": lambda: plot_excess_error(FRAME, metrics=["rrmse"], floor="floor"),
    "learning": lambda: plot_learning_curves(
        summarize(FRAME[FRAME["method"].isin(METHODS)])
    ),
    "relative": lambda: plot_relative_errors(FRAME, METHODS, reference="floor", metric="rrmse"),
    "sizes": lambda: plot_sizes(WIDE),
    "time": lambda: plot_time_and_error(summarize(FRAME), settings=["20"]),
    "weak": lambda: plot_errors_by_weak_labels({"": SPREAD}, ylabel="error"),
    "worth": lambda: plot_weak_label_value(WIDE),
}  # fmt: skip


@pytest.mark.parametrize("name", DRAWN)
def test_a_method_has_one_look_in_every_figure(name):
    """Whatever else a figure shows, and in whatever order."""
    figure = DRAWN[name]()
    named = {"ridge, as printed": "m-KRR", "ridge, intercept": "m-KRR centred"}
    named["OFER, as printed"] = "OFER-GMM as printed"
    seen = {}
    for axis in figure.axes:
        for artist, label in zip(*axis.get_legend_handles_labels(), strict=True):
            line = artist[0] if isinstance(artist, tuple) else artist
            seen[named.get(label, label)] = to_hex(line.get_color()), line.get_marker()
    for method in METHODS:
        assert seen[method] == (LOOKS[method]["color"].lower(), LOOKS[method]["marker"])


def test_names_without_a_look_have_those_that_are_left():
    looks = method_looks(["a", "OFER-GMM", "b", "a", "m-KRR"])
    assert list(looks) == ["a", "OFER-GMM", "b", "m-KRR"]
    assert looks["OFER-GMM"] == LOOKS["OFER-GMM"]
    assert (looks["a"], looks["b"]) == (curve_look(2), curve_look(3))
    assert list(method_looks("abcdefg").values()) == [curve_look(n) for n in range(7)]


def test_no_two_methods_of_a_table_look_the_same():
    """But in a table of times, which has what other tables call by one name."""
    seen = {}
    for module in pkgutil.walk_packages(reproduction.papers.__path__, "reproduction.papers."):
        for declared in vars(importlib.import_module(module.name)).values():
            methods = getattr(declared, "methods", ())
            if isinstance(methods, tuple) and not {"OFER-GMM", "OFER-GSSM"} <= {*methods}:
                seen[methods] = [repr(LOOKS[name]) for name in methods if name in LOOKS]
    assert len(seen) > 10
    assert {table for table, looks in seen.items() if len(looks) > len(set(looks))} == set()


def test_colours_are_those_of_the_book():
    assert {look["color"] for look in LOOKS.values()} <= set(COLORS)
