"""Each table of the papers in a row: printed numbers, ours, the verdict, and why they differ."""

from collections import Counter
from html import escape
from itertools import combinations
from typing import NamedTuple

import numpy as np
import pandas as pd

from reproduction.claims import decide, match_cells, read_claims
from reproduction.claims.pages import printed_range, range_of
from reproduction.experiments import said_files
from reproduction.figures.names import table_name
from reproduction.pipeline.inventory import Item, link_to, read_inventory
from reproduction.statistics import read_paper, steady
from reproduction.studies.synthetic import definitions

__all__ = [
    "DEFINITIONS",
    "NEAR",
    "ORDERED",
    "VERDICTS",
    "Row",
    "by_definition",
    "compared_to_html",
    "listed_to_html",
    "one_factor",
    "read_said",
    "rows_by_table",
    "said_to_html",
    "tell_verdicts",
    "verdict",
]

VERDICTS = {
    "agrees": "●",
    "order agrees, level is off": "◐",
    "level is off": "◌",
    "order differs": "○",
    "not compared": "≠",
    "not run": "–",
}
"""What may become of a printed table, with its mark."""
NEAR = 0.5
"""Share of the cells that must be within 10 % of ours for the level to agree."""
ORDERED = 0.75
"""Share of the pairs of methods that must have the printed order for the order to agree."""


DEFINITIONS = {name: (name, 0.0) for name in definitions.DEFINITIONS} | {
    "relative, of the norm of all outputs": ("relative", 0.5),
    "centred in training, of the norm of all outputs": ("centred in training", 0.5),
    "relative, summed over the outputs": ("relative", 1.0),
}
"""Errors that the paper may have meant on generated data: the stored error, and the power of the
number of outputs by which it is multiplied."""


class Row(NamedTuple):
    """Numbers of one kind in one table of a paper, or a figure or algorithm without numbers."""

    item: Item
    kind: str
    """"errors", "accuracies" or "times"; empty where no number is printed."""
    cells: pd.DataFrame
    """Printed numbers that have one of ours beside them, see `match_cells`."""
    printed: int
    """How many numbers of this kind the table has."""
    pairs: int
    """Pairs of methods in one row of the table, of which print puts one first."""
    kept: int
    """Pairs that ours puts into the same order."""
    verdict: str
    why: str


def rows_by_table():
    """All tables, figures and algorithms of the papers, as a list of `Row` by key of the paper.

    A table that prints errors and times has a row for each kind.
    """
    cells = match_cells()
    cells = cells.assign(kind=cells["metric"].map(_kind))
    return {
        paper: [
            row
            for item in items
            if item.name.split()[0] in ("Table", "Figure", "Algorithm")
            for row in _rows(item, cells[cells["table"] == item.table])
        ]
        for paper, items in read_inventory().items()
    }


def _rows(item, cells):
    """A row for each kind of number that a table prints."""
    if not item.table:
        yield Row(item, "", cells, 0, 0, 0, "not compared" if item.places else "not run", "")
        return
    for kind, printed in Counter(read_paper(item.table)["metric"].map(_kind)).items():
        own = cells[cells["kind"] == kind]
        pairs, kept = _ordered_pairs(own)
        why = item.why.get(kind, item.why.get("", ""))
        yield Row(item, kind, own, printed, pairs, kept, verdict(own["ratio"], pairs, kept), why)


def _kind(metric):
    if metric.endswith("time"):
        return "times"
    return "accuracies" if metric == "accuracy" else "errors"


def _ordered_pairs(cells):
    """How many pairs of methods print puts into an order, and how many of them ours puts alike."""
    pairs = kept = 0
    for _, row in cells.groupby(["row", "metric"], sort=False):
        for (a, b), (ours, other) in zip(
            combinations(row["paper"], 2), combinations(steady(row["ours"]), 2), strict=True
        ):
            pairs += a != b
            kept += bool((a - b) * (ours - other) > 0)
    return pairs, kept


def verdict(ratio, pairs, kept):
    """What becomes of printed numbers.

    Parameters
    ----------
    ratio : Series
        Ours / printed, by cell.
    pairs, kept : int
        Pairs of methods that have an order in print, and how many have the same one here.

    Returns
    -------
    verdict : str
        One of `VERDICTS`.
    """
    if ratio.empty:
        return "not compared"
    near = _is_near(ratio).mean() >= NEAR
    if not pairs:
        return "agrees" if near else "level is off"
    if kept < ORDERED * pairs:
        return "order differs"
    return "agrees" if near else "order agrees, level is off"


def by_definition(frame):
    """Errors of tables on generated data under each of `DEFINITIONS`, over the printed ones.

    Parameters
    ----------
    frame : DataFrame
        Rows of the table that has the errors by definition.

    Returns
    -------
    ratios : DataFrame
        Ours / printed, a column for each definition; the index has the table's name, and the
        method and setting of our table.
    """
    means = frame.groupby(["metric", "setting", "method"])["value"].mean()
    ratios = {}
    for item in (one for items in read_inventory().values() for one in items if one.outputs):
        for cell in match_cells([item.table]).query("not is_time").itertuples():
            place = f"{item.name}, {cell.setting}", cell.method
            ratios[item.name, cell.method, cell.setting] = {
                definition: means[score, *place] * item.outputs**power / cell.paper
                for definition, (score, power) in DEFINITIONS.items()
            }
    return pd.DataFrame.from_dict(ratios, orient="index")


def one_factor(ratio):
    """The factor of ours that brings most cells within 10 % of the printed ones.

    Where a definition or a unit is all that differs, one factor brings all of them.

    Parameters
    ----------
    ratio : Series
        Ours / printed, by cell.

    Returns
    -------
    factor : float
        The least such factor.
    count : int
        How many cells are then within 10 %.

    Examples
    --------
    >>> factor, count = one_factor(pd.Series([0.25, 0.5, 0.52]))
    >>> round(factor, 2), count
    (1.8, 2)
    """
    factors = 0.9 / np.sort(ratio.to_numpy())[::-1]
    counts = [int(_is_near(factor * ratio).sum()) for factor in factors]
    best = int(np.argmax(counts))
    return float(factors[best]), counts[best]


def _is_near(ratio):
    return (ratio - 1).abs() <= 0.1 + 1e-9  # last bits apart


def tell_verdicts(rows, what="tables"):
    """How many rows have each verdict, of those that have numbers of ours, in a sentence.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> tell_verdicts(2 * [SimpleNamespace(cells=[1.0], verdict="agrees")])
    'Of 2 tables order and level agree in 2.'
    """
    counts = Counter(row.verdict for row in rows if len(row.cells))
    words = {
        "agrees": "order and level agree in",
        "order agrees, level is off": "the order alone agrees in",
        "level is off": "only the level can be compared, and is off, in",
        "order differs": "the order differs in",
    }
    parts = [f"{words[name]} {counts[name]}" for name in words if counts[name]]
    return f"Of {counts.total()} {what} {', '.join(parts)}."


def compared_to_html(rows):
    """Rows with printed numbers: a picture of the cells, both ranges, the verdict and why."""
    lines = []
    for row in rows:
        item, cells = row.item, row.cells
        near, others = int(_is_near(cells["ratio"]).sum()), row.printed - len(cells)
        counts = f"{near} of {len(cells)} within 10 %"
        if row.kind == "errors" and row.verdict not in ("agrees", "not compared"):
            factor, brought = one_factor(cells["ratio"])
            counts += f", {brought} if ours are multiplied by {factor:.3g}"
        counts += f"; {row.kept} of {row.pairs} pairs in the printed order" * bool(row.pairs)
        counts += f"; {others} more have none of ours" * bool(others)
        ranges = f"{printed_range(cells)} → {range_of(cells['ours'], 3)}"
        lines.append(
            f'<tr data-verdict="{row.verdict}"><th scope="row">{_name(item)}: {escape(item.shows)} '
            f"<small>{'<br>'.join(map(link_to, item.places))}</small></th>"
            f"<td>{_picture(cells, ranges)}</td>"
            f"<td><strong>{VERDICTS[row.verdict]} {row.verdict}</strong><br>{row.kind} "
            f"{ranges} <small>{counts if len(cells) else ''}</small></td>"
            f"<td>{escape(row.why)} "
            f"<small>{escape(item.on)}</small></td></tr>"
        )
    names = "in the paper", "cells", "printed → ours", "why, and on what"
    head = "".join(f'<th scope="col">{name}</th>' for name in names)
    return (
        f'<div class="texts by-table"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(lines)}</tbody></table></div>"
    )


def _name(item):
    """Such as "Table 9", and "FKL Table 1" of a related paper."""
    return table_name(item.table).removeprefix("OFER ")


def _picture(cells, description):
    """Cells beside their diagonal: to the right what is printed, upwards ours; near ones filled."""
    if cells.empty:
        return ""
    points = cells[["paper", "ours"]].to_numpy()
    low, high = points.min(), points.max()
    if low > 0 and high > 10 * low:
        points, low, high, band = np.log(points), np.log(low), np.log(high), (np.log(1.1),) * 2
    else:
        band = 0.1 * low, 0.1 * high
    scale = 60 / (high - low or 1.0)
    marks = "".join(
        f'<circle cx="{6 + scale * (x - low):.1f}" cy="{66 - scale * (y - low):.1f}" r="2.5" '
        f'fill="{"currentColor" if near else "none"}"/>'
        for (x, y), near in zip(points, _is_near(cells["ratio"]), strict=True)
    )
    start, end = (scale * width for width in band)
    grey = f"6,{66 - start:.1f} 66,{6 - end:.1f} 66,{6 + end:.1f} 6,{66 + start:.1f}"
    return (
        f'<svg role="img" aria-label="{escape(description)}" viewBox="0 0 72 72" width="72" '
        f'height="72" stroke="currentColor"><polygon points="{grey}" class="near" stroke="none"/>'
        f'<path d="M6 66L66 6"/>{marks}</svg>'
    )


def listed_to_html(rows):
    """Rows without numbers to compare: what became of them, and on what or why."""
    table = pd.DataFrame(
        {
            "in the paper": f"{row.item.name}: {escape(row.item.shows)}",
            "in the book": "<br>".join(map(link_to, row.item.places)) or "not run",
            "on what, or why not": escape(row.item.on),
        }
        for row in rows
    )
    return f'<div class="texts listed">{table.to_html(index=False, border=0, escape=False)}</div>'


def read_said():
    """Numbers of the running text and of notes: a row each, from the files ``said.csv``."""
    parts = [pd.read_csv(file, dtype=str).fillna("") for file in said_files()]
    return pd.concat(parts, ignore_index=True)


def said_to_html(said):
    """Numbers of the running text, each with the outcome of its claim."""
    claims = {claim.id: claim for claim in read_claims()}
    rows = []
    for one in said.itertuples():
        outcome = "not compared"
        if one.claim:
            link = f'<a href="91_scorecard.html#claim-{one.claim}">'
            outcome = f"{link}{decide(claims[one.claim]).outcome}</a>"
        low, high = one.low, one.high
        number = high if low in ("", high) else f"{low} to {high}"
        number = f"at most {number}" if not low and high else number
        where = f"{one.method}, {one.setting}: {one.quantity}"
        paper, _, place = one.place.partition("-")
        place = place.replace("table-0", "Table ").replace("table-", "Table ")
        place = place.replace("section-", "Section ").replace("-", ".")
        rows.append((f"{paper.upper()}, {place}", escape(where), number, escape(one.note), outcome))
    columns = ["where", "of what", "printed", "the paper adds", "claim"]
    table = pd.DataFrame(rows, columns=columns)
    return f'<div class="texts listed">{table.to_html(index=False, border=0, escape=False)}</div>'
