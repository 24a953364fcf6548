"""Ranks of methods over several data sets, and what they prove."""

from numbers import Real
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from reproduction.statistics.order import steady
from reproduction.statistics.summary import summarize


class RankTest(NamedTuple):
    """Friedman's test and Nemenyi's critical difference."""

    ranks: pd.Series
    """Average rank of each method, the best first; 1 would be the best on every set."""
    statistic: float
    """Friedman's chi-square statistic."""
    p: float
    """Its p-value: how often methods without any difference would have ranks as uneven."""
    critical_difference: float
    """Average ranks that differ by less can be due to the choice of the sets."""


def rank_methods(frame, *, metric, methods=None, level=0.05, digits=4):
    r"""Rank methods on each setting and test whether their average ranks differ.

    Methods are ranked on each of N settings by their mean over splits; ties share the average of
    their ranks. Friedman's test asks whether the k average ranks differ at all. If they do,
    Nemenyi's test calls two methods different when their average ranks are further apart than

    .. math:: CD = \frac{q}{\sqrt 2} \sqrt{\frac{k (k + 1)}{6 N}}

    with q the upper quantile of the studentized range of k means with infinite degrees of
    freedom [1]_.

    Parameters
    ----------
    frame : DataFrame
        Table of results, as `run` returns it; its settings are independent data sets.
    metric : str
        The metric to compare; smaller is better.
    methods : sequence of str, default=None
        Methods to compare, at least three; None means all.
    level : float, default=0.05
        Level of Nemenyi's test, between 0 and 1.
    digits : int, default=4
        Means that agree to so many decimals are ties.

    Returns
    -------
    RankTest

    Raises
    ------
    ValueError
        When `level` is out of range, there are fewer than three methods or two settings, or a
        mean is missing.

    References
    ----------
    .. [1] J. Demšar, "Statistical comparisons of classifiers over multiple data sets", Journal
       of Machine Learning Research 7, 2006, section 3.2.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame(
    ...     [(m, s, 0, "error", e + int(s)) for m, e in zip("abc", (1, 3, 2)) for s in "123"],
    ...     columns=["method", "setting", "split", "metric", "value"],
    ... )
    >>> test = rank_methods(frame, metric="error")
    >>> test.ranks.to_dict()
    {'a': 1.0, 'c': 2.0, 'b': 3.0}
    >>> round(test.critical_difference, 2)
    1.91
    """
    if not (isinstance(level, Real) and 0 < level < 1):
        raise ValueError(f"level must be between 0 and 1; got {level!r}.")
    summary = summarize(frame)
    means = summary[summary["metric"] == metric].pivot(
        index="setting", columns="method", values="mean"
    )
    if methods is not None:
        means = means.reindex(columns=list(methods))
    n_settings, n_methods = means.shape
    if n_methods < 3 or n_settings < 2:
        raise ValueError(
            "frame must have at least 3 methods and 2 settings with the metric "
            f"{metric!r}; got {n_methods} and {n_settings}."
        )
    if means.isna().to_numpy().any():
        holes = [method for method in means if means[method].isna().any()]
        raise ValueError(f"frame must have the metric {metric!r} everywhere; {holes} lack it.")
    means = means.round(digits)
    statistic, p = stats.friedmanchisquare(*means.to_numpy().T)
    quantile = stats.studentized_range.ppf(1 - level, n_methods, np.inf)
    return RankTest(
        ranks=means.rank(axis=1).mean().sort_values(key=steady, kind="stable"),
        statistic=float(statistic),
        p=float(p),
        critical_difference=float(
            quantile / np.sqrt(2) * np.sqrt(n_methods * (n_methods + 1) / (6 * n_settings))
        ),
    )
