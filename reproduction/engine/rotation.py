"""A part of all stored tables that moves on with every commit: in time all is recomputed."""

import subprocess
from itertools import accumulate

import numpy as np

from reproduction.engine.catalogue import get_experiment, list_experiments
from reproduction.engine.store import load
from reproduction.paths import CHECKOUT

__all__ = ["SECONDS", "n_commits", "parts"]

SECONDS = 50.0
"""What a part takes on average, in seconds of one processor: a thousand parts are all tables."""

_LONGEST = 120.0  # seconds; tables whose units take longer are left to `make results VERIFY=1`


def parts(*, folder=None):
    """All stored tables, cut into parts.

    All units of all tables stand in one shuffled row, each as long as those of its table took on
    average, and this is cut into parts of `SECONDS`. A unit is in the part in which it begins; so
    a long one is alone, and the next parts are empty.

    Parameters
    ----------
    folder : path-like, default=None
        See `results_dir`.

    Returns
    -------
    parts : list of dict of str to list of Unit
        Units by table, of each part.
    """
    row = []
    for id in list_experiments():
        units = get_experiment(id).units()
        seconds = load(id, folder=folder)[1]["duration_s"] / len(units)
        if seconds <= _LONGEST:
            row += [(id, unit, seconds) for unit in units]
    row = [row[i] for i in np.random.default_rng(0).permutation(len(row))]
    ends = [*accumulate(seconds for *_, seconds in row)]
    found = [{} for _ in range(int(1 + ends[-1] // SECONDS))]
    for (id, unit, seconds), end in zip(row, ends, strict=True):
        found[int((end - seconds) // SECONDS)].setdefault(id, []).append(unit)
    return found


def n_commits():
    """Number of commits that led to this one; 0 where git cannot say. A shallow clone has fewer."""
    command = ["git", "rev-list", "--count", "HEAD"]
    try:
        done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return 0
    return int(done.stdout)
