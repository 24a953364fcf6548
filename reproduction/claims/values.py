"""One metric of a table of results, as the rules of claims ask for it."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

from reproduction.engine.declaration import Cell
from reproduction.statistics.effects import degenerate, mean_effect, share_effect

__all__ = ["Table", "Values"]


class Table(NamedTuple):
    """A table of results, and what rules ask of it beside its rows."""

    frame: pd.DataFrame
    """Its rows."""
    origin: str = "faithful"
    """As `data_origin` says."""
    printed: Mapping[Cell, float] = {}
    """As `printed_means` says."""
    test_train_ratio: Mapping[str, float] = {}
    """As the experiment declares."""

    @property
    def sizes_count(self):
        """Whether a printed size is claimed; of what was measured elsewhere only the sign is."""
        return self.origin != "substitute"


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
        self.printed = known.printed
        self.sizes_count = known.sizes_count

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
        if n_test:
            return share_effect(a.mean(), b.mean(), n_test, level=level, unit=b.mean())
        if len(a) > 1 and not (a - b).any():
            return degenerate(len(a))
        options = {"bound": bound, "level": level, "overlap": self.overlap(setting)}
        return mean_effect(sign * (a - b), unit=b.mean(), **options)

    def extremes(self, methods, setting, level, bound):
        """Effect of the difference of the largest and the least mean, over the least."""
        means = {method: self.of(setting, method).mean() for method in methods}
        ends = max(means, key=means.get), min(means, key=means.get)
        return self.difference(*ends, setting, level, bound=bound)

    def printed_difference(self, first, second, sign=1):
        """The same of two printed (method, setting); NaN where one is not printed."""
        cells = [self.printed.get((*place, self._metric), np.nan) for place in (first, second)]
        return sign * (cells[0] / cells[1] - 1)
