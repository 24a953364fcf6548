"""The two figures of the report."""

import numpy as np
import pandas as pd

from reproduction.figures.layout import only_ticks, panel_grid, shared_legend
from reproduction.figures.looks import method_looks
from reproduction.figures.style import in_style
from reproduction.report.stored import SIZES, frame_of, means_of
from reproduction.statistics import percent_change

_PLACES = np.array([int(size) for size in SIZES])


def _draw_changes(axis, id, base, methods, looks):
    """Mean and standard deviation of changes against a method on the same split."""
    shifts = 1.05 ** np.linspace(1 - len(methods), len(methods) - 1, len(methods))
    for shift, (method, name) in zip(shifts, methods.items(), strict=True):
        changes = pd.DataFrame({
            size: percent_change(frame_of(id), base, method, metric="rrmse", setting=size)
            for size in SIZES
        })  # fmt: skip
        look = looks[name] | {"elinewidth": 1, "ms": 5}
        axis.errorbar(shift * _PLACES, changes.mean(), yerr=changes.std(), label=name, **look)
    axis.axhline(0, color="black", lw=0.8)


def _finish(figure, axes, label):
    for axis in axes:
        axis.set(xscale="log", xlabel=label)
        only_ticks(axis, _PLACES)
    shared_legend(figure)
    return figure


@in_style
def drugs():
    """Errors on drug activities, and changes against ridge regression with an intercept."""
    id, methods = "ofer-table-09", ["OFER-GMM as printed", "OFER-GMM", "m-RF"]
    names = dict(zip(methods, ["OFER (paper)", "OFER (ours)", "random forest"], strict=True))
    ridges = {"m-KRR": "no intercept", "m-KRR centred": "intercept"}
    by_method = method_looks([*ridges, *methods])
    looks = {name: by_method[method] for method, name in (ridges | names).items()}
    figure, (curves, finer) = panel_grid(2, 2.6, 2.3, sharex=True)
    means = means_of(id, "rrmse").loc[[*SIZES]]
    for method, name in (ridges | names).items():
        curves.plot(_PLACES, means[method], label=name, **looks[name])
    _draw_changes(finer, id, "m-KRR centred", names, looks)
    curves.set(ylabel="error (RRMSE)")
    finer.set(ylabel="change (%)")
    return _finish(figure, (curves, finer), "training molecules")


@in_style
def weak_labels():
    """What weak labels change on drug activities, in our form and in the paper's."""
    id, names = "ofer-table-10", ["weak labels", "the same, shuffled", "imputed by hand"]
    looks = method_looks(["wOFER+800", "mean", "m-KRR imputed+800"])
    looks = dict(zip(names, looks.values(), strict=True))
    forms = ["wOFER+800", "wOFER+800 shuffled", "m-KRR imputed+800"]
    printed = ["wOFER+800 as printed", "wOFER+800 as printed, shuffled"]
    figure, axes = panel_grid(2, 2.6, 2.3, sharex=True, sharey=True)
    panels = {
        "OFER (ours)": ("m-KRR centred", dict(zip(forms, names, strict=True))),
        "OFER (paper)": ("OFER-GMM as printed", dict(zip(printed, names[:2], strict=True))),
    }
    for axis, (title, (base, methods)) in zip(axes, panels.items(), strict=True):
        _draw_changes(axis, id, base, methods, looks)
        axis.set_title(title)
    axes[0].set(ylabel="change of the error (%)")
    return _finish(figure, axes, "measured molecules")
