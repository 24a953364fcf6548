"""How far methods are ahead of a reference, set by set."""

import matplotlib.pyplot as plt
import numpy as np
from scipy import stats

from reproduction.figures.layout import name_rows
from reproduction.figures.style import COLORS, in_style

__all__ = ["plot_leads"]

MARKERS = "osD^vP"


@in_style
def plot_leads(frame, names, *, reference):
    """Tau minus that of a reference on the same folds, with 95 % intervals, one row per set.

    At most six methods have room; `names` says what they are called.
    """
    frame = frame[frame["metric"] == "tau"]
    table = frame.pivot(index=["setting", "split"], columns="method", values="value")
    sets = list(frame["setting"].unique())
    figure, axis = plt.subplots(figsize=(5.4, 1.4 + 0.45 * len(sets)))
    for number, (method, name) in enumerate(names.items()):
        groups = (table[method] - table[reference]).groupby("setting")
        reach = stats.t.ppf(0.975, groups.size() - 1) * groups.sem()
        mean, reach = (value[sets].to_numpy() for value in (groups.mean(), reach))
        places = np.arange(len(sets)) + 0.14 * (number - (len(names) - 1) / 2)
        look = {"color": COLORS[number], "ls": "", "marker": MARKERS[number], "ms": 4.5}
        axis.errorbar(mean, places, xerr=reach, elinewidth=1, label=name, **look)
    axis.axvline(0, color="black", lw=0.8)
    axis.set(xlabel="Kendall's tau, ahead of ridge regression of the ranks", ylabel="data set")
    name_rows(axis, sets)
    figure.legend(loc="outside upper center", ncols=3)
    return figure
