"""Where results, the paper's tables and unfinished runs are."""

import os
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[1]


def results_dir(folder=None):
    """Folder of the stored tables.

    Parameters
    ----------
    folder : path-like, default=None
        The folder to use. None: the one named by the environment variable ``OFER_RESULTS``, or
        else ``book/results`` of the checkout that this package is imported from.

    Returns
    -------
    folder : Path
        It need not exist.
    """
    if folder is None:
        folder = os.environ.get("OFER_RESULTS") or CHECKOUT / "book" / "results"
    return Path(folder)


def scratch_dir():
    """Folder of what interrupted runs have finished, not under version control.

    Returns
    -------
    folder : Path
    """
    return CHECKOUT / ".cache" / "scratch"


def verify_dir():
    """Folder of the report on results computed again, not under version control.

    Returns
    -------
    folder : Path
    """
    return CHECKOUT / ".cache" / "verify"


def paper_dir(folder=None):
    """Folder of the paper's own tables.

    Parameters
    ----------
    folder : path-like, default=None
        The folder to use; None means ``book/paper`` of the checkout.

    Returns
    -------
    folder : Path
    """
    return CHECKOUT / "book" / "paper" if folder is None else Path(folder)


def claims_file(path=None):
    """The ledger of claims.

    Parameters
    ----------
    path : path-like, default=None
        The file to use; None means ``book/claims.yml`` of the checkout.

    Returns
    -------
    path : Path
    """
    return CHECKOUT / "book" / "claims.yml" if path is None else Path(path)
