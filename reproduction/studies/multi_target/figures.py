"""Average ranks over many data sets."""

import matplotlib.pyplot as plt
import numpy as np

from reproduction.figures.layout import WIDEST
from reproduction.figures.names import method_name
from reproduction.figures.style import in_style
from reproduction.statistics import steady


@in_style
def plot_critical_difference(ranks, critical_difference):
    """Average ranks on a line, with bars over methods that the data cannot tell apart."""
    ranks = ranks.sort_values(key=steady, kind="stable")
    places = ranks.to_numpy()
    n = len(ranks)
    groups = find_groups(places, critical_difference)
    n_left = (n + 1) // 2
    figure, axis = plt.subplots(figsize=(WIDEST, 1.5 + 0.22 * len(groups) + 0.24 * n_left))
    for level, (first, last) in enumerate(groups):
        height = -0.35 - 0.35 * level
        axis.plot(places[[first, last]] + [-0.04, 0.04], [height, height], "k", lw=3.5)
    bottom = -0.35 * len(groups) - 0.8
    for i, (method, rank) in enumerate(ranks.rename(method_name).items()):
        left = i < n_left
        row = i if left else n - 1 - i
        height, end = bottom - 0.45 * row, 0.3 if left else n + 0.7
        axis.plot([rank, rank, end], [0, height, height], color="black", lw=0.8)
        text = f"{method}  {rank:.1f}" if left else f"{rank:.1f}  {method}"
        axis.text(end, height + 0.05, text, ha="left" if left else "right", va="bottom")
    axis.plot([1, 1 + critical_difference], [0.9, 0.9], "k|-", lw=1.5)
    axis.text(1, 1.1, f"critical difference {critical_difference:.1f}", va="bottom")
    axis.plot([1, n], [0, 0], color="black")
    for rank in range(1, n + 1):
        axis.plot([rank, rank], [0, 0.12], color="black", lw=0.8)
        axis.text(rank, 0.2, str(rank), ha="center", va="bottom")
    axis.set(xlim=(0.3, n + 0.7), ylim=(bottom - 0.45 * n_left, 1.8))
    axis.axis("off")
    return figure


def find_groups(places, critical_difference):
    """Longest runs of sorted ranks that lie within the critical difference, as index pairs."""
    groups = []
    for first, place in enumerate(places):
        last = int(np.searchsorted(places, place + critical_difference, side="right")) - 1
        if last > first and (not groups or last > groups[-1][1]):
            groups.append((first, last))
    return groups
