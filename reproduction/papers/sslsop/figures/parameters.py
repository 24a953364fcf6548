"""Losses over a parameter."""

from reproduction.figures.layout import label_outer, only_ticks, panel_grid, shared_legend
from reproduction.figures.style import COLORS, in_style


@in_style
def plot_loss_by_parameter(frame, methods, *, label, reference):
    """Losses over a parameter: one dot per split, a line through the means, one panel per setting.

    Parameters
    ----------
    frame : DataFrame
        Raw results: columns ``method, setting, split, metric, value``, with the metric "loss".
    methods : dict of str to float
        Positive value of the parameter by method, increasing.
    label, reference : str
        Name of the parameter, and the method whose mean is drawn across.

    Returns
    -------
    Figure
    """
    losses = frame[frame["metric"] == "loss"]
    settings = losses["setting"].unique()
    figure, axes = panel_grid(len(settings), 1.7, 2.0, below=0.4)
    for axis, setting in zip(axes, settings, strict=True):
        rows = losses[losses["setting"] == setting]
        table = rows.pivot(index="split", columns="method", values="value")
        x, values = list(methods.values()), table[list(methods)].to_numpy()
        axis.axhline(table[reference].mean(), color="black", ls="--", label=reference)
        axis.plot(x, values.T, "o", color=COLORS[0], ms=3, alpha=0.5)
        axis.plot(x, values.mean(axis=0), "-o", color=COLORS[0], ms=6, mfc="white", label="mean")
        axis.set(title=setting, xscale="log", ylim=(0, None))
        only_ticks(axis, x, [f"{value:g}" for value in x])
    label_outer(axes, label, "loss")
    shared_legend(figure)
    return figure
