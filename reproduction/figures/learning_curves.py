"""Errors over the number of training samples."""

from reproduction.figures.layout import (
    draw_band,
    label_outer,
    only_ticks,
    panel_grid,
    shared_legend,
)
from reproduction.figures.looks import method_looks
from reproduction.figures.style import in_style


@in_style
def plot_learning_curves(
    summary,
    *,
    paper=None,
    metric="rrmse",
    size="training samples",
    label="RRMSE on the test set",
    limits=None,
):
    """Mean of each method against the training size, with a band of one standard deviation.

    A summary is that of `reproduction.statistics.summarize`, and its settings are training sizes;
    the paper's figures, in the same columns, have a second panel.
    """
    panels = {"": summary}
    if paper is not None:
        panels = {"this book": summary, "as printed in the paper": paper}
    figure, axes = panel_grid(len(panels), 2.6, 3.0, below=0.6, sharey=True)
    looks = method_looks(name for frame in panels.values() for name in frame["method"])
    for axis, (title, frame) in zip(axes, panels.items(), strict=True):
        frame = frame[frame["metric"] == metric]
        for method, rows in frame.groupby("method", sort=False):
            rows = rows.set_index(rows["setting"].astype(int)).sort_index()
            draw_band(axis, rows.index, rows["mean"], rows["std"], looks[method]["color"])
            axis.plot(rows["mean"], ms=5, label=method, **looks[method])
        axis.set(xscale="log", title=title)
        only_ticks(axis, rows.index)
    axes[0].set(ylim=limits)
    label_outer(axes, size, label)
    shared_legend(figure)
    return figure
