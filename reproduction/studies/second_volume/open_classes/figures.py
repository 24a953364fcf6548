"""Accuracies with weak labels that leave some classes open, and the gain that chooses a ridge."""

from reproduction.figures.layout import panel_grid, shared_legend
from reproduction.figures.looks import method_looks
from reproduction.figures.style import curve_look, in_style


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


@in_style
def plot_gain_path(path, accuracies):
    """Gain of both starts over the ridge parameter, and test accuracies beside it."""
    figure, (left, right) = panel_grid(2, 1.7, 2.6, below=0.6)
    alphas = list(dict.fromkeys(path["alpha"]))
    for number, start in enumerate(dict.fromkeys(path["start"])):
        rows = path["start"] == start
        look = curve_look(number)
        left.plot(path["alpha"][rows], path["gain"][rows], label=f"{start} start", ms=5, **look)
    best = path["gain"].argmax()
    chosen = {"marker": "o", "ms": 12, "mfc": "none", "mec": "k", "ls": "none"}
    left.plot(path["alpha"][best], path["gain"][best], label="chosen", **chosen)
    right.plot(alphas, accuracies, label="start of the higher gain", ms=5, **curve_look(2))
    right.plot(path["alpha"][best], accuracies[alphas.index(path["alpha"][best])], **chosen)
    for axis, label in ((left, "gain (nats)"), (right, "test accuracy (%)")):
        axis.set(xscale="log", xlabel="ridge parameter", ylabel=label)
    shared_legend(figure)
    return figure
