"""What is known of the chapters before any is executed: their names, and what their headers say.

The source of a chapter is ``notebooks/<name>.py`` in jupytext's percent format. Its header is YAML,
in which ``ofer`` has ``data``, the data sets that some cells load, ``tables``, the stored tables
that the chapter computes, and ``reads``, those that it shows and another chapter computes
(``all`` where it shows what is stored, whatever that is).
"""

from functools import cache

import yaml

from reproduction.paths import CHECKOUT

__all__ = [
    "ALL",
    "BOOK",
    "SOURCES",
    "ChapterError",
    "chapter_names",
    "data_needed",
    "missing_data",
    "owned_by_chapter",
    "tables_owned",
    "tables_read",
]

SOURCES = CHECKOUT / "notebooks"
BOOK = CHECKOUT / "book"
ALL = "all"
_FENCE = "# ---"


class ChapterError(Exception):
    """A chapter could not be executed; the message says why."""


def chapter_names():
    """Names of all chapters, in reading order: the numbered files of ``notebooks/``."""
    return sorted(path.stem for path in SOURCES.glob("[0-9]*.py"))


def data_needed(path):
    """Data sets that the header of a source names."""
    return _header(path).get("data", [])


def tables_owned(path):
    """Ids of the stored tables that a chapter computes."""
    return _header(path).get("tables", [])


def tables_read(path):
    """Ids of the stored tables that a chapter reads, its own ones first; or `ALL`."""
    reads = _header(path).get("reads", [])
    return ALL if reads == ALL else [*tables_owned(path), *reads]


def missing_data(path, *, download=False):
    """Why each data set that is not here is not: by name, of those that a chapter names.

    With `download` they are fetched first, if they can be had. Damaged data are not missing but a
    `ChapterError`.
    """
    needed = data_needed(path)
    if not needed:
        return {}
    # These take a second.
    from reproduction.datasets import DamagedDataError, unavailable_reason

    try:
        reasons = {name: unavailable_reason(name, download=download) for name in needed}
    except DamagedDataError as error:
        raise ChapterError(f"{path.stem}: not executed. {error}") from None
    return {name: reason for name, reason in reasons.items() if reason}


def owned_by_chapter():
    """Ids of the stored tables that each chapter computes; chapters without any are left out."""
    owned = {name: tables_owned(SOURCES / f"{name}.py") for name in chapter_names()}
    return {name: ids for name, ids in owned.items() if ids}


def _header(path):
    state = path.stat()
    return _read_header(path, state.st_mtime_ns, state.st_size)


@cache
def _read_header(path, *state):
    """What the header of a source in this state says; jupytext takes a hundred times as long."""
    with path.open(encoding="utf-8") as file:
        if next(file, "").rstrip() != _FENCE:
            return {}
        lines = []
        for line in file:
            if line.rstrip() == _FENCE:
                break
            lines.append(line.removeprefix("#").removeprefix(" "))
    return yaml.safe_load("".join(lines))["jupyter"].get("ofer", {})
