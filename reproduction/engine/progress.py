"""Progress of a long run, with the time left."""

import sys
import time

_SECONDS_BETWEEN_LINES = 5


class Progress:
    """Writes what is done and how long the rest will take.

    On a terminal one line is rewritten in place; anywhere else, such as a notebook, a line is
    written every few seconds, and one at the end.

    Parameters
    ----------
    title : str
        What is being computed; starts each line.
    total : int
        Number of units.
    done : int, default=0
        Units that were finished by an earlier run: they count, but not for the time left.
    stream : text stream, default=None
        Where to write; None means standard error at the time of the call.
    """

    def __init__(self, title, total, *, done=0, stream=None):
        self.title = title
        self.total = total
        self.done = done
        self.stream = sys.stderr if stream is None else stream
        self._done_before = done
        self._start = self._said = time.monotonic()

    def update(self, unit):
        """Count one more finished unit.

        Parameters
        ----------
        unit : tuple of str, str, int
            Method, setting and split that have just been evaluated.
        """
        self.done += 1
        now = time.monotonic()
        soon = now - self._said < _SECONDS_BETWEEN_LINES and self.done < self.total
        if soon and not self.stream.isatty():
            return
        self._said = now
        elapsed = now - self._start
        left = elapsed / (self.done - self._done_before) * (self.total - self.done)
        method, setting, split = unit
        line = (
            f"{self.title}: {method}, {setting}, split {split}: {self.done}/{self.total}, "
            f"elapsed {format_duration(elapsed)}, about {format_duration(left)} left"
        )
        if self.stream.isatty():
            # "\x1b[K" erases the rest of a longer line that was there before.
            line = f"\r{line}\x1b[K" + ("\n" if self.done == self.total else "")
        else:
            line += "\n"
        self.stream.write(line)
        self.stream.flush()


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
