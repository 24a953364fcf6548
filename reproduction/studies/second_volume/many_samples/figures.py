"""Errors over the number of samples."""

import matplotlib.pyplot as plt

from reproduction.figures.layout import WIDEST, shared_legend
from reproduction.figures.looks import method_looks
from reproduction.figures.style import in_style

__all__ = ["plot_errors"]


@in_style
def plot_errors(errors, floors):
    """Test errors over the number of samples, a line per method, and the levels they go down to."""
    figure, axis = plt.subplots(figsize=(WIDEST, 4.2))
    looks = method_looks(errors)
    for name, values in errors.items():
        values = values.dropna()
        axis.plot(values.index, values, label=name, **looks[name])
    for name, level in floors.items():
        axis.axhline(level, color="black", lw=0.8, ls=":")
        axis.annotate(name, (errors.index[0], level), va="bottom", fontsize=9)
    axis.set(xscale="log", yscale="log", xlabel="samples", ylabel="mean squared error")
    shared_legend(figure)
    return figure
