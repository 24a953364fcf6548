"""Where the gains of a method come from, and how large they are beside the noise of splits."""

import matplotlib.pyplot as plt
import numpy as np

from reproduction.figures.layout import (
    WIDEST,
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

    Parameters
    ----------
    changes : DataFrame
        Columns ``part``, ``task``, ``kind`` and ``change``, in percent, with a row for each split.
        Parts, tasks and kinds stand in the order in which they come; a part that a task does not
        have stays empty.

    Returns
    -------
    Figure
    """
    parts, tasks, kinds = (list(changes[name].unique()) for name in ("part", "task", "kind"))
    figure, axes = panel_grid(
        len(parts), 1.4, 0.9 + 0.3 * len(tasks), beside=0.9, below=0.3, sharey=True
    )
    for axis, part in zip(axes, parts, strict=True):
        own = changes[changes["part"] == part].groupby(["kind", "task"])["change"]
        for number, kind in enumerate(kinds):
            rows = own.agg(["mean", "std"]).query("kind == @kind").droplevel("kind")
            places = [tasks.index(task) for task in rows.index]
            look = mark_look(number) | {"ms": 5, "elinewidth": 1}
            axis.errorbar(rows["mean"], places, xerr=rows["std"].fillna(0), label=kind, **look)
        axis.axvline(0, color="black", lw=0.8)
        axis.set_title(part)
    name_rows(axes[0], tasks)
    label_outer(axes, "change (%)", "task")
    shared_legend(figure)
    return figure


@in_style
def plot_leads(leads):
    """Leads of a method over the best of the others, in standard deviations over the splits.

    Parameters
    ----------
    leads : DataFrame
        A row for each row of a table: ``table``, and ``printed`` and ``ours``, each a lead divided
        by the standard deviation over the splits; NaN where there is none.

    Returns
    -------
    Figure
        Logarithmic beyond ten standard deviations.
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
def plot_abstract(errors, changes):
    """The paper in one figure: its claim, the cause of the gap, and what remains.

    Parameters
    ----------
    errors : DataFrame
        Mean errors with a row for each number of training samples, and the columns "m-KRR",
        "m-KRR centred" and "OFER-GMM as printed".
    changes : DataFrame
        Changes of the error in percent: a row for each split, a column for what brings them. Shown
        as mean and one standard deviation.

    Returns
    -------
    Figure
    """
    places = [["claim", "cause"], ["rest", "rest"]]
    figure, panels = plt.subplot_mosaic(places, figsize=(WIDEST, 5.2), height_ratios=(1.5, 1))
    claim, cause, rest = panels.values()
    looks = method_looks(errors)
    labels = "ridge, as printed", "ridge, intercept", "OFER, as printed"
    labels = dict(zip(("m-KRR", "m-KRR centred", "OFER-GMM as printed"), labels, strict=True))
    for axis, names in ((claim, [*labels][::2]), (cause, labels)):
        for name in names:
            axis.plot(errors.index, errors[name], label=labels[name], **looks[name])
        axis.set(xscale="log", xlabel="training molecules", ylim=(0, None))
        only_ticks(axis, errors.index)
        axis.legend()
    claim.set_ylabel("RRMSE, drug activities")
    claim.set_title("1  The claim:\nOFER beats the ridge")
    cause.set_title("2  The cause:\nthe ridge has no intercept")
    look = {"height": 0.45, "color": "0.75", "edgecolor": "black", "capsize": 3}
    rest.barh(np.arange(changes.shape[1]), changes.mean(), xerr=changes.std(), **look)
    for place, (name, change) in enumerate(changes.mean().items()):
        text = f"{name}  {change:+.1f} %".replace("-", "\N{MINUS SIGN}")
        rest.text(0.5, place - 0.28, text, ha="right", va="bottom", fontsize=9)
    rest.axvline(0, color="black", lw=0.8)
    rest.set(yticks=[], xlabel="change of the error (%)", ylim=(changes.shape[1] - 0.4, -0.95))
    rest.set_title("3  What remains")
    rest.grid(visible=False, axis="y")
    return figure
