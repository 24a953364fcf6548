"""What the numbers of a stored table can be at all: rules of sanity, one for each metric.

A paper's folder has a module ``columns`` with a dict ``COLUMNS``: by metric, or by a table's id and
metric, which goes first, one of the rules of this module. No experiment imports it, so a new rule
puts no stored table in doubt. Metrics that are times need none.
"""

import importlib
import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from importlib.util import find_spec

import numpy as np

__all__ = ["Chosen", "Counted", "Number", "Size", "Whole", "find_faults"]

_ROUNDING = 1e-9  # ten significant digits are stored


@dataclass(frozen=True)
class Number:
    """Any number from `low` to `high`."""

    low: float = 0.0
    high: float = math.inf

    def holds(self, rows, experiment):
        """Whether each row keeps the rule."""
        return rows["value"].between(self.low, self.high)

    def __str__(self):
        return f"between {self.low:g} and {self.high:g}"


@dataclass(frozen=True)
class Whole(Number):
    """A whole number from `low` to `high`."""

    def holds(self, rows, experiment):
        """Whether each row keeps the rule."""
        return super().holds(rows, experiment) & (rows["value"] % 1 == 0)

    def __str__(self):
        return f"a whole number {super().__str__()}"


@dataclass(frozen=True)
class Size(Whole):
    """A number of samples: whole, and the same for all methods of a setting and a split."""

    def holds(self, rows, experiment):
        """Whether each row keeps the rule; rows that differ from most do not."""
        groups = rows.groupby(["setting", "split"])["value"]
        usual = groups.transform(lambda values: values.mode()[0])
        return super().holds(rows, experiment) & (rows["value"] == usual)

    def __str__(self):
        return "a number of samples, the same for all methods"


@dataclass(frozen=True)
class Chosen:
    """One of the numbers that the parameters of the experiment declare, or of others."""

    others: tuple[float, ...] = ()

    def holds(self, rows, experiment):
        """Whether each row keeps the rule."""
        declared = np.array([*_numbers(experiment.parameters), *self.others])
        return rows["value"].map(lambda value: bool(np.isclose(declared, value, 1e-9, 0).any()))

    def __str__(self):
        others = "".join(f" or {number:g}" for number in self.others)
        return f"a number that the parameters declare{others}"


@dataclass(frozen=True)
class Counted:
    """A share of cases that were counted: ``unit * k / n``, with a whole k from 0 to n.

    Parameters
    ----------
    n : int or tuple of str
        The number of cases: the largest that there can be, of which all rows of a setting and a
        split have one in common; or metrics whose product it is.
    unit : float, default=1
        100 for per cent.
    """

    n: int | tuple[str, ...]
    unit: float = 1.0

    def holds(self, rows, experiment):
        """Whether each row keeps the rule; a row that leaves no common number does not."""
        shares = rows["value"] / self.unit
        if isinstance(self.n, tuple):
            counts = shares * rows[[*self.n]].prod(axis=1)
            near = (counts - counts.round()).abs() <= _ROUNDING * counts.clip(lower=1.0)
        else:
            near = shares.groupby([rows["setting"], rows["split"]]).transform(self._in_common)
            near = near.astype(bool)
        return shares.between(0, 1) & near

    def _in_common(self, shares):
        fractions = [Fraction(share).limit_denominator(self.n) for share in shares]
        near = [abs(float(f) - s) <= _ROUNDING for f, s in zip(fractions, shares, strict=True)]
        together = math.lcm(*(f.denominator for f, ok in zip(fractions, near, strict=True) if ok))
        return near if together <= self.n else [False] * len(near)

    def __str__(self):
        cases = " * ".join(self.n) if isinstance(self.n, tuple) else f"at most {self.n}"
        return f"a share of {cases} cases, times {self.unit:g}"


def find_faults(experiment, frame):
    """Rows that cannot be.

    Parameters
    ----------
    experiment : Experiment
        Whose table it is.
    frame : DataFrame
        The table, as from `run`.

    Returns
    -------
    faults : list of str
        A line for each row that breaks the rule of its metric, and for each metric without a rule,
        but for experiments that no paper's folder declares: there only times have one.
    """
    rules = _rules_of(experiment)
    wide = frame.pivot_table(index=["method", "setting", "split"], columns="metric", values="value")
    faults = []
    for metric, rows in frame.groupby("metric", sort=False):
        if metric in experiment.timings:
            rule = Number(0.0)
        elif rules is None:
            continue
        elif (rule := rules.get((experiment.id, metric), rules.get(metric))) is None:
            faults.append(f"{experiment.id}: {metric} must have a rule in the paper's columns.py.")
            continue
        rows = rows.join(wide, on=["method", "setting", "split"])
        faults += [
            f"{experiment.id}, {row.method}, {row.setting}, split {row.split}: {metric} must be "
            f"{rule}; got {row.value:.10g}."
            for row in rows[~rule.holds(rows, experiment)].itertuples()
        ]
    return faults


def _rules_of(experiment):
    """Rules of the paper in whose folder an experiment is declared; None if there is no such."""
    module = experiment.evaluate.__module__ or ""
    if not module.startswith("reproduction.papers."):
        return None
    name = ".".join([*module.split(".")[:3], "columns"])
    if find_spec(name) is None:
        return {}
    return importlib.import_module(name).COLUMNS


def _numbers(value):
    """All numbers of nested parameters."""
    if isinstance(value, Mapping):
        value = value.values()
    elif not isinstance(value, list | tuple):
        if isinstance(value, int | float) and not isinstance(value, bool):
            yield float(value)
        return
    for item in value:
        yield from _numbers(item)
