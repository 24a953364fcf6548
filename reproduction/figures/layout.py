"""Parts that many figures are put together from."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.transforms import ScaledTranslation

from reproduction.figures.names import method_name
from reproduction.figures.style import line_look

WIDEST = 5.4
"""Width of a figure in inches, without its margins: on a telephone its letters are still legible.

A figure shrinks to the column. In one of 358 pixels letters of ten points then have nine pixels.
"""

# An arrow of `Axes.quiver` then goes from one point of the data to another.
DATA_UNITS = {"angles": "xy", "scale_units": "xy", "scale": 1}


def panel_grid(n, width, height, *, beside=0.0, below=0.0, **options):
    """Figure of `WIDEST` and its n panels, as many in a row as have at least this width.

    Lengths are in inches: of a panel, and of what stands beside and below all panels.
    """
    n_rows = -(-n // min(n, int((WIDEST - beside) / width + 1e-9)))
    n_columns = -(-n // n_rows)
    size = (WIDEST, below + height * n_rows)
    figure, grid = plt.subplots(n_rows, n_columns, figsize=size, squeeze=False, **options)
    for axis in grid.flat[n:]:
        axis.remove()
    for axis in grid.flat[n - n_columns : n]:  # where `sharex` leaves numbers to a removed panel
        axis.xaxis.set_tick_params(labelbottom=True)
    return figure, grid.flat[:n]


def label_outer(axes, xlabel, ylabel):
    """Label the horizontal axis of the lowest panel of each column, the vertical one of each row.

    Of the vertical ones the first panel's is labelled.
    """
    axes = np.ravel(axes)
    lowest = {axis.get_subplotspec().colspan.start: axis for axis in axes}
    for axis in axes:
        if axis.get_subplotspec().is_first_col():
            axis.set_ylabel(ylabel)
    for axis in lowest.values():
        axis.set_xlabel(xlabel)


def name_rows(axis, names, **options):
    """Name the rows at 0, 1, ... of a panel, the first one on top."""
    axis.set_yticks(range(len(names)), [method_name(str(name)) for name in names], **options)
    axis.invert_yaxis()


def metric_name(metric):
    """A metric of the stored tables as the label of an axis."""
    name, _, rest = metric.partition(" ")
    return {"rrmse": "RRMSE", "arrmse": "aRRMSE"}.get(name, name) + (f", {rest}" if rest else "")


def only_ticks(axis, places, labels=None):
    """Ticks at these places of the horizontal axis, and no others; labels are the places.

    A label that would run into the next one is left out.
    """
    labels = [str(place) for place in (places if labels is None else labels)]
    axis.autoscale_view()
    x = axis.transData.transform([(place, 1) for place in places])[:, 0] / axis.figure.dpi
    taken = np.inf
    for number, label in reversed([*enumerate(labels)]):
        half = 0.048 * len(label)  # of its width in inches, with some air
        labels[number] = label if x[number] + half < taken else ""
        taken = x[number] - half if labels[number] else taken
    axis.set_xticks(places, labels)
    axis.minorticks_off()


def shared_legend(figure, place="lower center", **options):
    """Legend of all panels, outside of them, in as few rows as the figure's width allows."""
    entries = {}  # the first handle of each name
    for axis in figure.axes:
        for handle, name in zip(*axis.get_legend_handles_labels(), strict=True):
            entries.setdefault(method_name(name), handle)
    look = {"loc": f"outside {place}", "columnspacing": 1.2, "handletextpad": 0.5, **options}
    for n_rows in range(1, len(entries) + 1):
        n_columns = -(-len(entries) // n_rows)
        legend = figure.legend(entries.values(), entries, ncols=n_columns, **look)
        if legend.get_window_extent().width <= figure.bbox.width:
            return
        legend.remove()


def legend_under(axis, ncols, **options):
    """Legend below a panel and the label of its axis."""
    below = ScaledTranslation(0, -0.42, axis.figure.dpi_scale_trans)  # in inches
    place = {"bbox_to_anchor": (0.5, 0), "bbox_transform": axis.transAxes + below}
    axis.legend(loc="upper center", ncols=ncols, columnspacing=1.2, **place, **options)


def draw_lines(axis, x, curves, *, look=line_look, looks=None, **options):
    """Draw curves by name, each in its own look, or in the one of its place in the dict."""
    for number, (name, values) in enumerate(curves.items()):
        axis.plot(
            x,
            values,
            label=method_name(name),
            **(looks[name] if looks else look(number)),
            **options,
        )


def draw_band(axis, x, mean, deviation, color, alpha=0.15, **options):
    """Shade what lies within one deviation of the mean."""
    look = {"color": color, "alpha": alpha, "lw": 0}
    axis.fill_between(x, mean - deviation, mean + deviation, **look, **options)
