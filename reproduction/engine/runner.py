"""Evaluates the units of an experiment, in parallel, and continues after an interruption."""

import contextlib
import math
import time

import pandas as pd
from joblib import Parallel, delayed
from threadpoolctl import threadpool_limits

from reproduction.engine.cluster import Shared, process_name
from reproduction.engine.progress import progress_bar
from reproduction.engine.units import Outcome, Units
from reproduction.machine import watch

COLUMNS = ("method", "setting", "split", "metric", "value")


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
    n_jobs : int or None, default=-1
        Number of units evaluated at the same time, as in `joblib.Parallel`; None leaves it to an
        active `joblib.parallel_config`. Its backend is used in any case; joblib refuses the
        backend "multiprocessing", which cannot hand over units one by one.
    scratch : path-like, default=None
        Folder of a file that keeps the finished units, so that a run that was killed continues
        where it was when called again. The file is left there. None: nothing is kept.
    progress : bool, default=True
        Whether to write to standard error what is done and how long the rest will take.

    Returns
    -------
    frame : DataFrame of shape (n_units * n_metrics, 5)
        Columns ``method``, ``setting``, ``split``, ``metric``, ``value``. ``frame.attrs`` has
        ``duration``: the time in seconds spent in all units, of earlier runs too, and ``load``: how
        many processors of this machine others used meanwhile, see `watch`; None where that is not
        known of all units, because some were evaluated before.

    Raises
    ------
    ValueError
        When an evaluation gives no metric or a value that is not finite.

    Examples
    --------
    >>> from reproduction.engine import Experiment, run
    >>> def evaluate(data, method, setting, split):
    ...     return {"error": data + int(setting) + split}
    >>> experiment = Experiment(
    ...     id="toy", title="A toy", load=lambda: 0.5, evaluate=evaluate,
    ...     methods=("constant",), settings=("10", "20"), n_splits=2, parameters={},
    ... )
    >>> run(experiment, experiment.units(settings=["20"]), n_jobs=1, progress=False)
         method setting  split metric  value
    0  constant      20      0  error   20.5
    1  constant      20      1  error   21.5
    """
    units = experiment.units() if units is None else list(units)
    others = watch()
    kept = None if scratch is None else Units(experiment, scratch)
    outcomes = {} if kept is None else kept.read()
    missing = [unit for unit in units if unit not in outcomes]
    bar = progress_bar(experiment.id, len(units), done=len(units) - len(missing), shown=progress)
    # closing: when a unit fails, the others are stopped before the error is raised.
    with bar, contextlib.closing(_evaluate_all(experiment, missing, n_jobs)) as finished:
        for unit, outcome in finished:
            outcomes[unit] = outcome
            if kept is not None:
                kept.append(unit, outcome)
            bar.update()
    frame = _to_frame({unit: outcomes[unit] for unit in units})
    frame.attrs["load"] = others() if len(missing) == len(units) else None
    return frame


def _evaluate_all(experiment, units, n_jobs):
    """Yield (unit, outcome) of each unit as soon as it is finished."""
    if not units:
        return
    data = Shared(experiment.load())
    # The longest first, so that no processor idles while the last units run.
    units = sorted(units, key=lambda unit: -experiment.settings.index(unit.setting))
    parallel = Parallel(n_jobs=n_jobs, return_as="generator_unordered", batch_size=1)
    with threadpool_limits(limits=1):
        yield from parallel(
            delayed(_evaluate)(experiment.evaluate, data, unit, process_name()) for unit in units
        )


def _evaluate(evaluate, data, unit, parent):
    """Evaluate one unit with one BLAS thread, whichever process or thread this is."""
    # The parent is limited already; a thread must not lift its limit while another one runs.
    in_parent = process_name() == parent
    start = time.perf_counter()
    try:
        with contextlib.nullcontext() if in_parent else threadpool_limits(limits=1):
            values = _checked(evaluate(data.value, *unit))
    except Exception as error:
        error.add_note(f"While evaluating {unit}.")
        raise
    return unit, Outcome(values, time.perf_counter() - start)


def _checked(values):
    """Metrics of a unit as plain floats of ten significant digits."""
    values = {metric: float(f"{value:.10g}") for metric, value in values.items()}
    if not values or not all(map(math.isfinite, values.values())):
        raise ValueError(f"evaluate must return metrics with finite values; got {values}.")
    return values


def _to_frame(outcomes):
    rows = [
        (*unit, metric, value)
        for unit, outcome in outcomes.items()
        for metric, value in outcome.values.items()
    ]
    frame = pd.DataFrame(rows, columns=list(COLUMNS))
    frame.attrs["duration"] = sum(outcome.seconds for outcome in outcomes.values())
    return frame
