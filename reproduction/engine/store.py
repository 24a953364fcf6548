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

from reproduction.engine.declaration import Unit, identity
from reproduction.engine.runner import COLUMNS
from reproduction.engine.scores import check_numbers
from reproduction.engine.table import Table
from reproduction.files import replacing
from reproduction.paths import results_dir

_PACKAGES = ("numpy", "scipy", "scikit-learn", "ofer")
CODE_CHANGED = "code changed"
_GRID = ("methods", "settings", "n_splits", "methods_of", "splits_of")
_REASONS = {
    **dict.fromkeys(("parameters", *_GRID), "parameters changed"),
    "data": "data changed",
    "code": CODE_CHANGED,
}


def save(experiment, run, *, checked=None, kept=None):
    """Store a complete table and its sidecar.

    Each file replaces the former one in one step, the sidecar last: it never vouches for a table
    that it does not belong to.

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

    Raises
    ------
    ValueError
        When the table lacks a unit of the experiment, or has one that is not declared, when a
        number cannot be (see `find_faults`), or when groups are missing.
    """
    _check_complete(experiment, run)
    check_numbers(experiment, run.frame)
    folder = results_dir()
    table = _to_text(run.frame)
    sidecar = _describe(experiment, run) | {"table": _checksum(table)}
    if checked is not None:
        sidecar["check"] = _to_text(checked).splitlines()
    if kept is not None:
        sidecar["kept"] = kept
    if run.groups is not None:
        groups = _to_text(run.groups)
        sidecar["groups"] = _checksum(groups)
        _write(folder / f"{experiment.id}.groups.csv", groups)
    _write(folder / f"{experiment.id}.csv", table)
    _write(folder / f"{experiment.id}.json", json.dumps(sidecar, indent=1) + "\n")


def seal(experiment, checked, *, methods=None):
    """Say that a stored table is still what the code gives, after a check of a part of it.

    The table stays as it is; its sidecar takes the identity of the experiment as it is now, and
    what was checked. Of a `Table` this may hold for some columns only.
    """
    path = results_dir() / f"{experiment.id}.json"
    sidecar = read_sidecar(experiment.id)
    if methods is not None:  # those that are fresh stay so
        methods = {*methods, *experiment.methods} - ({*stale_columns(experiment)} - {*methods})
    now = identity(experiment)
    if methods is not None:
        for key in ("parameters", "code"):
            columns = {method: now[key]["methods"][method] for method in methods}
            now[key] |= {"methods": sidecar[key]["methods"] | columns}
        now |= {key: sidecar[key] for key in _GRID}  # units that are not there are not sealed
    sidecar |= now
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


def load(id):
    """Read a stored table, fresh or stale.

    Parameters
    ----------
    id : str
        Name of the table, such as ``"toy-table-01"``.

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
    sidecar = read_sidecar(id)
    path = results_dir() / f"{id}.csv"
    state = path.stat()
    return _read_table(path, state.st_mtime_ns, state.st_size).copy(), sidecar


def load_groups(id):
    """Read the values of scores without each group of test objects, of a table that has them.

    Parameters
    ----------
    id : str
        Name of the table.

    Returns
    -------
    frame : DataFrame
        A row for each unit and score: ``method``, ``setting``, ``split``, ``metric``, and columns
        ``"0"``, ``"1"`` ... with the values on the test objects of all other groups. An object is
        in the same group in all splits, see `reproduction.engine.table.groups_of`.

    Raises
    ------
    FileNotFoundError
        When there is no such file.
    """
    frame = _read_text(results_dir() / f"{id}.groups.csv")
    return frame.astype({"split": "int64"} | dict.fromkeys(frame.columns[4:], "float64"))


def groups_of_table(id):
    """The same, or None of a table that has no groups."""
    path = results_dir() / f"{id}.groups.csv"
    return load_groups(id) if path.exists() else None


def load_check(id):
    """Read what the check slice gave on a part of the data when a table was stored, if it did."""
    lines = read_sidecar(id).get("check", [",".join(COLUMNS)])
    return _from_text(StringIO("\n".join(lines)))


def read_sidecar(id):
    """Read what is said of a stored table: where it comes from, and what vouches for it.

    These are ``id``, ``title``, what `identity` gives, ``versions``, ``machine``, ``duration_s``
    (seconds of computation, summed over processors), ``date`` (UTC) and ``table``, the checksum of
    the table's text; where there are such, ``check``, see `load_check`, ``kept``, see `save`,
    ``groups``, the checksum of what `load_groups` reads, and ``sealed``.
    """
    path = results_dir() / f"{id}.json"
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
    return _read_text(file).astype({"split": "int64", "value": "float64"})


def _read_text(file):
    # As text: a label such as "None" is a label, and numbers are parsed exactly.
    return pd.read_csv(file, dtype=str, keep_default_na=False)


def why_stale(experiment):
    """Why a stored table cannot be used, if it cannot.

    Parameters
    ----------
    experiment : Experiment
        The declaration that the table belongs to.

    Returns
    -------
    reason : str or None
        None when the stored table is fresh; otherwise the first that holds of ``"missing"``,
        ``"<id>.json is damaged"``, ``"<id>.csv is not the table that was stored"`` (edited, or not
        the sidecar's), ``"parameters changed"`` (or methods, settings, number of splits), ``"data
        changed"`` and ``"code changed"``: then the table may still be right, see
        `check_and_seal`. Where only some columns of a `Table` are out of date, each reason with
        their methods, ``"code changed (ridge, forest)"``, or how many where that is a long list.
    """
    columns = stale_columns(experiment)
    reasons = [*dict.fromkeys(columns.values())]
    if len(reasons) == 1 and len(columns) == len(experiment.methods):
        return reasons[0]
    if reasons:
        named = {why: [m for m, other in columns.items() if other == why] for why in reasons}
        n_methods = len(experiment.methods)
        return ", ".join(f"{why} ({_name(some, n_methods)})" for why, some in named.items())
    sidecar, now = read_sidecar(experiment.id), identity(experiment)
    return next((_REASONS[key] for key in _GRID if sidecar.get(key) != now[key]), None)


def _name(methods, n_methods):
    """Methods in a line; their labels may be long, and have commas."""
    return ", ".join(methods) if len(methods) <= 3 else f"{len(methods)} of {n_methods} methods"


def stale_columns(experiment):
    """By method, why its stored rows are not known to be what the code would give, as `why_stale`.

    It is the same for all methods of an experiment that is no `Table`. Units that were added to the
    grid make no column stale.
    """
    now = identity(experiment)  # first: what cannot be stored is an error before any work
    if broken := _why_broken(experiment):
        return dict.fromkeys(experiment.methods, broken)
    sidecar = read_sidecar(experiment.id)
    if not isinstance(experiment, Table):
        why = next((why for key, why in _REASONS.items() if sidecar.get(key) != now[key]), None)
        return dict.fromkeys(experiment.methods, why) if why else {}
    reasons = {}
    for method in experiment.methods:
        before, after = _of_column(sidecar, method), _of_column(now, method)
        if method not in sidecar["methods"]:
            reasons[method] = "missing"
        elif before != after:
            reasons[method] = next(_REASONS[key] for key in after if before[key] != after[key])
    return reasons


def _of_column(identity, method):
    """What decides the rows of one method of a `Table` besides the grid."""
    column = {key: identity[key] for key in ("parameters", "data", "code")}
    for key in ("parameters", "code"):
        if isinstance(column[key], dict):  # not a digest of an experiment that became a table
            column[key] = column[key] | {"methods": column[key].get("methods", {}).get(method)}
    return column


def kept_units(experiment):
    """Units of fresh columns of a `Table`, whose stored rows need not be computed again."""
    stale = stale_columns(experiment)
    if not isinstance(experiment, Table) or len(stale) == len(experiment.methods):
        return set()
    stored = _units_of(load(experiment.id)[0])
    return {unit for unit in stored if unit.method not in stale} & {*experiment.units()}


def _why_broken(experiment):
    """Why a table cannot be read, if so."""
    path = results_dir() / f"{experiment.id}.csv"
    paths = {"table": path}
    if experiment.groups is not None:
        paths["groups"] = path.with_suffix(".groups.csv")
    if not all(file.is_file() for file in (path.with_suffix(".json"), *paths.values())):
        return "missing"
    try:
        sidecar = read_sidecar(experiment.id)
    except ValueError:
        return f"{experiment.id}.json is damaged"
    for name, file in paths.items():
        # Text, not bytes: a checkout may have other line ends.
        if _checksum(file.read_text(encoding="utf-8", errors="replace")) != sidecar.get(name):
            return f"{file.name} is not the table that was stored"
    return None


def _units_of(frame):
    return [Unit(*row) for row in zip(*(frame[n] for n in Unit._fields), strict=True)]


def _today():
    return datetime.now(UTC).date().isoformat()


def _versions():
    return {"python": platform.python_version()} | {p: version(p) for p in _PACKAGES}


def _check_complete(experiment, run):
    frame = run.frame
    if tuple(frame.columns) != COLUMNS:
        raise ValueError(f"frame must have the columns {COLUMNS}; got {tuple(frame.columns)}.")
    declared, given = {*experiment.units()}, {*_units_of(frame)}
    if given != declared:
        raise ValueError(
            f"frame must have every unit of {experiment.id} and no other: "
            f"{len(declared - given)} missing, {len(given - declared)} not declared."
        )
    if experiment.groups is not None and (run.groups is None or {*_units_of(run.groups)} - given):
        raise ValueError(f"run must have the groups of {experiment.id}; got {run.groups}.")


def _checksum(text):
    return hashlib.sha256(text.encode()).hexdigest()


def _write(path, text):
    with replacing(path) as draft:
        draft.write_text(text, encoding="utf-8", newline="\n")
