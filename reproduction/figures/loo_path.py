"""Leave-one-out errors over the ridge."""

import matplotlib.pyplot as plt

from reproduction.figures.style import in_style, line_look, mark_look


@in_style
def plot_loo_path(alphas, curves, chosen):
    """Leave-one-out error against the ridge, and the chosen ridge, by name of a block or model."""
    figure, axis = plt.subplots(figsize=(5.2, 3.4))
    for number, (name, errors) in enumerate(curves.items()):
        axis.plot(alphas[name], errors / errors.min(), label=name, **line_look(number))
        axis.plot(chosen[name], 1.0, ms=8, **mark_look(number))
    axis.set(xscale="log", xlabel=r"ridge parameter $\alpha$")
    axis.set_ylabel("leave-one-out error\nrelative to the best")
    axis.legend()
    return figure
