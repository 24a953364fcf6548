"""A part of all stored tables that moves on with every commit: in time all is recomputed."""

import hashlib
import subprocess

from reproduction.engine.catalogue import get_experiment, list_experiments
from reproduction.engine.store import load
from reproduction.paths import CHECKOUT

__all__ = ["N_PARTS", "n_commits", "parts"]

N_PARTS = 1000
"""Number of parts: each takes a minute of one processor on average."""

_LONGEST = 120.0  # seconds; tables whose units take longer are left to `make results VERIFY=1`


def parts(*, folder=None):
    """All stored tables, cut into parts.

    A unit's part follows from its names alone, so that it stays the same when other tables change.

    Parameters
    ----------
    folder : path-like, default=None
        See `results_dir`.

    Returns
    -------
    parts : list of dict of str to list of Unit
        `N_PARTS`, each of units by table.
    """
    found = [{} for _ in range(N_PARTS)]
    for id in list_experiments():
        units = get_experiment(id).units()
        if load(id, folder=folder)[1]["duration_s"] <= _LONGEST * len(units):
            for unit in units:
                found[_place(id, unit)].setdefault(id, []).append(unit)
    return found


def _place(id, unit):
    digest = hashlib.sha256("\n".join([id, *map(str, unit)]).encode()).digest()
    return int.from_bytes(digest[:8]) % N_PARTS


def n_commits():
    """Number of commits that led to this one; 0 where git cannot say. A shallow clone has fewer."""
    command = ["git", "rev-list", "--count", "HEAD"]
    try:
        done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return 0
    return int(done.stdout)
