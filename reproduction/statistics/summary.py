"""Tables for the reader: ours, the paper's, and both side by side."""

import numpy as np
import pandas as pd

from reproduction.experiments import printed_tables
from reproduction.statistics.effects import ROUNDING
from reproduction.statistics.order import most, to_digits

_PAPER_COLUMNS = ["method", "setting", "metric", "mean", "std", "bold"]
_CELL = ["table", "method", "setting", "metric"]


def summarize(frame):
    """Mean and standard deviation over splits.

    Parameters
    ----------
    frame : DataFrame
        Table of results, as `run` returns it.

    Returns
    -------
    summary : DataFrame
        Columns ``method``, ``setting``, ``metric``, ``mean``, ``std`` (of one split, with K - 1
        in the denominator; NaN for a single split) and ``n``, the number of splits; a row per
        method, setting and metric, in the order of the table.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({
    ...     "method": "a", "setting": "10", "split": [0, 1], "metric": "error",
    ...     "value": [1.0, 3.0],
    ... })
    >>> summarize(frame)
      method setting metric  mean       std  n
    0      a      10  error   2.0  1.414214  2
    """
    groups = frame.groupby(["method", "setting", "metric"], sort=False)["value"]
    summary = groups.agg(mean="mean", std="std", n="size").reset_index()
    equal = summary["std"] <= ROUNDING * summary["mean"].abs()
    return summary.assign(mean=summary["mean"].map(to_digits), std=summary["std"].mask(equal, 0.0))


def percent_change(frame, old, new, *, metric, setting):
    """Change of a metric from one method to another on the same splits, in percent.

    Parameters
    ----------
    frame : DataFrame
        Table of results, as `run` returns it.
    old, new : str
        The two methods.
    metric, setting : str
        Which rows to compare.

    Returns
    -------
    change : Series
        ``100 (new / old - 1)`` by split.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({
    ...     "method": ["a", "b"], "setting": "10", "split": 0, "metric": "error",
    ...     "value": [2.0, 1.5],
    ... })
    >>> percent_change(frame, "a", "b", metric="error", setting="10").tolist()
    [-25.0]
    """
    rows = frame[(frame["metric"] == metric) & (frame["setting"] == setting)]
    values = rows.pivot(index="split", columns="method", values="value")
    return 100 * (values[new] / values[old] - 1)


def leads(summary, method, others, *, larger_is_better=False):
    """Leads of a method over the best of others, in standard deviations over the splits.

    Parameters
    ----------
    summary : DataFrame
        Columns ``method``, ``setting``, ``mean`` and ``std``, of one metric.
    method, others : str and list of str
        Who leads whom.
    larger_is_better : bool, default=False
        Whether the metric is one, such as accuracy.

    Returns
    -------
    leads : Series
        By setting: the lead over the larger standard deviation of the two.

    Examples
    --------
    >>> import pandas as pd
    >>> summary = pd.DataFrame({
    ...     "method": ["a", "b", "c"], "setting": "10", "mean": [1.0, 1.5, 2.0],
    ...     "std": [0.1, 0.25, 0.5],
    ... })
    >>> leads(summary, "a", ["b", "c"]).tolist()
    [2.0]
    """
    tables = summary.pivot(index="setting", columns="method", values=["mean", "std"])
    means, spreads = tables["mean"], tables["std"]
    sign = 1 if larger_is_better else -1
    best = (sign * means[others]).apply(most, axis=1)
    rivals = [spreads.loc[setting, name] for setting, name in best.items()]
    spread = np.fmax(spreads[method], rivals)  # one may not be printed
    return (sign * (means[method] - sign * (sign * means[others]).max(axis=1))) / spread


def read_paper(id):
    """Read the paper's own table, typed from its text.

    Parameters
    ----------
    id : str
        Name of the table, such as ``"toy-table-01"``.

    Returns
    -------
    paper : DataFrame
        Columns ``method``, ``setting``, ``metric``, ``mean``, ``std`` (NaN where the paper gives
        none) and ``printed``, the text "mean ± std" with the digits that the paper prints.

    Raises
    ------
    FileNotFoundError
        When there is no such table.
    ValueError
        When it has other columns, or is no table.
    """
    paper = _read_printed(id)
    has_std = paper["std"] != ""
    printed = paper["mean"].where(~has_std, paper["mean"] + " ± " + paper["std"])
    numbers = {name: pd.to_numeric(paper[name]).astype(float) for name in ("mean", "std")}
    return paper.drop(columns="bold").assign(**numbers, printed=printed)


def _read_printed(id):
    """A printed table as texts."""
    if (path := printed_tables().get(id)) is None:
        raise FileNotFoundError(f"no study has the printed table {id}.csv.")
    try:
        paper = pd.read_csv(path, dtype=str, keep_default_na=False)
    except ValueError as error:  # pandas names no file
        why = " ".join(str(error).split())
        raise ValueError(f"{path} is damaged ({why}): restore it.") from error
    if list(paper.columns) != _PAPER_COLUMNS:
        raise ValueError(
            f"{path.name} must have the columns {_PAPER_COLUMNS}; got {list(paper.columns)}."
        )
    return paper


def read_bold():
    """Cells that the papers set in bold, each beside the best of its row.

    A row is a training size, or another setting, with its metric; some tables have one best cell
    among all metrics of a setting.

    Returns
    -------
    bold : DataFrame
        Columns ``table``, ``method``, ``setting``, ``metric``, ``mean``, and of the best cell
        ``best`` and ``best method``, with its metric where that differs; sorted by table.
    """
    rows = []
    for id in printed_tables():
        paper = read_paper(id).assign(bold=_read_printed(id)["bold"])
        for cell in paper[paper["bold"] != ""].itertuples():
            row = paper[paper["setting"] == cell.setting]
            if cell.bold == "one metric":
                row = row[row["metric"] == cell.metric]
            means = row["mean"]
            best = row.loc[means.idxmax() if cell.metric == "accuracy" else means.idxmin()]
            name = (
                best["method"]
                if best["metric"] == cell.metric
                else f"{best['method']}, {best['metric']}"
            )
            rows.append((id, *cell[1:5], best["mean"], name))
    return pd.DataFrame(rows, columns=[*_CELL, "mean", "best", "best method"])


def format_mean_std(mean, std, *, digits=3):
    """Text "mean ± std"; the mean alone when there is no standard deviation.

    Parameters
    ----------
    mean, std : float
        The two numbers; NaN is no standard deviation.
    digits : int, default=3
        Decimals of both.

    Returns
    -------
    text : str

    Examples
    --------
    >>> format_mean_std(0.2034, 0.0021)
    '0.203 ± 0.002'
    """
    text = f"{to_digits(mean):.{digits}f}"
    return text if np.isnan(std) else f"{text} ± {to_digits(std):.{digits}f}"
