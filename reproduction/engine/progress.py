"""Progress of a long run, with the time left."""

import sys

from tqdm import tqdm

__all__ = ["format_duration", "progress_bar"]


def progress_bar(title, total, *, done=0, shown=True):
    """Bar on standard error.

    On a terminal it moves in place; anywhere else, such as a notebook or a log, it is written
    every few seconds.

    Parameters
    ----------
    title : str
        What is being computed.
    total : int
        Number of units.
    done : int, default=0
        Units that were finished by an earlier run: they count, but not for the time left.
    shown : bool, default=True
        Whether anything is written.

    Returns
    -------
    tqdm.tqdm
    """
    between = 0.1 if sys.stderr.isatty() else 5.0
    options = {"desc": title, "initial": done, "unit": "unit", "disable": not shown}
    return tqdm(total=total, mininterval=between, file=sys.stderr, **options)


def format_duration(seconds):
    """Duration for a reader, with at most two units.

    Parameters
    ----------
    seconds : float
        The duration.

    Returns
    -------
    text : str

    Examples
    --------
    >>> format_duration(4.2), format_duration(200), format_duration(7500)
    ('4 s', '3 min 20 s', '2 h 5 min')
    """
    seconds = round(seconds)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    if minutes:
        return f"{minutes} min {seconds} s"
    return f"{seconds} s"
