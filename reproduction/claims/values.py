"""One metric of a table of results, as the rules of claims ask for it."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

from reproduction.engine.declaration import Cell
from reproduction.statistics import least, most
from reproduction.statistics.effects import ROUNDING, Effect, degenerate, mean_effect, share_effect
from reproduction.statistics.significance import differences_without
from reproduction.statistics.two_way import two_way_effect

__all__ = ["Table", "Values", "compare"]

_FAR = 2.0


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
    chance: Mapping[str, float] = {}
    """Likewise: by metric, what a guess gives."""
    elsewhere: frozenset[str] = frozenset()
    """Settings whose data are not the paper's."""
    percentages: frozenset[str] = frozenset()
    """Metrics that are shares of hundred."""
    groups: pd.DataFrame | None = None
    """Values without each group of test objects, where they are stored."""
    train_share: Mapping[str, float] = {}
    """As the experiment declares."""


class Values:
    """Values of one metric of a table, by setting and method, and what the paper prints."""

    def __init__(self, tables, table, metric):
        known, self._metric = tables[table], metric
        frame = known.frame
        rows = frame[frame["metric"] == metric]
        if rows.empty:
            metrics = [*frame["metric"].unique()]
            raise ValueError(f"metric of {table} must be one of {metrics}; got {metric!r}.")
        columns = (rows[name].to_list() for name in ("setting", "method", "split", "value"))
        self._by_split = {}
        for setting, method, split, value in zip(*columns, strict=True):
            if not np.isnan(value):
                self._by_split.setdefault((setting, method), {})[split] = value
        self._settings = list(rows["setting"].unique())
        self._known = known

    def overlap(self, setting):
        """Size of the test set over that of the training set, where splits overlap; else None.

        Times do not depend on the splits.
        """
        return None if self._metric.endswith("time") else self._known.test_train_ratio.get(setting)

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
        options = {"bound": bound, "sign": sign, "n_test": n_test}
        effect = compare(a, b, level, **options, overlap=self.overlap(setting))
        known = self._known
        without = differences_without(known.groups, method, other, setting, self._metric)
        if effect.degenerate or n_test or without is None or len(without) != len(a):
            return effect
        sound = two_way_effect(
            sign * (a - b),
            sign * without,
            shared=known.train_share.get(setting, 0.0),
            bound=bound,
            level=level,
            unit=b.mean(),
        )
        return effect._replace(p_corrected=sound.p)

    def says_nothing(self, setting, methods, level, *, of_level=False):
        """Why a row says nothing of the paper: all its methods guess, or it is on another level.

        It is empty where one of the methods is better than a guess, and at least half of those that
        the paper prints in the row are within a factor of two of their printed figures, whichever
        of them the claim names: so all claims on a row are comparable, or none is. Of percentages
        the shares that are missing to hundred count as well: 98 % is not near 92 %, and a claim
        about the percentages themselves (`of_level`) says nothing on other data. On the paper's
        data any level is a result, and times have no level.
        """
        methods = [method for method in methods if (setting, method) in self._by_split]
        if methods and all(self._guesses(setting, method, level) for method in methods):
            return "no method is better than a guess"
        if setting not in self._known.elsewhere or self._metric.endswith("time"):
            return ""
        if of_level and self._metric in self._known.percentages:
            return "a level belongs to its data, and these are others"
        far = [
            self._factor(*row) > _FAR for row in self._by_split if self._is_printed(setting, row)
        ]
        if 2 * sum(far) > len(far):
            return "other data, most methods more than twice off their printed level"
        return ""

    def _is_printed(self, setting, row):
        """Whether a setting and method is one of this setting for which the paper has a figure."""
        return row[0] == setting and not np.isnan(self.printed(*row))

    def _guesses(self, setting, method, level):
        """Whether a method is no better than a guess, or than one class for everything."""
        values, trivial = self.of(setting, method), self._known.trivial
        if (chance := self._known.chance.get(self._metric)) is not None:
            effect = mean_effect(values, bound=chance, level=level)
        elif method != trivial and (setting, trivial) in self._by_split:
            values, other = self.common((setting, method), (setting, trivial))
            effect, chance = mean_effect(values - other, level=level), 0.0
        else:
            return False
        slack = ROUNDING * np.abs(values).max()  # last bits are no difference
        return effect.low - slack <= chance <= effect.high + slack

    def _factor(self, setting, method):
        """How many times the printed level and ours are apart; NaN where nothing is printed."""
        ours, printed = self.of(setting, method).mean(), self.printed(setting, method)
        pairs = [(ours, printed)]
        if self._metric in self._known.percentages:
            pairs.append((100.0 - ours, 100.0 - printed))
        with np.errstate(divide="ignore", invalid="ignore"):
            return float(max(np.exp(abs(np.log(np.divide(*pair)))) for pair in pairs))

    def extremes(self, methods, setting, level, bound):
        """Effect of the difference of the largest and the least mean, over the least."""
        means = {method: self.of(setting, method).mean() for method in methods}
        ends = most(means), least(means)
        return self.difference(*ends, setting, level, bound=bound)

    def printed(self, setting, method):
        """What is printed; NaN where nothing is."""
        return self._known.printed.get((method, setting, self._metric), np.nan)

    def printed_difference(self, first, second, sign=1):
        """The relative difference of two printed (setting, method); NaN where one is not there."""
        return sign * (self.printed(*first) / self.printed(*second) - 1)


def compare(a, b, level, *, bound=0.0, sign=1, n_test=None, overlap=None):
    """Effect of the difference of two methods on the same splits, over the mean of the second.

    Where there is one test set of `n_test` objects, that of two shares of them.
    """
    if n_test:
        return share_effect(a.mean(), b.mean(), n_test, level=level, unit=b.mean())
    if reason := degenerate(a, b):
        value = float(sign * (a.mean() - b.mean()) / (b.mean() or 1.0))
        return Effect(value, *[np.nan] * 4, len(a), np.nan, reason)
    return mean_effect(sign * (a - b), unit=b.mean(), bound=bound, level=level, overlap=overlap)
