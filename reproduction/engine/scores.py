"""The metrics of a table: what their numbers can be, and from which values choices are made."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any

from reproduction.checks import check_option

__all__ = ["Grid", "Score", "check_numbers", "check_scores", "find_faults"]


@dataclass(frozen=True, kw_only=True)
class Grid:
    """The values that a choice is made from.

    Parameters
    ----------
    values : callable
        ``values(parameters, method, setting) -> sequence of float``: what was searched there, given
        the parameters of the experiment. Fewer than two: nothing was chosen there.
    natural : mapping of {"low", "high"} to float, default={}
        Values beyond which there is nothing, such as one component: where a grid reaches them, its
        end is a natural one.
    done : str, default="open"
        What was done about ends that are chosen often.
    done_of : mapping of str to str, default={}
        The same by method, where that differs.
    """

    values: Callable[[Mapping[str, Any], str, str], Sequence[float]]
    natural: Mapping[str, float] = field(default_factory=dict)
    done: str = "open"
    done_of: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self):
        if not callable(self.values):
            raise TypeError(f"values must be callable; got {self.values!r}.")
        for end in self.natural:
            check_option("each of natural", end, ("low", "high"))


@dataclass(frozen=True)
class Score:
    """A metric of a table, and what its numbers can be.

    Parameters
    ----------
    name : str
        The metric.
    function : callable, default=None
        Of a `Table`, ``function(Y_test, outputs, Y) -> float`` with the training outputs last;
        None: methods give this number in `Prediction.chosen`. The evaluation of an `Experiment`
        gives all numbers itself.
    low, high : float, default=0, inf
        The closed range of its numbers.
    whole : bool, default=False
        Whether they are whole numbers.
    is_time : bool, default=False
        Whether they are times, in seconds: no two runs agree, and they are not compared.
    choice : Grid or str, default=None
        Of a hyper-parameter that methods choose in training, the values that they choose from, or
        a sentence that says why the ends of these cannot be counted.
    """

    name: str
    function: Callable[[Any, Any, Any], float] | None = None
    _: KW_ONLY
    low: float = 0.0
    high: float = math.inf
    whole: bool = False
    is_time: bool = False
    choice: Grid | str | None = None

    def __post_init__(self):
        if not (isinstance(self.name, str) and self.name):
            raise ValueError(f"name must be a string that is not empty; got {self.name!r}.")
        if not (self.function is None or callable(self.function)):
            raise TypeError(
                f"function of {self.name} must be callable or None; got {self.function!r}."
            )
        if not self.low <= self.high:
            raise ValueError(
                f"low of {self.name} must be at most high, {self.high!r}; got {self.low!r}."
            )
        if not (self.choice is None or (isinstance(self.choice, Grid | str) and self.choice)):
            raise TypeError(
                f"choice of {self.name} must be a Grid, a sentence or None; got {self.choice!r}."
            )
        if self.is_time and self.choice is not None:
            raise ValueError(f"choice of {self.name} must be None of a time; got {self.choice!r}.")

    def holds(self, values):
        """Tell which values this metric can have.

        Parameters
        ----------
        values : Series of float
            Numbers of a table.

        Returns
        -------
        Series of bool
        """
        return values.between(self.low, self.high) & ((values % 1 == 0) | (not self.whole))


def check_scores(scores):
    """Raise unless this is a tuple of `Score` of different names."""
    if not isinstance(scores, tuple) or not all(isinstance(score, Score) for score in scores):
        raise TypeError(f"scores must be a tuple of Score; got {scores!r}.")
    names = [score.name for score in scores]
    if len({*names}) < len(names):
        raise ValueError(f"scores must not repeat a name; got {names}.")


def check_numbers(experiment, frame):
    """Raise ValueError when rows of a table have faults, with the first in full."""
    if faults := find_faults(experiment, frame):
        more = f" {len(faults) - 1} more." if len(faults) > 1 else ""
        raise ValueError(f"{faults[0]}{more}")


def find_faults(experiment, frame):
    """A line for each row of a table that its metric cannot have, and each metric without a score.

    An experiment that declares no scores has no rules.
    """
    scores, faults = {score.name: score for score in experiment.scores}, []
    if not scores:
        return faults
    for metric, rows in frame.groupby("metric", sort=False):
        if (score := scores.get(metric)) is None:
            faults.append(f"scores of {experiment.id} must name each metric; got {metric!r}.")
            continue
        rule = f"{'a whole number ' * score.whole}between {score.low:g} and {score.high:g}"
        faults += [
            f"{experiment.id}, {row.method}, {row.setting}, split {row.split}: {metric} must be "
            f"{rule}; got {row.value:.10g}."
            for row in rows[~score.holds(rows["value"])].itertuples()
        ]
    return faults
