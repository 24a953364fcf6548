"""Accuracy with weak labels that leave some classes open."""

from reproduction.figures.layout import panel_grid, shared_legend
from reproduction.figures.looks import method_looks
from reproduction.figures.style import in_style


@in_style
def plot_accuracies(panels, xlabels):
    """Accuracy over a property of the samples or their labels, panel by panel."""
    figure, axes = panel_grid(len(panels), 1.7, 2.6, below=0.6)
    looks = method_looks(name for frame in panels.values() for name in frame)
    for axis, (title, frame), label in zip(axes, panels.items(), xlabels, strict=True):
        for name, values in frame.items():
            axis.plot(values.dropna(), label=name, ms=5, **looks[name])
        axis.set(title=title, xlabel=label)
    axes[0].set_ylabel("accuracy (%)")
    shared_legend(figure)
    return figure
