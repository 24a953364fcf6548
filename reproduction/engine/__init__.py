"""Experiments: what is declared, how it is run, and how its results are kept and read.

An `Experiment` declares data, methods, settings and splits. `run` evaluates it. Chapters call
`results`, which reads the stored table; in the chapter that owns it, it can compute it, too.
"""

from reproduction.engine.access import Results, StaleResultsError, results
from reproduction.engine.catalogue import get_experiment, list_experiments
from reproduction.engine.check import beside_stored, check_and_seal, recompute
from reproduction.engine.declaration import Check, Experiment, Facts, Tolerance, Unit
from reproduction.engine.profiles import apply_profile, compute, quick_units, unfinished
from reproduction.engine.readings import Dimension, Readings
from reproduction.engine.runner import Run, run
from reproduction.engine.scores import Grid, Score
from reproduction.engine.store import load, load_groups, save, why_stale
from reproduction.engine.table import Prediction, Table, Task
from reproduction.engine.units import circumstances

__all__ = [
    "Check",
    "Dimension",
    "Experiment",
    "Facts",
    "Grid",
    "Prediction",
    "Readings",
    "Results",
    "Run",
    "Score",
    "StaleResultsError",
    "Table",
    "Task",
    "Tolerance",
    "Unit",
    "apply_profile",
    "beside_stored",
    "check_and_seal",
    "circumstances",
    "compute",
    "get_experiment",
    "list_experiments",
    "load",
    "load_groups",
    "quick_units",
    "recompute",
    "results",
    "run",
    "save",
    "unfinished",
    "why_stale",
]
