"""Explosions of the printed closed form."""

import matplotlib.pyplot as plt
import numpy as np

from reproduction.figures.layout import draw_lines
from reproduction.figures.style import in_style, mark_look


@in_style
def plot_explosion(denominators, errors):
    """Errors of single predictions against the denominator of the printed closed form.

    Parameters
    ----------
    denominators : ndarray of shape (n_queries,)
        Sums of weighted precisions.
    errors : dict of str to ndarray of shape (n_queries,)
        Errors of the forms to compare.

    Returns
    -------
    Figure
    """
    figure, axes = plt.subplots(figsize=(6.5, 3.4))
    draw_lines(axes, denominators, errors, look=mark_look, ms=4, alpha=0.7)
    axes.axvline(0, color="black", lw=0.8)
    axes.set_xscale("symlog", linthresh=np.median(np.abs(denominators)) / 10)
    axes.set(yscale="log", xlabel="denominator", ylabel="error")
    axes.legend()
    return figure
