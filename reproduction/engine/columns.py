"""What the numbers of a stored table can be at all: a range for each metric.

A paper's folder has a module ``columns`` with a dict ``COLUMNS``: by metric its `Number`. No
experiment imports it, so a new rule puts no stored table in doubt. Metrics that are times need
none. A `Table` has rules of its own, on its scores.
"""

import importlib
import math
from dataclasses import dataclass
from importlib.util import find_spec

__all__ = ["Number", "choices", "find_faults", "percentages"]


@dataclass(frozen=True)
class Number:
    """Any number from `low` to `high`, or any whole one; of a `choice`, a method has chosen it."""

    low: float = 0.0
    high: float = math.inf
    whole: bool = False
    choice: bool = False

    def holds(self, values):
        """Whether each of some values is one."""
        return values.between(self.low, self.high) & ((values % 1 == 0) | (not self.whole))

    def __str__(self):
        return f"{'a whole number ' * self.whole}between {self.low:g} and {self.high:g}"


def find_faults(experiment, frame):
    """A line for each row of a table that breaks the rule of its metric, or has none.

    Of experiments that no paper's folder declares, only times have a rule.
    """
    rules = _rules_of(experiment)
    faults = []
    for metric, rows in frame.groupby("metric", sort=False):
        if metric in experiment.tolerance.timings:
            rule = Number()
        elif rules is None:
            continue
        elif (rule := rules.get(metric)) is None:
            faults.append(f"{experiment.id}: {metric} must have a rule in the paper's columns.py.")
            continue
        faults += [
            f"{experiment.id}, {row.method}, {row.setting}, split {row.split}: {metric} must be "
            f"{rule}; got {row.value:.10g}."
            for row in rows[~rule.holds(rows["value"])].itertuples()
        ]
    return faults


def percentages(experiment):
    """Metrics of an experiment's paper that are shares of hundred."""
    rules = _rules_of(experiment) or {}
    return frozenset(metric for metric, rule in rules.items() if rule.high == 100)


def choices(experiment):
    """Metrics of an experiment's paper that are hyper-parameters, chosen in training."""
    rules = _rules_of(experiment) or {}
    return frozenset(metric for metric, rule in rules.items() if rule.choice)


def _rules_of(experiment):
    """Rules of a table, or else of the paper in whose folder it is declared; None if in none."""
    if experiment.rules is not None:
        return experiment.rules
    if not experiment.module.startswith("reproduction.papers."):
        return None
    name = ".".join([*experiment.module.split(".")[:3], "columns"])
    if find_spec(name) is None:
        return {}
    return importlib.import_module(name).COLUMNS
