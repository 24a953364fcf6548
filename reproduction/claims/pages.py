"""The ledger of claims for the reader: what was printed, what came out, and who decided."""

from functools import cache
from html import escape

import numpy as np
import pandas as pd

from reproduction.claims.cells import match_cells
from reproduction.claims.decisions import text_range
from reproduction.claims.ledger import read_claims, tables_of
from reproduction.claims.rules import RULES
from reproduction.engine.store import load
from reproduction.statistics.summary import summarize

__all__ = ["figures_of_claims", "printed_range", "range_of", "rules_to_html", "words"]

_NOTHING = "–"


def figures_of_claims(claims=None):
    """The figures that each claim speaks of, ours and the printed ones.

    Parameters
    ----------
    claims : sequence of Claim, default=None
        The claims; None means the whole ledger.

    Returns
    -------
    figures : DataFrame of str
        A row per claim and method that it names, for the settings of the claim: ``claim`` (the
        id), ``method``, ``paper``, ``ours`` and ``spread``, each a number or the least and the
        largest over settings and metrics. ``paper`` is "–" where nothing is printed, ``spread``,
        the standard deviation over the splits, where there is a single split. A claim that no
        stored table decides has no row.
    """
    claims = read_claims() if claims is None else claims
    cells = match_cells(tables_of(claims))
    printed = dict(list(cells.groupby("results")))
    summary_of = cache(lambda table: summarize(load(table)[0]))
    rows = []
    for claim in claims:
        of_table = printed.get(claim.arguments.get("table"), cells[:0])
        for method, ours in _groups(claim, summary_of):
            matched = of_table[
                of_table["method"].eq(method)
                & of_table["metric"].isin(ours["metric"])
                & of_table["setting"].isin(ours["setting"])
            ]
            texts = [range_of(ours["mean"], 3), range_of(ours["std"].dropna(), 2)]
            rows.append((claim.id, method, printed_range(matched), *texts))
    return pd.DataFrame(rows, columns=["claim", "method", "paper", "ours", "spread"])


def _groups(claim, summary_of):
    """Method, and our summary of it at the claimed settings, for each method a claim names."""
    named = {}
    for name, value in claim.arguments.items():
        if isinstance(value, dict) and name == "than":
            value = dict.fromkeys(value.values())
        named[name] = list(value) if isinstance(value, list | dict) else [value]
    metrics = named.pop("metrics", []) + named.pop("metric", [])
    settings = named.pop("settings", [None])
    if not metrics:
        return
    try:
        summary = summary_of(*named.pop("table"))
    except FileNotFoundError:
        return
    summary = summary[summary["metric"].isin(metrics)]
    if settings != [None]:
        summary = summary[summary["setting"].isin(settings)]
    for method in dict.fromkeys(str(one) for values in named.values() for one in values):
        if (summary["method"] == method).any():
            yield method, summary[summary["method"] == method]


def rules_to_html(claims=None):
    """What the rules mean that decide the claims; stands on the page of the scorecard.

    Parameters
    ----------
    claims : sequence of Claim, default=None
        The claims; None means the whole ledger.

    Returns
    -------
    html : str
        A ``dl`` with an anchor a rule, to which `cards_to_html` leads.
    """
    used = {claim.rule for claim in (read_claims() if claims is None else claims)}
    items = (
        f'<dt id="rule-{name}">{words(name)}</dt>'
        f"<dd>{escape(_first_paragraph(RULES[name].__doc__))}</dd>"
        for name in RULES
        if name in used
    )
    return f"<dl>{''.join(items)}</dl>"


def _first_paragraph(text):
    return " ".join(text.partition("\n\n")[0].split())


def words(name):
    """A name of the code for a reader."""
    return name.replace("_", " ")


def range_of(values, digits):
    """A number, or the least and the largest, with so many significant digits."""
    if not len(values):
        return _NOTHING
    return text_range(values, lambda value: _decimal(value, digits))


def _decimal(value, digits):
    """Text of a number; very small ones have an exponent."""
    rounded = float(f"{value:.{digits}g}")
    small = 0 < abs(rounded) < 1e-4
    text = f"{rounded:.{digits}g}" if small else np.format_float_positional(rounded, trim="-")
    return text.replace("-", "−")


def printed_range(cells):
    """What is printed, with its own digits: the cell, or the least and the largest of several."""
    if len(cells) == 1:
        return cells["printed"].iloc[0].replace("-", "−")
    if cells.empty:
        return _NOTHING
    ends = cells.loc[[cells["paper"].idxmin(), cells["paper"].idxmax()], "printed"]
    return " to ".join(dict.fromkeys(text.partition(" ±")[0] for text in ends)).replace("-", "−")
