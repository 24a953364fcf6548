"""Figure of the times of training and prediction."""

import matplotlib.pyplot as plt

from ofer.plotting._style import COLORS, MARKERS, in_style

__all__ = ["plot_times"]


@in_style
def plot_times(summary, *, metrics=("fit time", "predict time")):
    """Times of each method, one panel a setting, the quickest training on top.

    Parameters
    ----------
    summary : DataFrame
        Columns ``method, setting, metric, mean``, as of `ofer.experiments.summarize`; a method
        need not be in every setting.
    metrics : sequence of str, default=("fit time", "predict time")
        What is shown, in seconds.

    Returns
    -------
    Figure
    """
    chosen = summary[summary["metric"].isin(metrics)]
    settings = list(dict.fromkeys(chosen["setting"]))
    n_rows = -(-len(settings) // 2)
    figure, axes = plt.subplots(
        n_rows, 2, figsize=(9.0, 0.6 + 2.5 * n_rows), sharex=True, squeeze=False
    )
    for axis, setting in zip(axes.flat, settings, strict=False):
        rows = chosen[chosen["setting"] == setting]
        times = rows.pivot(index="method", columns="metric", values="mean")
        times = times.sort_values(metrics[0], ascending=False)
        axis.hlines(
            times.index, times.min(axis=1), times.max(axis=1), color="0.75", lw=1.5, zorder=1
        )
        for metric, color, marker in zip(metrics, COLORS, MARKERS, strict=False):
            axis.plot(times[metric], times.index, marker, color=color, ms=6, label=metric)
        axis.set(xscale="log", title=setting, xlabel="seconds of one processor", ylabel="method")
        axis.xaxis.set_tick_params(labelbottom=True)
    for axis in axes.flat[len(settings) :]:
        axis.axis("off")
    handles, labels = axes.flat[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(metrics))
    return figure
