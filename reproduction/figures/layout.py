"""Parts that many figures are put together from."""

import matplotlib.pyplot as plt

from reproduction.figures.style import line_look

# An arrow of `Axes.quiver` then goes from one point of the data to another.
DATA_UNITS = {"angles": "xy", "scale_units": "xy", "scale": 1}


def side_by_side(n, width, height, *, margin=0.0, **options):
    """Figure and its n panels in one row, each of this width; lengths are in inches."""
    size = (margin + width * n, height)
    figure, axes = plt.subplots(1, n, figsize=size, squeeze=False, **options)
    return figure, axes[0]


def panel_grid(n, n_columns, width, height, *, margin=0.0, **options):
    """Figure and grid of n panels in rows of `n_columns`; places that are left over stay empty."""
    n_rows = -(-n // n_columns)
    size = (width * n_columns, margin + height * n_rows)
    figure, axes = plt.subplots(n_rows, n_columns, figsize=size, squeeze=False, **options)
    for axis in axes.flat[n:]:
        axis.remove()
    return figure, axes


def label_outer(axes, xlabel, ylabel):
    """Label the horizontal axes of the lowest panels and the vertical ones of the first column."""
    for axis in axes[-1]:
        axis.set_xlabel(xlabel)
    for axis in axes[:, 0]:
        axis.set_ylabel(ylabel)


def name_rows(axis, names, **options):
    """Name the rows at 0, 1, ... of a panel, the first one on top."""
    axis.set_yticks(range(len(names)), names, **options)
    axis.invert_yaxis()


def metric_name(metric):
    """A metric of the stored tables as the label of an axis."""
    name, _, part = metric.partition(" ")
    return {"rrmse": "RRMSE", "arrmse": "aRRMSE"}.get(name, name) + (f", {part}" if part else "")


def only_ticks(axis, places, labels=None):
    """Ticks at these places of the horizontal axis, and no others; labels are the places."""
    axis.set_xticks(places, [str(place) for place in places] if labels is None else labels)
    axis.minorticks_off()


def shared_legend(axis, place, **options):
    """Legend of the whole figure, outside its panels, with the entries of one of them."""
    entries = axis.get_legend_handles_labels()
    axis.figure.legend(*entries, loc=f"outside {place}", **options)


def legend_beside(axis):
    """Legend on the right of the only panel, or under it where there is no room."""
    shared_legend(axis, "right center")


def legend_under(axis, ncols, **options):
    """Legend below a panel and the label of its axis."""
    axis.legend(loc="upper center", bbox_to_anchor=(0.5, -0.17), ncols=ncols, **options)


def draw_lines(axis, x, curves, *, look=line_look, looks=None, **options):
    """Draw curves by name, each in its own look, or in the one of its place in the dict."""
    for number, (name, values) in enumerate(curves.items()):
        axis.plot(x, values, label=name, **(looks[name] if looks else look(number)), **options)


def draw_band(axis, x, mean, deviation, color, alpha=0.15, **options):
    """Shade what lies within one deviation of the mean."""
    look = {"color": color, "alpha": alpha, "lw": 0}
    axis.fill_between(x, mean - deviation, mean + deviation, **look, **options)
