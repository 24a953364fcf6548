"""Results of an experiment: read where they are fresh, computed and stored on demand."""

from typing import Any, NamedTuple

import pandas as pd

from reproduction.engine.catalogue import get_experiment
from reproduction.engine.declaration import Experiment
from reproduction.engine.progress import format_duration
from reproduction.engine.runner import run
from reproduction.engine.scratch import Scratch
from reproduction.engine.store import CODE_CHANGED, changed_modules, is_stale, load, save
from reproduction.paths import scratch_dir

__all__ = ["Results", "StaleResultsError", "compute", "results", "why_stale"]


class StaleResultsError(RuntimeError):
    """A stored table is missing, or not what its experiment would give now."""


class Results(NamedTuple):
    """Stored table of an experiment and where it comes from."""

    frame: pd.DataFrame
    """The table, as `run` returns it."""
    sidecar: dict[str, Any]
    """Parameters, checksums, versions, machine, duration and date."""

    def describe(self):
        """One sentence for the reader: when, on what and how long.

        Returns
        -------
        sentence : str
        """
        machine = self.sidecar["machine"]
        return (
            f"Stored results, computed on {self.sidecar['date']}: "
            f"{format_duration(self.sidecar['duration_s'])} of computation on a machine with "
            f"{machine['processors']} processors ({machine['architecture']})."
        )


def results(experiment, *, folder=None):
    """Stored results of an experiment.

    Nothing is computed here: a chapter that meets a stale table would run for hours.

    Parameters
    ----------
    experiment : Experiment or str
        The declaration or its id.
    folder : path-like, default=None
        See `results_dir`.

    Returns
    -------
    results : Results

    Raises
    ------
    StaleResultsError
        When the table is missing or stale; the message names the command that mends it.
    """
    if not isinstance(experiment, Experiment):
        experiment = get_experiment(experiment)
    if reason := why_stale(experiment, folder=folder):
        raise StaleResultsError(
            f"The stored results of {experiment.id} cannot be used: {reason}. "
            f"Run `make results ID={experiment.id}`."
        )
    return Results(*load(experiment.id, folder=folder))


def why_stale(experiment, *, folder=None):
    """Why a stored table cannot be used, with the modules that have changed.

    Parameters
    ----------
    experiment : Experiment
        The declaration that the table belongs to.
    folder : path-like, default=None
        See `results_dir`.

    Returns
    -------
    reason : str or None
        As `is_stale` gives it; at most three changed modules are named.
    """
    reason = is_stale(experiment, folder=folder)
    if reason != CODE_CHANGED:
        return reason
    names = changed_modules(experiment, folder=folder)
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return f"{reason} ({', '.join(names[:3])}{more})"


def compute(experiment, *, folder=None, n_jobs=-1, progress=True):
    """Compute a table and store it; an interrupted run is continued.

    Parameters
    ----------
    experiment : Experiment
        What to compute.
    folder : path-like, default=None
        See `results_dir`.
    n_jobs : int or None, default=-1
        See `run`.
    progress : bool, default=True
        See `run`.
    """
    frame = run(experiment, n_jobs=n_jobs, scratch=scratch_dir(), progress=progress)
    save(experiment, frame, folder=folder)
    Scratch(scratch_dir(), experiment).remove()
