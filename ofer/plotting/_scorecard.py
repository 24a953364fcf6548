"""Figures of the ledger of claims."""

import numpy as np
from matplotlib import pyplot as plt

from ofer.plotting._style import COLORS, in_style

__all__ = ["plot_printed_and_ours", "plot_scorecard"]

# Grey levels and hatches, so that the verdicts differ in print too.
_LOOKS = {
    "reproduced": ("0.25", ""),
    "partly": ("0.6", "//"),
    "not reproduced": ("0.95", ""),
    "not testable": ("0.85", "xx"),
    "undecided": ("1.0", ".."),
}


@in_style
def plot_scorecard(counts):
    """Numbers of claims by table and verdict, as stacked bars.

    Parameters
    ----------
    counts : DataFrame of shape (n_tables, n_verdicts)
        A row a table, a column a verdict.

    Returns
    -------
    Figure
    """
    figure, axes = plt.subplots(figsize=(7, 0.8 + 0.3 * len(counts)))
    start = np.zeros(len(counts))
    for verdict, (grey, hatch) in _LOOKS.items():
        if verdict not in counts:
            continue
        axes.barh(
            counts.index,
            counts[verdict],
            left=start,
            color=grey,
            edgecolor="0.2",
            hatch=hatch,
            label=verdict,
        )
        start += counts[verdict].to_numpy()
    axes.invert_yaxis()
    axes.set(xlabel="claims", ylabel=counts.index.name or "table")
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return figure


@in_style
def plot_printed_and_ours(cells, *, tolerance=0.1, n_columns=4):
    """Printed figures against ours, a panel a table; times have panels of their own.

    Parameters
    ----------
    cells : DataFrame
        As `ofer.experiments.match_cells` returns it.
    tolerance : float, default=0.1
        Relative width of the band around the diagonal; marks inside are filled.
    n_columns : int, default=4
        Panels side by side.

    Returns
    -------
    Figure
    """
    panels = list(cells.groupby(["table", "is_time"], sort=False))
    n_rows = -(-len(panels) // n_columns)
    figure, axes = plt.subplots(
        n_rows, n_columns, figsize=(2.4 * n_columns, 2.4 * n_rows), squeeze=False
    )
    for axis in axes.flat[len(panels) :]:
        axis.remove()
    for axis in axes[:, 0]:
        axis.set_ylabel("ours")
    for axis, ((table, is_time), part) in zip(axes.flat, panels, strict=False):
        values = part[["paper", "ours"]].to_numpy()
        low, high = values.min(), values.max()
        if low > 0 and high > 10 * low:
            axis.set(xscale="log", yscale="log")
            ends = low / 1.5, high * 1.5
        else:
            ends = low - 0.1 * (high - low), high + 0.1 * (high - low)
        line = np.array(ends)
        band = line * (1 - tolerance), line * (1 + tolerance)
        axis.fill_between(line, *band, color="0.85", lw=0)
        axis.plot(line, line, color="0.3", lw=0.8)
        near = (part["ratio"] - 1).abs() <= tolerance
        for chosen, face in ((near, COLORS[0]), (~near, "white")):
            axis.plot(
                part.loc[chosen, "paper"],
                part.loc[chosen, "ours"],
                "s" if is_time else "o",
                ms=4.5,
                mec=COLORS[0],
                mfc=face,
            )
        paper, _, number = table.partition("-table-")
        title = f"{paper.upper()} Table {number.lstrip('0')}" + (", times" if is_time else "")
        axis.set(xlim=ends, ylim=ends, aspect="equal", xlabel="printed")
        axis.set_title(title, fontsize=9)
        axis.tick_params(labelsize=8)
        axis.minorticks_off()
    return figure
