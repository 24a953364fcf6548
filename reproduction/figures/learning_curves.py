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

    Parameters
    ----------
    summary : DataFrame
        Columns ``method, setting, metric, mean, std``, as of `reproduction.statistics.summarize`;
        settings are training sizes.
    paper : DataFrame, default=None
        The paper's figures in the same columns, for a second panel.
    metric, size, label : str
        Which metric, and labels of the axes, with their units.
    limits : (float, float), default=None
        Ends of the vertical axis.

    Returns
    -------
    Figure
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
