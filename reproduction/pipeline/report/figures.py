"""The two figures of the report."""

import pandas as pd

from reproduction.figures.layout import only_ticks, panel_grid, shared_legend
from reproduction.figures.looks import method_looks
from reproduction.figures.style import in_style
from reproduction.pipeline.report.stored import SIZES, frame_of, means_of
from reproduction.statistics import percent_change


@in_style
def drugs():
    """Errors on drug activities, and changes against ridge regression with an intercept."""
    means, frame = means_of("ofer-table-09", "rrmse"), frame_of("ofer-table-09")
    means = means.set_axis(means.index.astype(int)).sort_index()
    figure, (curves, finer) = panel_grid(2, 2.6, 2.5, below=0.4)
    names = {
        "m-KRR": "ridge regression, no intercept", "m-KRR centred": "ridge regression, intercept",
        "OFER-GMM as printed": "OFER as printed", "OFER-GMM": "OFER, our form",
        "m-RF": "random forest",
    }  # fmt: skip
    looks = method_looks(names)
    for method, name in names.items():
        curves.plot(means.index, means[method], **looks[method], label=name)
        if method in ("m-KRR", "m-KRR centred"):
            continue
        changes = pd.DataFrame(
            {
                size: percent_change(frame, "m-KRR centred", method, metric="rrmse", setting=size)
                for size in SIZES
            }
        )
        finer.errorbar(
            means.index, changes.mean(), yerr=changes.std(), **looks[method], elinewidth=1
        )
    finer.axhline(0, color=looks["m-KRR centred"]["color"], lw=1.5)
    curves.set(ylabel="relative error (RRMSE)")
    finer.set(ylabel="change of the error (%)")
    _sizes(curves, finer, means.index, "training molecules")
    shared_legend(figure)
    return figure


@in_style
def weak_labels():
    """What weak labels change on drug activities, in our form and in the paper's."""
    frame = frame_of("ofer-table-10")
    sizes = [int(size) for size in SIZES]
    figure, axes = panel_grid(2, 2.6, 2.1, below=0.4, sharey=True)
    panels = {
        "our form": ("m-KRR centred", {
            "wOFER+800": "weak labels", "wOFER+800 shuffled": "the same, shuffled",
            "m-KRR imputed+800": "imputed by hand"}),
        "as printed": ("OFER-GMM as printed", {
            "wOFER+800 as printed": "weak labels",
            "wOFER+800 as printed, shuffled": "the same, shuffled"}),
    }  # fmt: skip
    looks = method_looks(["wOFER+800", "mean", "m-KRR imputed+800"])
    look_of = dict(
        zip(["weak labels", "the same, shuffled", "imputed by hand"], looks.values(), strict=True)
    )
    for axis, (title, (base, methods)) in zip(axes, panels.items(), strict=True):
        for method, name in methods.items():
            changes = pd.DataFrame(
                {
                    size: percent_change(frame, base, method, metric="rrmse", setting=size)
                    for size in SIZES
                }
            )
            look = look_of[name] | {"elinewidth": 1}
            axis.errorbar(sizes, changes.mean(), yerr=changes.std(), label=name, **look)
        axis.axhline(0, color="black", lw=0.8)
        axis.set_title(title)
    axes[0].set(ylabel="change of the error (%)")
    _sizes(*axes, sizes, "measured molecules")
    shared_legend(figure)
    return figure


def _sizes(first, second, sizes, label):
    for axis in (first, second):
        axis.set(xscale="log", xlabel=label)
        only_ticks(axis, sizes)
