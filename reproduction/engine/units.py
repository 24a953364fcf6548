"""Evaluated units on disk, so that a run that was killed is continued."""

import contextlib
import hashlib
import json
import platform
import shutil
from collections.abc import Mapping
from functools import cache
from importlib.metadata import distributions
from pathlib import Path
from typing import NamedTuple

from reproduction.engine.declaration import Unit, identity
from reproduction.files import naming

__all__ = ["Outcome", "Units", "circumstances"]


class Outcome(NamedTuple):
    """What the evaluation of a unit gave."""

    values: dict[str, float]
    """Value of each metric."""
    seconds: float
    """Time that the evaluation took."""
    groups: Mapping[str, list[float]] = {}
    """Of a table with groups, values of metrics without the test objects of each group."""


class Units:
    """Outcomes of units of an experiment, a line each in one file.

    Units are found again under the same `identity` of the experiment and the same `circumstances`.
    What was kept under another is deleted when the first unit is added.
    """

    def __init__(self, experiment, folder):
        decides = json.dumps([identity(experiment), circumstances()], sort_keys=True)
        name = hashlib.sha256(decides.encode()).hexdigest()[:16]
        self.path = Path(folder) / experiment.id / f"{name}.jsonl"

    def read(self):
        """Outcomes that are kept, by unit, but for one that a killed process has half written."""
        text = self.path.read_text("utf-8", "replace") if self.path.exists() else ""
        outcomes = {}
        for line in text.splitlines():
            with contextlib.suppress(ValueError, TypeError):  # half a line, or an older form
                record = json.loads(line)
                unit = Unit(*record.pop("unit"))
                outcomes[unit] = Outcome(**record)
        return outcomes

    def append(self, unit, outcome):
        """Keep a unit, handed to the operating system at once."""
        if not self.path.exists():
            self.path.parent.mkdir(parents=True, exist_ok=True)
            for path in self.path.parent.iterdir():
                path.unlink(missing_ok=True)
        text = json.dumps({"unit": unit, **outcome._asdict()})
        with naming(self.path), self.path.open("ab", buffering=0) as file:
            # The line break comes first: a line that was left without its end does no harm.
            file.write(f"\n{text}".encode())

    def remove(self):
        """Forget all units."""
        shutil.rmtree(self.path.parent, ignore_errors=True)


@cache
def circumstances():
    """Versions that the last digits of a result hang on, of Python and of each package."""
    # A set: where the path names a checkout twice, its packages are found twice.
    packages = sorted({f"{found.name} {found.version}" for found in distributions()})
    return {"python": platform.python_version(), "packages": packages}
