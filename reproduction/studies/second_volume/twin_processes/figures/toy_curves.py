"""Predictions of curves with several answers."""

from reproduction.figures.layout import label_outer, panel_grid, shared_legend
from reproduction.figures.style import COLORS, in_style


@in_style
def plot_multivalued(toy, panels):
    """Predictions of a curve with several answers, one panel per method."""
    figure, axes = panel_grid(len(panels), 1.7, 1.9, below=0.4, sharex=True, sharey=True)
    low, high = toy.Y.min(), toy.Y.max()
    margin = 0.1 * (high - low)
    for axis, (name, predicted) in zip(axes, panels.items(), strict=True):
        axis.plot(toy.X, toy.Y, ".", color="0.75", ms=3, label="training data")
        axis.plot(toy.X_test, predicted, ".", color=COLORS[1], ms=4, label="prediction")
        axis.set(title=name, ylim=(low - margin, high + margin))
    label_outer(axes, "input x", "output y")
    shared_legend(figure, "upper center")
    return figure
