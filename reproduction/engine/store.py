"""Tables of results on disk: a text table and a sidecar that says where it comes from."""

import hashlib
import json
import os
import platform
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import version
from io import StringIO

import pandas as pd

from reproduction.engine.columns import find_faults
from reproduction.engine.declaration import identity
from reproduction.engine.runner import COLUMNS
from reproduction.files import replacing
from reproduction.paths import results_dir

_PACKAGES = ("numpy", "scipy", "scikit-learn", "ofer")
CODE_CHANGED = "code changed"
_REASONS = {
    "parameters": "parameters changed",
    "methods": "parameters changed",
    "settings": "parameters changed",
    "n_splits": "parameters changed",
    "methods_of": "parameters changed",
    "splits_of": "parameters changed",
    "data": "data changed",
    "code": CODE_CHANGED,
}


def save(experiment, run, *, checked=None, kept=None, folder=None):
    """Store a complete table and its sidecar.

    Each file replaces the former one in one step, the table first: a sidecar never vouches for a
    table that it does not belong to.

    Parameters
    ----------
    experiment : Experiment
        The declaration that the table belongs to.
    run : Run
        Of the whole experiment.
    checked : DataFrame, default=None
        What the check slice gives on a small part of the data, of experiments that have one.
    kept : dict, default=None
        What is said of rows that were taken over from the former table, JSON-able.
    folder : path-like, default=None
        See `results_dir`; it is made when needed.

    Raises
    ------
    ValueError
        When the table lacks a unit of the experiment, or has one that is not declared, or when a
        number cannot be (see `find_faults`).
    """
    _check_complete(experiment, run.frame)
    if faults := find_faults(experiment, run.frame):
        more = f" {len(faults) - 1} more." if len(faults) > 1 else ""
        raise ValueError(f"{faults[0]}{more}")
    folder = results_dir(folder)
    table = _to_text(run.frame)
    sidecar = _describe(experiment, run) | {"table": _checksum(table)}
    if checked is not None:
        sidecar["check"] = _to_text(checked).splitlines()
    if kept is not None:
        sidecar["kept"] = kept
    _write(folder / f"{experiment.id}.csv", table)
    _write(folder / f"{experiment.id}.json", json.dumps(sidecar, indent=1) + "\n")


def seal(experiment, checked, *, folder=None):
    """Say that a stored table is still what the code gives, after a check of a part of it.

    The table stays as it is; its sidecar takes the identity of the experiment as it is now.

    Parameters
    ----------
    experiment : Experiment
        The declaration that the table belongs to.
    checked : dict
        What was recomputed, JSON-able: number of units, largest relative difference.
    folder : path-like, default=None
        See `results_dir`.
    """
    path = results_dir(folder) / f"{experiment.id}.json"
    sidecar = read_sidecar(experiment.id, folder=folder)
    sidecar |= identity(experiment)
    sidecar["sealed"] = {"date": _today(), "versions": _versions(), **checked}
    _write(path, json.dumps(sidecar, indent=1) + "\n")


def _describe(experiment, run):
    """Where a table that has just been computed comes from: the content of a sidecar."""
    return {
        "id": experiment.id,
        "title": experiment.title,
        **identity(experiment),
        "versions": _versions(),
        "machine": {
            "processors": os.cpu_count(),
            "architecture": platform.machine(),
            "load": run.load,
        },
        "duration_s": round(run.seconds, 3),
        "date": _today(),
    }


def load(id, *, folder=None):
    """Read a stored table, fresh or stale.

    Parameters
    ----------
    id : str
        Name of the table, such as ``"toy-table-01"``.
    folder : path-like, default=None
        See `results_dir`.

    Returns
    -------
    frame : DataFrame
        The table as `run` returned it.
    sidecar : dict
        As from `read_sidecar`.

    Raises
    ------
    FileNotFoundError
        When the table or its sidecar is missing.
    ValueError
        When one of them is damaged.
    """
    sidecar = read_sidecar(id, folder=folder)
    path = results_dir(folder) / f"{id}.csv"
    state = path.stat()
    return _read_table(path, state.st_mtime_ns, state.st_size).copy(), sidecar


def load_check(id, *, folder=None):
    """Read what the check slice gave on a small part of the data when a table was stored.

    Parameters
    ----------
    id : str
        Name of the table, of an experiment that has a part of its data for checks.
    folder : path-like, default=None
        See `results_dir`.

    Returns
    -------
    frame : DataFrame
        As `run` returned it; without a row when the table was stored without.
    """
    lines = read_sidecar(id, folder=folder).get("check", [",".join(COLUMNS)])
    return _from_text(StringIO("\n".join(lines)))


def read_sidecar(id, *, folder=None):
    """Read what is said of a stored table.

    Parameters
    ----------
    id : str
        Name of the table.
    folder : path-like, default=None
        See `results_dir`.

    Returns
    -------
    sidecar : dict
        ``id``, ``title``, what `identity` gives, ``versions``, ``machine``, ``duration_s``
        (seconds of computation, summed over processors), ``date`` (UTC), ``table``, the checksum
        of the table's text; where there are such, ``check``, see `load_check`, ``kept``, see
        `save`, and ``sealed``.

    Raises
    ------
    FileNotFoundError
        When there is no such file.
    ValueError
        When it is damaged.
    """
    path = results_dir(folder) / f"{id}.json"
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(
            f"{path} is damaged ({error}): restore it, or `make results ID={id}`."
        ) from None


@cache
def _read_table(path, *state):
    """Read a table in this state of its file: the scorecard asks for each a dozen times."""
    return _from_text(path)


def _to_text(frame):
    return frame.to_csv(index=False, float_format="%.10g", lineterminator="\n")


def _from_text(file):
    # As text: a label such as "None" is a label, and numbers are parsed exactly.
    frame = pd.read_csv(file, dtype=str, keep_default_na=False)
    return frame.astype({"split": "int64", "value": "float64"})


def why_stale(experiment, *, folder=None):
    """Why a stored table cannot be used, if it cannot.

    Parameters
    ----------
    experiment : Experiment
        The declaration that the table belongs to.
    folder : path-like, default=None
        See `results_dir`.

    Returns
    -------
    reason : str or None
        None when the stored table is fresh; otherwise the first that holds of ``"missing"``,
        ``"<id>.json is damaged"``, ``"<id>.csv is not the table that was stored"`` (edited, or not
        the sidecar's), ``"parameters changed"`` (or methods, settings, number of splits), ``"data
        changed"`` and ``"code changed"``: then the table may still be right, see
        `check_and_seal`.
    """
    now = identity(experiment)  # first: what cannot be stored is an error before any work
    path = results_dir(folder) / f"{experiment.id}.csv"
    if not (path.is_file() and path.with_suffix(".json").is_file()):
        return "missing"
    try:
        sidecar = read_sidecar(experiment.id, folder=folder)
    except ValueError:
        return f"{experiment.id}.json is damaged"
    # Text, not bytes: a checkout may have other line ends.
    if _checksum(path.read_text(encoding="utf-8", errors="replace")) != sidecar.get("table"):
        return f"{path.name} is not the table that was stored"
    return next((why for key, why in _REASONS.items() if sidecar.get(key) != now[key]), None)


def _today():
    return datetime.now(UTC).date().isoformat()


def _versions():
    return {"python": platform.python_version()} | {p: version(p) for p in _PACKAGES}


def _check_complete(experiment, frame):
    if tuple(frame.columns) != COLUMNS:
        raise ValueError(f"frame must have the columns {COLUMNS}; got {tuple(frame.columns)}.")
    declared = set(experiment.units())
    given = set(zip(frame["method"], frame["setting"], frame["split"], strict=True))
    if given != declared:
        raise ValueError(
            f"frame must have every unit of {experiment.id} and no other: "
            f"{len(declared - given)} missing, {len(given - declared)} not declared."
        )


def _checksum(text):
    return hashlib.sha256(text.encode()).hexdigest()


def _write(path, text):
    with replacing(path) as part:
        part.write_text(text, encoding="utf-8", newline="\n")
