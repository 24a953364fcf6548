"""Results of an experiment: the stored ones, or computed now."""

from typing import Any, NamedTuple

import pandas as pd

from ._declaration import Experiment
from ._engine import run
from ._paths import scratch_dir
from ._progress import format_duration
from ._registry import get_experiment
from ._scratch import Scratch
from ._store import describe_run, is_stale, load, save


class Results(NamedTuple):
    """Table of an experiment and where it comes from."""

    frame: pd.DataFrame
    """The table, as `run` returns it."""
    sidecar: dict[str, Any]
    """Parameters, checksums, versions, machine, duration and date."""
    stored: bool
    """Whether the table was read from the folder of results."""

    def describe(self):
        """One sentence for the reader: when, on what and how long.

        Returns
        -------
        sentence : str
        """
        machine = self.sidecar["machine"]
        date = self.sidecar["date"]
        origin = f"Stored results, computed on {date}" if self.stored else "Results computed now"
        return (
            f"{origin}: {format_duration(self.sidecar['duration_s'])} of computation "
            f"on a machine with {machine['processors']} processors ({machine['architecture']})."
        )


def results(experiment, *, folder=None, n_jobs=-1, progress=True):
    """Results of an experiment, stored or computed on the spot.

    A stored table is read when it is fresh. When it is missing or stale, everything is computed
    and nothing is written: storing is the task of ``python -m ofer.experiments``.

    Parameters
    ----------
    experiment : Experiment or str
        The declaration or its id.
    folder : path-like, default=None
        See `results_dir`.
    n_jobs : int or None, default=-1
        See `run`; used only when something is computed.
    progress : bool, default=True
        See `run`; used only when something is computed.

    Returns
    -------
    results : Results
    """
    if not isinstance(experiment, Experiment):
        experiment = get_experiment(experiment)
    if is_stale(experiment, folder=folder) is None:
        return Results(*load(experiment.id, folder=folder), stored=True)
    frame = run(experiment, n_jobs=n_jobs, progress=progress)
    return Results(frame, describe_run(experiment, frame), stored=False)


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
