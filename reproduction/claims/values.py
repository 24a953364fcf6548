"""One metric of a table of results, as the rules of claims ask for it."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

from reproduction.engine.declaration import Cell
from reproduction.statistics.effects import SAME, Effect, degenerate, mean_effect, share_effect

__all__ = ["Table", "Values"]


class Table(NamedTuple):
    """A table of results, and what rules ask of it beside its rows."""

    frame: pd.DataFrame
    """Its rows."""
    printed: Mapping[Cell, float] = {}
    """As `printed_means` says."""
    test_train_ratio: Mapping[str, float] = {}
    """As the experiment declares."""
    trivial: str = ""
    """Likewise: the method that predicts one class for everything."""


class Values:
    """Values of one metric of a table, by setting and method, and what the paper prints.

    Parameters
    ----------
    tables : dict of str to Table
        Tables of results by id.
    table, metric : str
        Which table, and which metric of it.
    """

    def __init__(self, tables, table, metric):
        known, self._metric = tables[table], metric
        frame = known.frame
        rows = frame[frame["metric"] == metric]
        columns = (rows[name].to_list() for name in ("setting", "method", "split", "value"))
        self._by_split = {}
        for setting, method, split, value in zip(*columns, strict=True):
            if not np.isnan(value):
                self._by_split.setdefault((setting, method), {})[split] = value
        self._settings = list(rows["setting"].unique())
        self._ratios = known.test_train_ratio
        self._printed = known.printed
        self._trivial = known.trivial

    def overlap(self, setting):
        """Size of the test set over that of the training set, where splits overlap; else None.

        Times do not depend on the splits.
        """
        return None if self._metric.endswith("time") else self._ratios.get(setting)

    def settings(self, wanted):
        """Those that are wanted, or all."""
        if wanted is None:
            return self._settings
        if missing := [setting for setting in wanted if setting not in self._settings]:
            raise ValueError(f"settings must be among {self._settings}; got {missing}.")
        return list(wanted)

    def of(self, setting, method):
        """Values over splits."""
        values = self._by_split[setting, method]
        return np.array([values[split] for split in sorted(values)])

    def common(self, first, second):
        """Values of two (setting, method) over their common splits."""
        a, b = self._by_split[first], self._by_split[second]
        splits = sorted(a.keys() & b.keys())
        return np.array([a[split] for split in splits]), np.array([b[split] for split in splits])

    def difference(self, method, other, setting, level, *, bound=0.0, sign=1, n_test=None):
        """Effect of the difference over the other's mean; negative where the method is better."""
        a, b = self.common((setting, method), (setting, other))
        collapsed = [name for name in (method, other) if self._is_trivial(setting, name)]
        reason = f"{collapsed[0]} is no better than one class for everything" if collapsed else ""
        options = {"bound": bound, "sign": sign, "n_test": n_test, "reason": reason}
        return compare(a, b, level, **options, overlap=self.overlap(setting))

    def _is_trivial(self, setting, method):
        """Whether a method has collapsed: the values of the trivial one, on every split."""
        if method == self._trivial or (setting, self._trivial) not in self._by_split:
            return False
        own, trivial = self.common((setting, method), (setting, self._trivial))
        return len(own) > 1 and degenerate(own, trivial) == SAME

    def extremes(self, methods, setting, level, bound):
        """Effect of the difference of the largest and the least mean, over the least."""
        means = {method: self.of(setting, method).mean() for method in methods}
        ends = max(means, key=means.get), min(means, key=means.get)
        return self.difference(*ends, setting, level, bound=bound)

    def printed(self, setting, method):
        """What is printed; NaN where nothing is."""
        return self._printed.get((method, setting, self._metric), np.nan)

    def printed_difference(self, first, second, sign=1):
        """The relative difference of two printed (setting, method); NaN where one is not there."""
        return sign * (self.printed(*first) / self.printed(*second) - 1)


def compare(a, b, level, *, bound=0.0, sign=1, n_test=None, overlap=None, reason=""):
    """Effect of the difference of two methods on the same splits, over the mean of the second.

    Where there is one test set of `n_test` objects, that of two shares of them. A reason why it
    decides nothing may be known already.
    """
    if n_test:
        return share_effect(a.mean(), b.mean(), n_test, level=level, unit=b.mean())
    if reason := reason or degenerate(a, b):
        value = float(sign * (a.mean() - b.mean()) / (b.mean() or 1.0))
        return Effect(value, *[np.nan] * 4, len(a), np.nan, reason)
    return mean_effect(sign * (a - b), unit=b.mean(), bound=bound, level=level, overlap=overlap)
