"""The cells of the printed tables, each beside the cell of ours that answers it."""

from functools import cache

import numpy as np
import pandas as pd

from reproduction.claims.origins import data_origin
from reproduction.engine.store import load
from reproduction.paths import paper_dir
from reproduction.statistics.summary import read_paper, summarize

_CELL = ["method", "setting", "metric"]
_COLUMNS = ["table", "label", "row", "metric", "printed", "paper", "paper_std"]
_COLUMNS += ["results", "method", "setting", "ours", "std", "ratio", "is_time", "data"]


def match_cells(*, folder=None, paper_folder=None):
    """Every printed cell that a stored table has too.

    Of a method that is stored in two forms the one "as printed" is taken. Where a printed table was
    re-run as a part of another one, or under other labels, the cell is looked up there.

    Parameters
    ----------
    folder : path-like, default=None
        Folder of the results, see `results_dir`.
    paper_folder : path-like, default=None
        Folder of the printed tables; None means ``book/paper`` of the checkout.

    Returns
    -------
    cells : DataFrame
        A row per cell, in the order of the printed tables. ``table`` is the printed table;
        ``results``, ``method``, ``setting`` and ``metric`` say where ours stands; ``label`` and
        ``row`` are the printed method and setting; ``printed`` is the text, ``paper`` and
        ``paper_std`` the numbers; ``ours`` and ``std`` are mean and standard deviation over
        splits; ``ratio`` is ours / printed; ``is_time`` whether the cell is a time, which another
        machine took; ``data`` is what `data_origin` says.
    """
    ids = sorted(path.stem for path in paper_dir(paper_folder).glob("*.csv"))
    printed = [_printed_cells(id, paper_folder) for id in ids]
    cells = pd.concat([pd.DataFrame(columns=["results"]), *printed])
    found = []
    for id, part in cells.groupby("results", sort=False):
        try:
            frame, sidecar = load(id, folder=folder)
        except FileNotFoundError:
            continue
        ours = summarize(frame)
        stored = set(ours["method"])
        as_printed = part["method"] + " as printed"
        part = part.assign(
            method=part["method"].where(~as_printed.isin(stored), as_printed),
            data=data_origin(id, sidecar),
        )
        found.append(part.merge(ours.rename(columns={"mean": "ours"}), on=_CELL))
    if not found:
        return pd.DataFrame(columns=_COLUMNS).astype({"is_time": bool})
    cells = pd.concat(found, ignore_index=True).sort_values(["table", "place"], ignore_index=True)
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
        The first of those with the same printed number beside the same number of ours.
    """
    return cells.drop_duplicates(["label", "row", "metric", "printed", "ours"])


def printed_means(table, methods, *, paper_folder=None):
    """The printed figures that a table of results answers.

    Parameters
    ----------
    table : str
        Id of the table of results.
    methods : set of str
        Its methods; of two forms of one the one "as printed" is meant.
    paper_folder : path-like, default=None
        See `match_cells`.

    Returns
    -------
    means : dict of (str, str, str) to float
        By method, setting and metric of the table of results.
    """
    paths = sorted(paper_dir(paper_folder).glob("*.csv"))
    state = tuple((path, path.stat().st_mtime_ns) for path in paths)
    cells = _cells_by_table(state, paper_folder).get(table, [])
    return {
        (f"{method} as printed" if f"{method} as printed" in methods else method, *place): mean
        for method, *place, mean in cells
    }


@cache
def _cells_by_table(state, folder):
    """Printed cells by table of results, with the folder's files in this state."""
    parts = [_printed_cells(path.stem, folder) for path, _ in state]
    cells = pd.concat([pd.DataFrame(columns=["results", *_CELL, "paper"]), *parts])
    tables = cells[cells["paper"].notna()].groupby("results")[[*_CELL, "paper"]]
    return {table: list(own.itertuples(index=False, name=None)) for table, own in tables}


def _printed_cells(id, folder):
    """Cells of a printed table, with the place and the labels under which ours are stored."""
    paper = read_paper(id, folder=folder)
    cells = paper.rename(columns={"mean": "paper", "std": "paper_std"})
    cells = cells.assign(
        table=id,
        results=id,
        label=paper["method"],
        row=paper["setting"],
        place=np.arange(len(paper)),
    )
    match id:
        case "esann-table-01":  # the short version prints a part of the journal's tables
            return cells.assign(results="ofer-table-09")
        case "esann-table-02":
            return cells.assign(results="ofer-table-11")
        case "fkl-table-03":  # faces, for which no data stand in: ours are vowels
            return cells[:0]
        case "ofer-table-02":  # the times of Table 1
            return _searched(cells).assign(results="ofer-table-01")
        case "ofer-table-03":
            return _searched(cells)
        case "ofer-table-05":
            names = {"method": {"IOKR2": "IOKR-GAK"}, "metric": {"rrmse": "rrmse observed"}}
            return cells.replace(names)
        case "ofer-table-06":  # a printed year is a step of our series
            steps = {str(2000 + step): f"rrmse step {step}" for step in range(1, 6)}
            metric = cells["setting"].map(steps | {"Global": "rrmse global"})
            return cells.assign(metric=metric, setting="calls")
        case "ofer-table-13" | "ofer-table-14":  # a column of the table without weak labels
            repeated = cells["method"].isin(["m-SVM", "MLP"])
            supervised = {"ofer-table-13": "ofer-table-11", "ofer-table-14": "ofer-table-12"}[id]
            return cells.assign(results=cells["results"].where(~repeated, supervised))
    return cells


def _searched(cells):
    """Look up the prediction times of the full embedding where it is decoded as in the paper."""
    searched = (cells["method"] == "full") & (cells["metric"] == "predict time")
    return cells.assign(method=cells["method"].mask(searched, "full by descent"))
