"""One effect in all readings of an experiment: a specification curve."""

import matplotlib.pyplot as plt
import numpy as np

from reproduction.figures.style import in_style
from reproduction.statistics import steady

__all__ = ["plot_specifications"]


@in_style
def plot_specifications(effects, choices, *, label):
    """Effects with their intervals, sorted, and beneath each the choices of its reading.

    Both frames have a row for each reading: ``value``, ``low`` and ``high``, and a column for each
    dimension that the paper leaves open. See Simonsohn, Simmons and Nelson, "Specification curve
    analysis", Nature Human Behaviour 4, 2020.
    """
    effects = effects.sort_values("value", key=steady, kind="stable")
    choices = choices.loc[effects.index]
    options = [(name, o) for name in choices for o in dict.fromkeys(choices[name])]
    height = 1.7 + 0.2 * len(options)
    figure, (curve, marks) = plt.subplots(
        2, 1, figsize=(5.4, height), height_ratios=(1.5, 0.2 * len(options)), sharex=True
    )
    places = np.arange(len(effects))
    clear = (effects["low"] > 0) | (effects["high"] < 0)
    for some, look in ((clear, "black"), (~clear, "white")):
        shown = effects[some]
        ends = np.abs(shown[["low", "high"]].to_numpy().T - shown["value"].to_numpy())
        at = places[some.to_numpy()]
        curve.errorbar(at, shown["value"], ends, fmt="o", color="black", mfc=look, ms=5, capsize=2)
    curve.axhline(0, color="0.5", lw=0.8)
    curve.set_ylabel(label)
    rows = {option: len(options) - 1 - n for n, option in enumerate(options)}
    for (name, option), row in rows.items():
        chosen = (choices[name] == option).to_numpy()
        marks.plot(places[~chosen], np.full((~chosen).sum(), row), "|", color="0.8", ms=5)
        marks.plot(places[chosen], np.full(chosen.sum(), row), "s", color="black", ms=5)
    marks.set(yticks=[*rows.values()], yticklabels=[option for _, option in rows], xticks=[])
    marks.set_ylim(-0.7, len(options) - 0.3)
    marks.grid(visible=False)
    return figure
