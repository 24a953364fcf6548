"""Memory of an unfinished run: one line a finished unit, in a scratch file."""

import json
from pathlib import Path
from typing import NamedTuple

from reproduction.engine.declaration import Unit, fingerprint


class Outcome(NamedTuple):
    """What the evaluation of a unit gave."""

    values: dict[str, float]
    """Value of each metric."""
    seconds: float
    """Time that the evaluation took."""


class Scratch:
    """Finished units of a run that may be killed at any moment.

    Each finished unit is appended at once as one line of JSON and handed to the operating
    system, so that a killed process loses only the units it was evaluating. The file is named
    after the fingerprint: what another declaration left behind is never read.

    Parameters
    ----------
    folder : path-like
        Where the file is; made when needed.
    experiment : Experiment
        The experiment whose units are kept.
    """

    def __init__(self, folder, experiment):
        self.path = Path(folder) / f"{experiment.id}-{fingerprint(experiment)[:16]}.jsonl"

    def read(self):
        """Outcomes of the units that are finished.

        Returns
        -------
        outcomes : dict of Unit to Outcome
        """
        if not self.path.exists():
            return {}
        self._drop_torn_line()
        records = map(json.loads, self.path.read_text(encoding="utf-8").splitlines())
        return {Unit(*r["unit"]): Outcome(r["values"], r["seconds"]) for r in records}

    def append(self, unit, outcome):
        """Remember a finished unit.

        Parameters
        ----------
        unit : Unit
        outcome : Outcome
        """
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"unit": unit, **outcome._asdict()}) + "\n")

    def remove(self):
        """Forget all units."""
        self.path.unlink(missing_ok=True)

    def _drop_torn_line(self):
        # A process killed while it wrote leaves a last line without its end.
        with self.path.open("rb+") as file:
            file.truncate(file.read().rfind(b"\n") + 1)
