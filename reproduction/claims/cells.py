"""The cells of the printed tables, each beside the cell of ours that answers it."""

from functools import cache

import pandas as pd

from reproduction.claims.origins import on_what
from reproduction.engine.catalogue import get_experiment, list_experiments
from reproduction.engine.declaration import Cell
from reproduction.engine.store import load
from reproduction.experiments import printed_tables
from reproduction.statistics.order import to_digits
from reproduction.statistics.summary import read_paper, summarize

_CELL = ["method", "setting", "metric"]
_COLUMNS = ["table", "label", "row", "metric", "printed", "paper", "paper_std"]
_COLUMNS += ["results", "method", "setting", "ours", "std", "ratio", "is_time", "data"]


def match_cells(tables=None):
    """Every printed cell that a stored table has too.

    Of a method that is run in two forms the one "as printed" is taken. Where a printed table was
    re-run as a part of another one, or under other labels, its experiment declares so.

    Parameters
    ----------
    tables : iterable of str, default=None
        Only the cells that these tables of results answer; None means all tables.

    Returns
    -------
    cells : DataFrame
        A row per cell, in the order of the printed tables. ``table`` is the printed table;
        ``results``, ``method``, ``setting`` and ``metric`` say where ours stands; ``label`` and
        ``row`` are the printed method and setting; ``printed`` is the text, ``paper`` and
        ``paper_std`` the numbers; ``ours`` and ``std`` are mean and standard deviation over
        splits; ``ratio`` is ours / printed; ``is_time`` whether the cell is a time, which another
        machine took; ``data`` is the kind of data, see `on_what`.
    """
    frames = []
    for id in list_experiments() if tables is None else tables:
        experiment = get_experiment(id)
        printed = _printed_cells(experiment)
        if printed.empty:
            continue
        try:
            ours = summarize(load(id)[0])
        except FileNotFoundError:
            continue
        printed = printed.assign(results=id, data=on_what(experiment).kind)
        frames.append(printed.merge(ours.rename(columns={"mean": "ours"}), on=_CELL))
    if not frames:
        return pd.DataFrame(columns=_COLUMNS).astype({"is_time": bool})
    cells = pd.concat(frames, ignore_index=True).sort_values(["table", "place"], ignore_index=True)
    cells["ratio"] = cells["ours"] / cells["paper"]
    cells["is_time"] = cells["metric"].str.endswith("time")
    return cells[_COLUMNS]


def count_once(cells):
    """Leave out the cells that repeat another one, which some tables do.

    Parameters
    ----------
    cells : DataFrame
        Cells as `match_cells` returns them.

    Returns
    -------
    cells : DataFrame
        The first of those with the same printed number beside the same number of ours, last bits
        apart.
    """
    same = cells.assign(ours=cells["ours"].map(to_digits))
    return cells[~same.duplicated(["label", "row", "metric", "printed", "ours"])]


def printed_means(experiment, *, tables=""):
    """The printed figures that a table of results answers.

    Parameters
    ----------
    experiment : Experiment
        Whose table it is.
    tables : str, default=""
        How names of printed tables begin; what other papers print is left out.

    Returns
    -------
    means : dict of Cell to float
        By cell of the table of results.
    """
    cells = _printed_cells(experiment)
    cells = cells[cells["paper"].notna() & cells["table"].str.startswith(tables)]
    return {Cell(*labels): mean for *labels, mean in cells[[*_CELL, "paper"]].to_numpy()}


def _printed_cells(experiment):
    """Cells of printed tables that an experiment answers, with our labels and the printed ones.

    Of a method that is run in two forms the one "as printed" is meant.
    """
    answered = {experiment.id: lambda cell: cell} | dict(experiment.facts.printed)
    paths, rows = printed_tables(), []
    for table, ours_of in answered.items():
        state = paths[table].stat() if table in paths else None
        printed = [] if state is None else _rows(paths[table], state.st_mtime_ns, state.st_size)
        for place, (*labels, mean, std, text) in enumerate(printed):
            if (ours := ours_of(Cell(*labels))) is None:
                continue
            if (as_printed := f"{ours.method} as printed") in experiment.methods:
                ours = ours._replace(method=as_printed)
            rows.append((table, place, *labels[:2], *ours, text, mean, std))
    columns = ["table", "place", "label", "row", *_CELL, "printed", "paper", "paper_std"]
    return pd.DataFrame(rows, columns=columns)


@cache
def _rows(path, *state):
    """Cells of a printed table, with the file in this state: each claim asks for some."""
    return list(read_paper(path.stem).itertuples(index=False, name=None))
