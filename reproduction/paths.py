"""Where results, studies and unfinished runs are."""

import os
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[1]


def results_dir(folder=None):
    """Folder of the stored tables: the given one, that of ``OFER_RESULTS``, or ``book/results``."""
    if folder is None:
        folder = os.environ.get("OFER_RESULTS") or CHECKOUT / "book" / "results"
    return Path(folder)


def scratch_dir():
    """Folder of what interrupted runs have finished, not under version control."""
    return CHECKOUT / ".cache" / "scratch"


def verify_dir():
    """Folder of the report on results computed again, not under version control."""
    return CHECKOUT / ".cache" / "verify"


def studies_dir():
    """Folder of the studies, each of which has a folder of its own."""
    return CHECKOUT / "reproduction" / "studies"
