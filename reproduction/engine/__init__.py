"""Experiments: what is declared, how it is run, and how its results are kept and read.

An `Experiment` declares data, methods, settings and splits. `run` evaluates it, `results` reads
the stored table, and ``python -m reproduction.engine`` stores what is missing or stale.
"""

from reproduction.engine.access import Results, StaleResultsError, compute, results, why_stale
from reproduction.engine.catalogue import get_experiment, list_experiments
from reproduction.engine.check import beside_stored, check_and_seal, recompute
from reproduction.engine.closure import module_checksums, parse
from reproduction.engine.declaration import Experiment, Unit, fingerprint
from reproduction.engine.runner import run
from reproduction.engine.store import is_stale, load, save

__all__ = [
    "Experiment",
    "Results",
    "StaleResultsError",
    "Unit",
    "beside_stored",
    "check_and_seal",
    "compute",
    "fingerprint",
    "get_experiment",
    "is_stale",
    "list_experiments",
    "load",
    "module_checksums",
    "parse",
    "recompute",
    "results",
    "run",
    "save",
    "why_stale",
]
