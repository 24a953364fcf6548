"""Evaluated units on disk: those of unfinished runs, and of checks that are made often."""

import hashlib
import importlib
import inspect
import json
import os
import platform
import shutil
import sys
from functools import cache, partial
from importlib.metadata import distributions
from pathlib import Path
from typing import NamedTuple

import numpy as np
from threadpoolctl import threadpool_info

from reproduction.engine.closure import module_checksums, module_file
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
    have written at once, is said and not read. A unit is found again only where an evaluation
    could not give another outcome: under the same code, that of the engine and of the loading of
    data included, and the same parameters, data and `circumstances`. The grid does not count, so
    that a unit is the same in every part of the experiment. What was kept of the experiment under
    anything else is deleted when the first unit is added.

    Parameters
    ----------
    experiment : Experiment
        Whose units are kept; `evaluate` and `load` must be defined in files.
    folder : path-like
        Where the file is; made when needed.

    Raises
    ------
    ValueError
        When `evaluate` is not defined in a file.
    """

    def __init__(self, experiment, folder):
        name = f"{_checksum(json.dumps(_what_decides(experiment), sort_keys=True))}.jsonl"
        self.path = Path(folder) / experiment.id / name

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
    """Everything outside of the project that the last digits of a result hang on.

    Returns
    -------
    circumstances : dict
        ``python``, ``libc`` and ``packages``, every installed one, with their versions;
        ``blas``, the kernels that BLAS has chosen, and ``features`` of the processor that numpy
        uses: both follow the environment variables that switch them off.
    """
    importlib.import_module("scipy.linalg")  # has a BLAS of its own, in processes that use it
    blas = {
        (library["internal_api"], library["version"], library.get("architecture"))
        for library in threadpool_info()
        if library["user_api"] == "blas"
    }
    return {
        "python": platform.python_version(),
        "libc": [*platform.libc_ver(), os.environ.get("GLIBC_TUNABLES")],
        "packages": sorted(f"{found.name} {found.version}" for found in distributions()),
        "blas": sorted(map(list, blas)),
        "features": np.show_config(mode="dicts")["SIMD Extensions"],
    }


def _what_decides(experiment):
    kept = identity(experiment)
    load = experiment.load.func if isinstance(experiment.load, partial) else experiment.load
    files = inspect.getfile(inspect.unwrap(load)), module_file("reproduction.engine.runner")
    code = [kept["code"], *map(module_checksums, files)]
    return [kept["parameters"], kept["data"], code, circumstances()]


def _line(text):
    # The line break comes first: a line that was left without its end does no harm to this one.
    return f"\n{_checksum(text)} {text}".encode()


def _checksum(text):
    return hashlib.sha256(text.encode()).hexdigest()[:16]
