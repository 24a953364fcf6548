"""Evaluates the units of an experiment, in parallel, and continues after an interruption."""

import contextlib
import ctypes
import math
import os
import signal
import sys
import time
from typing import NamedTuple

import pandas as pd
from joblib import Parallel, delayed
from threadpoolctl import threadpool_limits
from tqdm import tqdm

from reproduction.engine.scores import check_numbers
from reproduction.engine.units import Outcome, Units
from reproduction.machine import watch

COLUMNS = ("method", "setting", "split", "metric", "value")
_PR_SET_PDEATHSIG = 1  # of linux/prctl.h


class Run(NamedTuple):
    """What a run gave, and what it took."""

    frame: pd.DataFrame
    """A row for each unit and metric: ``method``, ``setting``, ``split``, ``metric``, ``value``."""
    seconds: float
    """Time spent in all units, those of earlier runs too."""
    load: float | None
    """Processors of this machine that others used meanwhile, see `watch`; None where that is not
    known of all units, because some were evaluated before."""
    groups: pd.DataFrame | None = None
    """Of a table with groups, a row for each unit and score: ``method``, ``setting``, ``split``,
    ``metric``, and a column for each group, the value on the test objects of all others."""


def run(experiment, units=None, *, n_jobs=-1, scratch=None, progress=True):
    """Evaluate an experiment, or a part of it.

    The table depends neither on the number of jobs nor on the order in which the units finish:
    rows are sorted as declared, every unit runs with one BLAS thread, and values are rounded to
    ten significant digits, which a text file keeps exactly.

    Parameters
    ----------
    experiment : Experiment
        What to evaluate.
    units : sequence of Unit, default=None
        What to evaluate, such as ``experiment.units(splits=[0])``; None means everything.
    n_jobs : int, default=-1
        Number of units evaluated at the same time, as in `joblib.Parallel`.
    scratch : path-like, default=None
        Folder of a file that keeps the finished units, so that a run that was killed continues
        where it was when called again. The file is left there. None: nothing is kept.
    progress : bool, default=True
        Whether to write to standard error what is done and how long the rest will take.

    Returns
    -------
    Run
        The table, ``frame``, and what it took.

    Raises
    ------
    ValueError
        When an evaluation gives no metric, a value that is not finite, or one that its metric
        cannot have: at the first such unit, not after hours.

    Examples
    --------
    >>> from reproduction.engine import Experiment, run
    >>> def evaluate(data, method, setting, split):
    ...     return {"error": data + int(setting) + split}
    >>> experiment = Experiment(
    ...     id="toy", title="A toy", load=lambda: 0.5, evaluate=evaluate,
    ...     methods=("constant",), settings=("10", "20"), n_splits=2, parameters={},
    ... )
    >>> run(experiment, experiment.units(settings=["20"]), n_jobs=1, progress=False).frame
         method setting  split metric  value
    0  constant      20      0  error   20.5
    1  constant      20      1  error   21.5
    """
    units = experiment.units() if units is None else list(units)
    _ = experiment.closures  # before anything is evaluated: an edit meanwhile is a later change
    others = watch()
    kept = None if scratch is None else Units(experiment, scratch)
    outcomes = {} if kept is None else kept.read()
    check_numbers(experiment, _to_frame(outcomes))  # what a score allows may have changed since
    missing = [unit for unit in units if unit not in outcomes]
    bar = tqdm(
        desc=experiment.id,
        total=len(units),
        initial=len(units) - len(missing),  # of an earlier run: not for the time left
        unit="unit",
        mininterval=0.1 if sys.stderr.isatty() else 5.0,  # a log gets few lines
        file=sys.stderr,
        disable=not progress,
    )
    # closing: when a unit fails, the others are stopped before the error is raised.
    with bar, contextlib.closing(_evaluate_all(experiment, missing, n_jobs)) as finished:
        for unit, outcome in finished:
            check_numbers(experiment, _to_frame({unit: outcome}))
            outcomes[unit] = outcome
            if kept is not None:
                kept.append(unit, outcome)
            bar.update()
    wanted = {unit: outcomes[unit] for unit in units}
    seconds = sum(outcome.seconds for outcome in wanted.values())
    load = others() if len(missing) == len(units) else None
    return Run(_to_frame(wanted), seconds, load, _to_groups(wanted, experiment.groups))


def _evaluate_all(experiment, units, n_jobs):
    """Yield (unit, outcome) of each unit as soon as it is finished."""
    if not units:
        return
    data = experiment.load()
    # The longest first, so that no processor idles while the last units run.
    units = sorted(units, key=lambda unit: -experiment.settings.index(unit.setting))
    parallel = Parallel(
        n_jobs=n_jobs,
        backend="loky",
        return_as="generator_unordered",
        batch_size=1,
        initializer=_end_with,
        initargs=(os.getpid(),),
    )
    calls = (delayed(_evaluate)(experiment.evaluate, data, unit) for unit in units)
    with contextlib.closing(parallel(calls)) as outcomes:
        yield from outcomes


def _end_with(parent):
    """Let a worker end when its parent does, however that ends; loky would wait for minutes."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # killed while this process imported what it needs
            os._exit(1)


def _evaluate(evaluate, data, unit):
    """Evaluate one unit with one BLAS thread."""
    start = time.perf_counter()
    try:
        with threadpool_limits(limits=1):
            values, groups = _checked(evaluate(data, *unit))
    except Exception as error:
        error.add_note(f"While evaluating {unit}.")
        raise
    return unit, Outcome(values, time.perf_counter() - start, groups)


def _checked(values):
    """Metrics of a unit as plain floats of ten significant digits, and those without a group.

    A list begins with the metric; the values without each group follow, with eight digits.
    """
    lists = {name: value for name, value in values.items() if isinstance(value, list)}
    values = dict(values) | {name: value[0] for name, value in lists.items()}
    values = {name: float(f"{value:.10g}") for name, value in values.items()}
    groups = {name: [float(f"{v:.8g}") for v in value[1:]] for name, value in lists.items()}
    numbers = [*values.values(), *(number for row in groups.values() for number in row)]
    if not values or not all(map(math.isfinite, numbers)):
        raise ValueError(f"evaluate must return metrics with finite values; got {values}.")
    return values, groups


def _to_frame(outcomes):
    rows = [
        (*unit, metric, value)
        for unit, outcome in outcomes.items()
        for metric, value in outcome.values.items()
    ]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _to_groups(outcomes, n_groups):
    if n_groups is None:
        return None
    rows = [
        (*unit, metric, *values)
        for unit, outcome in outcomes.items()
        for metric, values in outcome.groups.items()
    ]
    return pd.DataFrame(rows, columns=[*COLUMNS[:-1], *map(str, range(n_groups))])
