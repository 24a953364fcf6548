"""Where the gains of a method come from, and how large they are beside the noise of splits."""

import matplotlib.pyplot as plt
import numpy as np

from reproduction.figures.layout import (
    label_outer,
    name_rows,
    only_ticks,
    panel_grid,
    shared_legend,
)
from reproduction.figures.looks import method_looks
from reproduction.figures.style import COLORS, in_style, mark_look


@in_style
def plot_gain_parts(changes):
    """Changes of the error that parts of a method bring, one panel per part, one row per task.

    The columns are ``part``, ``task``, ``kind`` and ``change``, in percent, with a row for each
    split. Parts, tasks and kinds stand in the order in which they come; a part that a task does not
    have stays empty.
    """
    parts, tasks, kinds = (list(changes[name].unique()) for name in ("part", "task", "kind"))
    figure, axes = panel_grid(
        len(parts), 1.4, 0.9 + 0.3 * len(tasks), beside=0.9, below=0.3, sharey=True
    )
    for axis, name in zip(axes, parts, strict=True):
        groups = changes[changes["part"] == name].groupby(["kind", "task"])["change"]
        for number, kind in enumerate(kinds):
            rows = groups.agg(["mean", "std"]).query("kind == @kind").droplevel("kind")
            places = [tasks.index(task) for task in rows.index]
            look = mark_look(number) | {"ms": 5, "elinewidth": 1}
            axis.errorbar(rows["mean"], places, xerr=rows["std"].fillna(0), label=kind, **look)
        axis.axvline(0, color="black", lw=0.8)
        axis.set_title(name)
    name_rows(axes[0], tasks)
    label_outer(axes, "change (%)", "task")
    shared_legend(figure)
    return figure


@in_style
def plot_leads(leads):
    """Leads of a method over the best of the others, in standard deviations over the splits.

    The columns are ``table``, and ``printed`` and ``ours``, of which each may be NaN. The axis is
    logarithmic beyond ten standard deviations.
    """
    tables = list(leads["table"].unique())
    figure, axis = plt.subplots(figsize=(5.4, 1.2 + 0.42 * len(tables)))
    places = leads["table"].map(tables.index).to_numpy()
    axis.axvspan(-1, 1, color="0.88", lw=0)
    axis.axvline(0, color="black", lw=0.8)
    looks = {"printed": (-0.15, "o", COLORS[0], COLORS[0]), "ours": (0.15, "s", COLORS[1], "none")}
    for name, (shift, marker, color, face) in looks.items():
        look = {"ls": "", "mec": color, "mfc": face, "ms": 5, "label": name}
        axis.plot(leads[name], places + shift, marker, **look)
    axis.set_xscale("symlog", linthresh=10, linscale=2)
    ticks = [-30, -10, -5, -1, 0, 1, 5, 10, 30]
    low, high = axis.get_xlim()
    axis.set_xticks([tick for tick in ticks if low <= tick <= high])
    axis.xaxis.set_major_formatter("{x:g}")
    axis.minorticks_off()
    name_rows(axis, tables)
    axis.set(xlabel="lead / standard deviation over the splits", ylabel="table")
    shared_legend(figure)
    return figure


@in_style
def plot_front(errors, changes):
    """The paper in one figure: its claim, what an intercept makes of it, and what helps.

    Mean errors have a row for each number of training samples, and the columns "m-KRR", "m-KRR
    centred" and "OFER-GMM as printed". Changes of the error, in percent, have a row for each split
    and a column for what brings them. The curve of "m-KRR centred" and its name are the groups
    ``with-intercept-line`` and ``with-intercept-name``.
    """
    figure, (curves, bars) = plt.subplots(1, 2, figsize=(5.4, 2.6), width_ratios=(1.25, 1))
    looks = method_looks(errors)
    names = {
        "m-KRR": ("ridge regression,\nno intercept", (24, 0.375)),
        "OFER-GMM as printed": ("OFER (paper)", (10, 0.235)),
        "m-KRR centred": ("ridge regression\nwith an intercept", (12, 0.13)),
    }
    for method, (name, place) in names.items():
        look = looks[method] | ({"lw": 3, "ls": "--"} if method == "m-KRR centred" else {})
        (line,) = curves.plot(errors.index, errors[method], **look)
        text = curves.text(*place, name, color=line.get_color(), va="center", fontsize=9)
        if method == "m-KRR centred":
            line.set_gid("with-intercept-line")
            text.set_gid("with-intercept-name")
    curves.set(xscale="log", xlabel="training molecules", ylabel="error", ylim=(0, 0.43))
    only_ticks(curves, errors.index)
    look = {"height": 0.4, "color": "0.75", "edgecolor": "black", "capsize": 3}
    bars.barh(np.arange(changes.shape[1]), changes.mean(), xerr=changes.std(), **look)
    for place, (name, change) in enumerate(changes.mean().items()):
        number = f"{change:+z.0f}".replace("-", "\N{MINUS SIGN}").removeprefix("+0") or "0"
        text = f"{name}: {number} %"
        bars.text(0, place - 0.28, text, ha="right", va="bottom", fontsize=9)
    bars.axvline(0, color="black", lw=0.8)
    bars.set(yticks=[], xlabel="change of the error (%)", ylim=(changes.shape[1] - 0.6, -0.85))
    bars.grid(visible=False, axis="y")
    return figure
