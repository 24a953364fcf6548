"""Figures of the ledger of claims."""

import numpy as np

from reproduction.figures.layout import label_outer, panel_grid
from reproduction.figures.names import table_name
from reproduction.figures.style import COLORS, in_style


@in_style
def plot_printed_and_ours(cells):
    """Printed figures against ours, one panel per table; times have panels of their own.

    Cells are those of `reproduction.claims.match_cells`. Marks within ten percent of each other, in
    the band around the diagonal, are filled.
    """
    panels = list(cells.groupby(["table", "is_time"], sort=False))
    figure, axes = panel_grid(len(panels), 1.7, 1.8)
    for axis, ((table, is_time), panel) in zip(axes, panels, strict=True):
        values = panel[["paper", "ours"]].to_numpy()
        low, high = values.min(), values.max()
        if low > 0 and high > 10 * low:
            axis.set(xscale="log", yscale="log")
            ends = low / 1.5, high * 1.5
        else:
            ends = low - 0.1 * (high - low), high + 0.1 * (high - low)
        line = np.array(ends)
        band = 0.9 * line, 1.1 * line
        axis.fill_between(line, *band, color="0.85", lw=0)
        axis.plot(line, line, color="0.3", lw=0.8)
        near = (panel["ratio"] - 1).abs() <= 0.1
        marker = "s" if is_time else "o"
        for chosen, face in ((near, COLORS[0]), (~near, "white")):
            points = panel.loc[chosen, ["paper", "ours"]].to_numpy().T
            axis.plot(*points, marker, ms=4.5, mec=COLORS[0], mfc=face)
        title = table_name(table) + (", times" if is_time else "")
        axis.set(xlim=ends, ylim=ends, aspect="equal")
        axis.set_title(title, fontsize=9)
        axis.tick_params(labelsize=9)
        axis.minorticks_off()
    label_outer(axes, "printed", "ours")
    return figure
