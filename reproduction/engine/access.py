"""Results of an experiment, as chapters ask for them."""

import sys
from typing import Any, NamedTuple

import pandas as pd

from reproduction.engine.catalogue import get_experiment
from reproduction.engine.declaration import Experiment
from reproduction.engine.profiles import apply_profile
from reproduction.engine.progress import format_duration
from reproduction.engine.store import CODE_CHANGED, groups_of_table, load, why_stale
from reproduction.statistics.contrast import Contrast

__all__ = ["Results", "StaleResultsError", "results"]


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
        sentence = (
            f"Stored results, computed on {self.sidecar['date']}: "
            f"{format_duration(self.sidecar['duration_s'])} of computation on a machine with "
            f"{machine['processors']} processors ({machine['architecture']})"
        )
        if kept := self.sidecar.get("kept"):
            sentence += f"; rows of earlier runs are kept, since {kept['date']}"
        return f"{sentence}."

    def contrast(self, metric, **options):
        """One metric of the table, ready to say how its methods compare.

        Parameters
        ----------
        metric : str
            The metric to compare.
        **options
            As `Contrast` takes them. What the corrected test needs, the experiment says.

        Returns
        -------
        contrast : Contrast
        """
        id = self.sidecar["id"]
        facts = get_experiment(id).facts
        overlap = {"groups": groups_of_table(id), "train_share": facts.train_share}
        overlap["test_train_ratio"] = facts.test_train_ratio or None
        return Contrast(self.frame, metric, **overlap | options)


def results(experiment, *, profile="stored", allow_stale=False, n_jobs=-1):
    """Stored results of an experiment; the chapter that owns them can compute them, too.

    One chapter owns a table: the one that hands its parameter ``profile`` on to this function.
    Any other reads what is stored.

    Parameters
    ----------
    experiment : Experiment or str
        The declaration or its id.
    profile : str, default="stored"
        What is done before the rows are read: ``"stored"``: nothing. ``"quick"``: two splits of a
        small part are computed and shown beside the stored rows. ``"full"``: a stale table is
        sealed or computed, and stored. `apply_profile` has more.
    allow_stale : bool, default=False
        Whether rows that are not what the experiment would give now are returned, with one line
        of warning. They are in any case when the profile is not ``"stored"``.
    n_jobs : int, default=-1
        See `run`.

    Returns
    -------
    results : Results

    Raises
    ------
    ValueError
        When there is no such profile or experiment.
    StaleResultsError
        When the table is missing, or stale and this is not allowed; the message names the command
        that mends it.
    """
    if not isinstance(experiment, Experiment):
        experiment = get_experiment(experiment)
    apply_profile(profile, experiment, n_jobs=n_jobs)
    reason = why_stale(experiment)
    mend = f"Run `make results ID={experiment.id}`."
    if reason and reason.startswith(CODE_CHANGED):
        mend += f" `make results ID={experiment.id} PROFILE=check` shows which numbers moved."
    if reason == "missing" and profile == "stored":
        mend += " The chapter that computes it hands on its parameter: profile=profile."
    if reason == "missing" or (reason and profile == "stored" and not allow_stale):
        raise StaleResultsError(
            f"The stored results of {experiment.id} cannot be used: {reason}. {mend}"
        )
    if reason:
        print(
            f"Warning: the stored results of {experiment.id} are out of date: {reason}. {mend}",
            file=sys.stderr,
        )
    return Results(*load(experiment.id))
