"""Figures of the ledger of claims."""

import numpy as np
from matplotlib import pyplot as plt

from ofer.plotting._style import in_style

__all__ = ["plot_scorecard"]

# Grey levels and hatches, so that the verdicts differ in print too.
_LOOKS = {
    "reproduced": ("0.25", ""),
    "partly": ("0.6", "//"),
    "not reproduced": ("0.95", ""),
    "not testable": ("0.85", "xx"),
    "undecided": ("1.0", ".."),
}


@in_style
def plot_scorecard(counts):
    """Numbers of claims by table and verdict, as stacked bars.

    Parameters
    ----------
    counts : DataFrame of shape (n_tables, n_verdicts)
        A row a table, a column a verdict.

    Returns
    -------
    Figure
    """
    figure, axes = plt.subplots(figsize=(7, 0.8 + 0.3 * len(counts)))
    start = np.zeros(len(counts))
    for verdict, (grey, hatch) in _LOOKS.items():
        if verdict not in counts:
            continue
        axes.barh(
            counts.index,
            counts[verdict],
            left=start,
            color=grey,
            edgecolor="0.2",
            hatch=hatch,
            label=verdict,
        )
        start += counts[verdict].to_numpy()
    axes.invert_yaxis()
    axes.set(xlabel="claims", ylabel=counts.index.name or "table")
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return figure
