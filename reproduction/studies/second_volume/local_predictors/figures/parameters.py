"""Losses over a parameter."""

from reproduction.figures.layout import label_outer, only_ticks, panel_grid, shared_legend
from reproduction.figures.names import setting_name
from reproduction.figures.style import COLORS, in_style


@in_style
def plot_loss_by_parameter(frame, forms, *, label, reference):
    """Losses over a parameter: dots for splits, lines through means, one panel per setting."""
    losses = frame[frame["metric"] == "loss"]
    settings = losses["setting"].unique()
    figure, axes = panel_grid(len(settings), 1.7, 2.0, below=0.4)
    for axis, setting in zip(axes, settings, strict=True):
        rows = losses[losses["setting"] == setting]
        table = rows.pivot(index="split", columns="method", values="value")
        axis.axhline(table[reference].mean(), color="black", ls="--", label=reference)
        for color, (name, methods) in zip(COLORS, forms.items(), strict=False):
            x, values = list(methods.values()), table[list(methods)].to_numpy()
            axis.plot(x, values.T, "o", color=color, ms=3, alpha=0.5)
            axis.plot(x, values.mean(axis=0), "-o", color=color, ms=6, mfc="white", label=name)
        axis.set(title=setting_name(setting), xscale="log", ylim=(0, None))
        only_ticks(axis, x, [f"{value:g}" for value in x])
    label_outer(axes, label, "loss")
    shared_legend(figure)
    return figure
