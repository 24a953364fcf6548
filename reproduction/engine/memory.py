"""Memory of evaluated units, for checks that are made again and again."""

import hashlib
import inspect
import json
import os
import platform
import shutil
from functools import cache, partial
from importlib.metadata import distributions
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_info

from reproduction.engine import runner
from reproduction.engine.closure import module_checksums
from reproduction.engine.declaration import Unit, identity
from reproduction.engine.scratch import Outcome
from reproduction.paths import memory_dir

__all__ = ["Memory", "circumstances"]


class Memory:
    """Outcomes of the units of an experiment, one file each.

    An outcome is found again only where an evaluation could not give another one: under the same
    code, that of the engine and of the loading of data included, and the same parameters, data
    and `circumstances`. The grid does not count, so that a unit is the same in every part of the
    experiment. What was remembered of the experiment under anything else is deleted.

    Parameters
    ----------
    experiment : Experiment
        Whose units are remembered; its `evaluate` must be a function of a module.
    folder : path-like, default=None
        Where the memory is; None means `memory_dir`.

    Raises
    ------
    ValueError
        When `evaluate` is not defined in a file.
    """

    def __init__(self, experiment, *, folder=None):
        place = memory_dir() if folder is None else Path(folder)
        self.folder = place / experiment.id / _checksum(_what_decides(experiment))

    def read(self):
        """Outcomes that are remembered.

        Returns
        -------
        outcomes : dict of Unit to Outcome
        """
        records = map(_read, self.folder.glob("*.json"))
        return {Unit(*r["unit"]): Outcome(r["values"], r["seconds"]) for r in records if r}

    def append(self, unit, outcome):
        """Remember a unit; another process sees the whole of it or nothing.

        Parameters
        ----------
        unit : Unit
        outcome : Outcome
        """
        if not self.folder.exists():
            shutil.rmtree(self.folder.parent, ignore_errors=True)
            self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"{_checksum(unit)}.json"
        unfinished = path.with_suffix(f".{os.getpid()}")
        unfinished.write_text(json.dumps({"unit": unit, **outcome._asdict()}), encoding="utf-8")
        os.replace(unfinished, path)


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
    files = [inspect.getfile(inspect.unwrap(function)) for function in (experiment.evaluate, load)]
    code = [module_checksums(file) for file in (*files, runner.__file__)]
    return [kept["parameters"], kept["data"], code, circumstances()]


def _checksum(value):
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]


def _read(path):
    """A record; None when it was not written to its end, or was deleted meanwhile."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return None
