"""How busy this machine is: a stored time says whether anything else was running."""

import os

__all__ = ["BUSY", "load_per_processor"]

BUSY = 1.25
"""Load for each processor beyond which a time is marked: others waited for the same processor."""


def load_per_processor():
    """Processes that ran or waited during the last minute, for each processor.

    Two chapters side by side on two processors give 1.

    Returns
    -------
    load : float
    """
    return round(os.getloadavg()[0] / os.cpu_count(), 2)
