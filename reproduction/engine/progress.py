"""Durations for a reader."""

__all__ = ["format_duration"]


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
