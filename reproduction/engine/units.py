"""Evaluated units on disk, so that a run that was killed is continued."""

import hashlib
import json
import platform
import shutil
import sys
from functools import cache
from importlib.metadata import distributions
from pathlib import Path
from typing import NamedTuple

from reproduction.engine.declaration import Unit, identity
from reproduction.files import naming, replacing

__all__ = ["Outcome", "Units", "circumstances"]


class Outcome(NamedTuple):
    """What the evaluation of a unit gave."""

    values: dict[str, float]
    """Value of each metric."""
    seconds: float
    """Time that the evaluation took."""


class Units:
    """Outcomes of units of an experiment, a line each in one file.

    A line starts with the checksum of the rest: what a killed process has half written, or two
    have written at once, is said and not read. Units are found again under the same `identity` of
    the experiment and the same `circumstances`. What was kept under another is deleted when the
    first unit is added.

    Parameters
    ----------
    experiment : Experiment
        Whose units are kept; `evaluate` must be defined in a file.
    folder : path-like
        Where the file is; made when needed.

    Raises
    ------
    ValueError
        When `evaluate` is not defined in a file.
    """

    def __init__(self, experiment, folder):
        decides = json.dumps([identity(experiment), circumstances()], sort_keys=True)
        self.path = Path(folder) / experiment.id / f"{_checksum(decides)}.jsonl"

    def read(self):
        """Outcomes that are kept.

        Returns
        -------
        outcomes : dict of Unit to Outcome
        """
        lines = self.path.read_bytes().splitlines() if self.path.exists() else []
        found = [line.decode(errors="replace").partition(" ") for line in lines if line]
        whole = [text for checksum, _, text in found if checksum == _checksum(text)]
        if damaged := len(found) - len(whole):
            lost = f"{damaged} of {len(found)} lines are damaged, and their units evaluated again"
            print(f"{self.path}: {lost}", file=sys.stderr)
            with replacing(self.path) as part:  # so that this is said, and true, once
                part.write_bytes(b"".join(map(_line, whole)))
        records = map(json.loads, whole)
        return {Unit(*r["unit"]): Outcome(r["values"], r["seconds"]) for r in records}

    def append(self, unit, outcome):
        """Keep a unit, handed to the operating system at once.

        Parameters
        ----------
        unit : Unit
        outcome : Outcome
        """
        if not self.path.exists():
            self.path.parent.mkdir(parents=True, exist_ok=True)
            for other in self.path.parent.iterdir():
                other.unlink(missing_ok=True)
        text = json.dumps({"unit": unit, **outcome._asdict()})
        with naming(self.path), self.path.open("ab", buffering=0) as file:
            file.write(_line(text))

    def remove(self):
        """Forget all units."""
        shutil.rmtree(self.path.parent, ignore_errors=True)


@cache
def circumstances():
    """Versions that the last digits of a result hang on.

    Returns
    -------
    circumstances : dict
        ``python``, and ``packages``, every installed one.
    """
    packages = sorted(f"{found.name} {found.version}" for found in distributions())
    return {"python": platform.python_version(), "packages": packages}


def _line(text):
    # The line break comes first: a line that was left without its end does no harm to this one.
    return f"\n{_checksum(text)} {text}".encode()


def _checksum(text):
    return hashlib.sha256(text.encode()).hexdigest()[:16]
