"""Figures on what OFER computes: explosions, and what each step away from a ridge earns."""

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.ticker import FuncFormatter, MaxNLocator, NullFormatter

from ofer.plotting._style import COLORS, MARKERS, in_style

__all__ = ["plot_ablation", "plot_explosion"]


@in_style
def plot_explosion(denominators, errors):
    """Errors of single predictions against the denominator of the printed closed form.

    Parameters
    ----------
    denominators : ndarray of shape (n_queries,)
        Sums of weighted precisions.
    errors : dict of str to ndarray of shape (n_queries,)
        Errors of the forms to compare.

    Returns
    -------
    Figure
    """
    figure, axes = plt.subplots(figsize=(6.5, 3.4))
    for (name, values), marker, color in zip(errors.items(), MARKERS, COLORS, strict=False):
        axes.plot(denominators, values, marker, ms=4, color=color, alpha=0.7, label=name)
    axes.axvline(0, color="black", lw=0.8)
    axes.set_xscale("symlog", linthresh=np.median(np.abs(denominators)) / 10)
    axes.set(yscale="log", xlabel="denominator", ylabel="error")
    axes.legend()
    return figure


@in_style
def plot_ablation(frame, *, reference, metric="rrmse"):
    """Errors of each form relative to a reference on the same split, one panel a setting.

    Parameters
    ----------
    frame : DataFrame
        Raw results: columns ``method, setting, split, metric, value``.
    reference : str
        The method to divide by.
    metric : str, default="rrmse"
        Which metric.

    Returns
    -------
    Figure
    """
    frame = frame[frame["metric"] == metric]
    settings = list(frame["setting"].unique())
    methods = [method for method in frame["method"].unique() if method != reference]
    shape = 2, -(-len(settings) // 2)
    size = 9, 1.2 + 0.42 * len(methods)
    figure, axes = plt.subplots(*shape, figsize=size, sharey=True, squeeze=False)
    places = np.arange(len(methods))
    for axis, setting in zip(axes.flat, settings, strict=False):
        rows = frame[frame["setting"] == setting]
        wide = rows.pivot(index="split", columns="method", values="value")
        ratios = wide[methods].div(wide[reference], axis=0)
        axis.hlines(places, ratios.min(), ratios.max(), color=COLORS[0], lw=1.5)
        axis.plot(ratios.mean(), places, MARKERS[0], color=COLORS[1], ms=5)
        axis.axvline(1, color="black", lw=0.8)
        axis.set(xscale="log", title=setting)
        axis.xaxis.set_major_locator(MaxNLocator(3, steps=[1, 2, 5, 10]))
        axis.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axis.xaxis.set_minor_formatter(NullFormatter())
    for axis in axes[:, 0]:
        axis.set_ylabel("form")
        axis.set_yticks(places, methods)
    axes[0, 0].invert_yaxis()
    for axis in axes[-1]:
        axis.set_xlabel(f"{metric.upper()} / that of {reference}")
    return figure
