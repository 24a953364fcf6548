"""Leave-one-out errors over the ridge."""

import matplotlib.pyplot as plt

from reproduction.figures.style import in_style, line_look, mark_look


@in_style
def plot_loo_path(ridges):
    """Leave-one-out error against the ridge, and the chosen ridge, by name of a fitted ridge."""
    figure, axis = plt.subplots(figsize=(5.2, 3.4))
    for number, (name, ridge) in enumerate(ridges.items()):
        errors = ridge.loo_scores_ / ridge.loo_scores_.max()  # scores are negative errors
        axis.plot(ridge.alphas_, errors, label=name, **line_look(number))
        axis.plot(ridge.alpha_, 1.0, ms=8, **mark_look(number))
    axis.set(xscale="log", xlabel=r"ridge parameter $\alpha$")
    axis.set_ylabel("leave-one-out error\nrelative to the best")
    axis.legend()
    return figure
