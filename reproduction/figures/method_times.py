"""Times of training and prediction."""

from reproduction.figures.layout import WIDEST, label_outer, panel_grid, shared_legend
from reproduction.figures.names import method_name, setting_name
from reproduction.figures.style import in_style, mark_look
from reproduction.statistics import steady


@in_style
def plot_times(summary, *, metrics=("fit time", "predict time")):
    """Times of each method in seconds, one panel per setting, the quickest training on top.

    A method need not be in every setting of the summary.
    """
    chosen = summary[summary["metric"].isin(metrics)]
    settings = list(dict.fromkeys(chosen["setting"]))
    height = 0.5 + 0.2 * chosen["method"].groupby(chosen["setting"]).nunique().max()
    figure, axes = panel_grid(len(settings), WIDEST, height, below=0.4, sharex=True)
    for axis, setting in zip(axes, settings, strict=True):
        rows = chosen[chosen["setting"] == setting]
        times = rows.pivot(index="method", columns="metric", values="mean")
        times = times.sort_values(metrics[0], ascending=False, key=steady, kind="stable").rename(
            method_name
        )
        ends = times.min(axis=1), times.max(axis=1)
        axis.hlines(times.index, *ends, color="0.75", lw=1.5, zorder=1)
        for number, metric in enumerate(metrics):
            axis.plot(times[metric], times.index, ms=6, label=metric, **mark_look(number))
        axis.set(xscale="log", title=setting_name(setting))
    label_outer(axes, "seconds of one processor", "method")
    shared_legend(figure)
    return figure
