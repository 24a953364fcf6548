"""Tables of results as figures: ours, the printed numbers beneath, the best and its ties."""

from html import escape

import pandas as pd

from reproduction.engine import Results
from reproduction.figures.layout import metric_name
from reproduction.statistics import Contrast, format_mean_std, least, most, summarize

__all__ = ["ResultsTable", "show_results"]

LEVEL = 0.05
"""Level of the tests that find ties of the best, until a reader chooses another one."""


class ResultsTable:
    """A table of results as HTML and as text, which a notebook and a page of the book show."""

    def __init__(self, html, text):
        self.html, self.text = html, text

    def _repr_html_(self):
        return self.html

    def __repr__(self):
        return self.text.to_string()


def show_results(
    table,
    paper=None,
    *,
    metric,
    metrics_are="metric",
    methods=None,
    settings=None,
    splits_are="splits",
    digits=3,
    larger_is_better=False,
):
    """Our results, the paper's beneath, the best of each setting and its ties in bold.

    Methods are rows and settings columns, or the other way round where there are more settings. A
    method ties with the best one when Student's paired t-test over the splits does not tell them
    apart at the level 0.05. But it is not bold when its mean is worse by more than half, or its
    standard deviation more than three times that of the best one: with three splits, or where a
    method fails on one, no test tells what a reader sees. A script of the book lets the reader
    choose the corrected test, which `paired_t_test` explains, another level, and the metric. Times
    have no best: the printed ones come from another machine.

    Parameters
    ----------
    table : Results or DataFrame
        Stored results, as from `results`, or rows, as from `run`.
    paper : DataFrame, default=None
        The printed table, as `read_paper` returns it, under the labels of ours.
    metric : str or sequence of str
        What is shown; of several metrics the first one, until the reader chooses.
    metrics_are, splits_are : str
        What metrics are, such as "classifier", and splits, such as "starts" of one division.
    methods, settings : sequence of str, default=None
        Labels in the order of the table; None means all that there are.
    digits : int, default=3
        Decimals of our numbers.
    larger_is_better : bool, default=False
        Whether the best number is the largest.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({
    ...     "method": ["a"] * 3 + ["b"] * 3, "setting": "10", "split": [0, 1, 2] * 2,
    ...     "metric": "error", "value": [1.0, 2.0, 4.0, 0.0, 0.0, 1.0],
    ... })
    >>> show_results(frame, metric="error", digits=1)
              10
    a  2.3 ± 1.5
    b  0.3 ± 0.6
    """
    frame = table.frame if isinstance(table, Results) else table
    id = table.sidecar["id"] if isinstance(table, Results) else None
    if paper is None:
        paper = frame.iloc[:0].assign(printed=[])
    metrics = [metric] if isinstance(metric, str) else [*metric]
    parts, texts = [], []
    for name in metrics:
        ours, printed = (_chosen(part, name, methods, settings) for part in (frame, paper))
        if ours.empty:
            known = list(frame["metric"].unique())
            raise ValueError(f"metric must be one of {known}; got {name!r}.")
        marks = {}
        if not name.endswith("time"):
            contrast = table._replace(frame=ours).contrast(name) if id else Contrast(ours, name)
            marks = _ties(contrast, larger_is_better, n_tests=2 if id else 1)
        cells = _cells(ours, printed, methods, settings, digits)
        parts.append(_to_html(cells, marks, metric_name(name)))
        texts.append(cells.map(lambda cell: " | ".join(filter(None, cell))))
    note = f"<p>{_note(frame, paper, marks, id, splits_are)}</p>"
    html = f'<div class="results" data-chosen="{metrics_are}">{"".join(parts)}{note}</div>'
    return ResultsTable(html, pd.concat(texts))


def _chosen(rows, metric, methods, settings):
    """Rows of one metric, and of these methods and settings where they are given."""
    chosen = rows[rows["metric"] == metric]
    for column, labels in {"method": methods, "setting": settings}.items():
        if labels is not None:
            chosen = chosen[chosen[column].isin(labels)]
    return chosen


def _ties(contrast, larger_is_better, n_tests):
    """By method and setting, p of Student's test against the best method, and with two tests also
    of the one that allows for overlap.
    """
    p_values = {}
    for setting, values in contrast.by_split.groupby("setting", sort=False):
        means = values.mean().dropna().sort_index()
        best = most(means) if larger_is_better else least(means)
        paired = values.dropna(axis=1)  # a method may have fewer splits
        near = ~_is_far(means, means[best]) & ~(values.std() > 3 * values[best].std())
        p_values[best, setting] = [1.0] * n_tests
        if len(paired) > 1 and best in paired:
            for method in paired.columns[near[paired.columns]].drop(best):
                test = contrast.tests(method, best, at=[setting]).loc[setting]
                p = [test["p"], test.get("p_corrected", test["p"])]
                p_values[method, setting] = p[:n_tests]
    return p_values


def _is_far(means, best):
    """Whether means are more than one and a half times the best, or less than two thirds of it."""
    factor = 1.5 + 1e-9  # last bits apart
    return ~means.abs().between(abs(best) / factor, factor * abs(best))


def _cells(ours, printed, methods, settings, digits):
    """A row per method, a column per setting: our text and the printed one."""
    summary = summarize(ours).set_index(["method", "setting"])[["mean", "std"]]
    texts = {at: format_mean_std(*row, digits=digits) for at, *row in summary.itertuples()}
    theirs = printed.set_index(["method", "setting"])["printed"].to_dict()
    if methods is None:
        methods = [*dict.fromkeys([*ours["method"], *printed["method"]])]
    if settings is None:
        settings = [*dict.fromkeys([*printed["setting"], *ours["setting"]])]
    rows = [[(texts.get((m, s), ""), theirs.get((m, s), "")) for s in settings] for m in methods]
    cells = pd.DataFrame(rows, index=methods, columns=settings)
    is_there = cells.map(any)
    return cells.loc[is_there.any(axis=1), is_there.any()]


def _to_html(cells, marks, metric):
    """One table, the metric in its corner; where settings are more than methods, they are rows."""
    upright = len(cells.columns) > len(cells)
    shown = cells.T if upright else cells
    head = "".join(f'<th scope="col">{escape(label)}</th>' for label in shown.columns)
    lines = []
    for row, texts in shown.iterrows():
        line = f'<th scope="row">{escape(row)}</th>'
        for column, (ours, printed) in texts.items():
            p = marks.get((column, row) if upright else (row, column))
            below = f"<small>{escape(printed)}</small>" if printed else ""
            line += f"{_marked(ours, p)}{below}</td>"
        lines.append(f"<tr>{line}</tr>")
    head = f'<th scope="col">{escape(metric)}</th>{head}'
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>"
    return f'<div class="scroll" tabindex="0">{table}</div>'


def _marked(text, p):
    """The beginning of a cell; with the best and its ties in bold where there are tests."""
    if p is None:
        return f"<td>{text}"
    tag = "b" if p[0] >= LEVEL else "span"
    return f'<td data-p="{" ".join(f"{one:.3g}" for one in p)}"><{tag}>{text}</{tag}>'


def _note(ours, printed, is_tested, id, splits_are):
    """What all cells have in common, said once, and where the rows are."""
    counts = ours.groupby(["method", "setting"])["split"].nunique()
    n_splits = " to ".join(map(str, sorted({counts.min(), counts.max()})))
    said = f"Mean ± standard deviation of {n_splits} {splits_are}."
    if counts.max() == 1:
        said = "One split."
    if len(printed):
        said += " Beneath, in grey: the paper."
    if is_tested:
        said += " Bold: the best"
        ties = f" and its ties (<span>Student's paired t-test at the level {LEVEL:g}</span>)"
        said += ties if counts.max() > 1 else ""
        said += "."
    if id:
        said += f' <a href="results/{id}.csv" download>All rows</a>.'
    return said
