"""The ledger of claims for the reader: what was printed, what came out, and who decided."""

from functools import cache
from html import escape
from numbers import Real

import numpy as np
import pandas as pd

from reproduction.claims.cells import match_cells
from reproduction.claims.conclusions import count_by_conclusion
from reproduction.claims.ledger import decide, describe_data, read_claims, read_papers
from reproduction.claims.rules import RULES
from reproduction.engine.store import load
from reproduction.paths import CHECKOUT
from reproduction.statistics.summary import summarize

__all__ = ["claims_to_html", "figures_of_claims", "front_page_to_html", "rules_to_html"]

# Told apart without colour, and by those who only skim.
_MARKS = {
    "reproduced": "●",
    "in part": "◐",
    "inconclusive": "◌",
    "not reproduced": "○",
    "undecided": "?",
}
_NOTHING = "–"


def figures_of_claims(claims=None, *, folder=None, paper_folder=None):
    """The figures that each claim speaks of, ours and the printed ones.

    Parameters
    ----------
    claims : sequence of Claim, default=None
        The claims; None means the whole ledger.
    folder, paper_folder : path-like, default=None
        Folders of the results and of the printed tables, see `match_cells`.

    Returns
    -------
    figures : DataFrame of str
        A row per claim and method that it names, for the settings of the claim: ``claim`` (the
        id), ``method``, ``paper``, ``ours`` and ``spread``, each a number or the least and the
        largest over settings and metrics. ``paper`` is "–" where nothing is printed, ``spread``,
        the standard deviation over the splits, where there is a single split. A claim that no
        stored table decides has no row.
    """
    cells = match_cells(folder=folder, paper_folder=paper_folder)
    printed = dict(list(cells.groupby("results")))
    summary_of = cache(lambda table: summarize(load(table, folder=folder)[0]))
    rows = []
    for claim in read_claims() if claims is None else claims:
        part = printed.get(claim.arguments.get("table"), cells[:0])
        for method, ours in _groups(claim, summary_of):
            found = part[
                part["method"].eq(method)
                & part["metric"].isin(ours["metric"])
                & part["setting"].isin(ours["setting"])
            ]
            texts = [_range(ours["mean"], 3), _range(ours["std"].dropna(), 2)]
            rows.append((claim.id, method, _printed_range(found), *texts))
    return pd.DataFrame(rows, columns=["claim", "method", "paper", "ours", "spread"])


def _groups(claim, summary_of):
    """Method, and our summary of it at the claimed settings, for each method a claim names."""
    named = {
        name: list(value) if isinstance(value, list | dict) else [value]
        for name, value in claim.arguments.items()
    }
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


def claims_to_html(claims=None, *, folder=None, paper_folder=None):
    """All claims as a table, which a script of the book lets the reader filter.

    Parameters
    ----------
    claims : sequence of Claim, default=None
        The claims; None means the whole ledger.
    folder, paper_folder : path-like, default=None
        Folders of the results and of the printed tables, see `match_cells`.

    Returns
    -------
    html : str
        A ``table`` with a ``tbody`` and a row for each claim: its statement, a link to the table in
        the chapter that decides it, the verdict, and the effect, which opens to the test, the
        evidence and the figures of each method. ``data-paper`` and ``data-verdict`` are what the
        script filters by; without it this is the whole table.
    """
    claims, papers = read_claims() if claims is None else claims, read_papers()
    figures = figures_of_claims(claims, folder=folder, paper_folder=paper_folder)
    bodies = []
    for claim in claims:
        own = figures.loc[figures["claim"] == claim.id, ["method", "paper", "ours", "spread"]]
        decision = decide(claim, folder=folder)
        paper = escape(papers.get(claim.paper, {}).get("title", claim.paper))
        origin, part = describe_data(claim, folder=folder)
        data = {"none": ""}.get(origin, f"; {origin} data")
        place = f"{paper}: {escape(claim.place)}{data}{f' ({escape(part)})' * bool(part)}"
        bodies.append(
            f'<tbody id="claim-{claim.id}" data-paper="{paper}" '
            f'data-verdict="{decision.verdict}"><tr>'
            f'<th scope="row">{_link(claim)}{" <em>(ours)</em>" * claim.ours}'
            f"<small>{place}</small></th>"
            f"<td>{_MARKS.get(decision.verdict, _NOTHING)} {decision.verdict}</td>"
            f"<td>{_details(claim, decision, own.to_numpy())}</td></tr></tbody>"
        )
    head = _cells(["Claim", "Verdict", "Evidence"], 'th scope="col"')
    body = "\n".join(bodies)
    return f'<table class="claims" data-claims><thead><tr>{head}</tr></thead>\n{body}</table>'


def _details(claim, decision, figures):
    """The effect in short, which opens to the rule, the evidence and the figures."""
    meaning = f"91_scorecard.html#rule-{claim.rule}"
    rule = f'<a href="{meaning}">{_words(claim.rule)}</a>{_limits(claim)}'
    lines = "".join(f"<tr>{_cells(row)}</tr>" for row in figures)
    head = _cells(["Method", "Paper", "Ours", "Spread"], 'th scope="col"')
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>" * bool(lines)
    short = escape(decision.effect) or "evidence"
    return f"<details><summary>{short}</summary>{rule}{_found(decision)}{table}</details>"


def _cells(texts, tag="td"):
    return "".join(f"<{tag}>{escape(text)}</{tag.split()[0]}>" for text in texts)


def front_page_to_html(claims, card, conclusions):
    """How many claims behind each conclusion have which verdict, by the data that decide.

    Parameters
    ----------
    claims : sequence of Claim
        The whole ledger.
    card : DataFrame
        As from `scorecard`.
    conclusions : dict
        As from `read_conclusions`.

    Returns
    -------
    html : str
        A ``table`` with a ``tbody`` a paper and a row for each conclusion and origin of data.
    """
    marks = [*_MARKS.items(), ("not testable", _NOTHING)]
    heads = ["Conclusion", "Data", *(f"{mark} {word}" for word, mark in marks)]
    head = "".join(f'<th scope="col">{text}</th>' for text in heads)
    bodies = []
    for paper, known in read_papers().items():
        own = [claim for claim in claims if claim.paper == paper]
        counts = count_by_conclusion(own, card, conclusions[paper])
        lines = [
            f'<tr><th scope="colgroup" colspan="{len(heads)}">{escape(known["title"])}</th></tr>'
        ]
        for text, part in counts.groupby(level=0, sort=False, observed=True):
            cell = f'<th scope="rowgroup" rowspan="{len(part)}">{escape(text)}</th>'
            for (_, data), row in part.iterrows():
                numbers = "".join(f"<td>{row.get(word) or ''}</td>" for word, _ in marks)
                lines.append(f"<tr>{cell}<td>{data}</td>{numbers}</tr>")
                cell = ""
        bodies.append(f"<tbody>{''.join(lines)}</tbody>")
    return f'<table class="conclusions"><thead><tr>{head}</tr></thead>{"".join(bodies)}</table>'


def _found(decision):
    """Test, effect with interval, and evidence, a line each."""
    effect = decision.effect
    if decision.interval:
        effect += f" [{decision.interval}]"
    lines = [decision.test, effect, decision.evidence]
    return "".join(f"<small>{escape(line)}</small>" for line in lines if line)


def rules_to_html(claims=None):
    """What the rules mean that decide the claims; stands on the page of the scorecard.

    Parameters
    ----------
    claims : sequence of Claim, default=None
        The claims; None means the whole ledger.

    Returns
    -------
    html : str
        A ``dl`` with an anchor a rule, to which `claims_to_html` leads.
    """
    used = {claim.rule for claim in (read_claims() if claims is None else claims)}
    items = (
        f'<dt id="rule-{name}">{_words(name)}</dt>'
        f"<dd>{escape(_first_paragraph(RULES[name].__doc__))}</dd>"
        for name in RULES
        if name in used
    )
    return f"<dl>{''.join(items)}</dl>"


def _first_paragraph(text):
    return " ".join(text.partition("\n\n")[0].split())


def _link(claim):
    """The statement, leading to the table in the chapter that shows it, once there is one."""
    statement = escape(claim.statement)
    chapter = CHECKOUT / "notebooks" / f"{claim.chapter}.py"
    if not chapter.exists():
        return statement
    table = claim.arguments.get("table", "")
    shown = table and f'"{table}"' in chapter.read_text(encoding="utf-8")
    anchor = f"#{table}" if shown else ""
    return f'<a href="{claim.chapter}.html{anchor}">{statement}</a>'


def _limits(claim):
    """Thresholds of the rule, such as " (level 0.05)"."""
    numbers = {
        name: value
        for name, value in claim.arguments.items()
        if isinstance(value, Real) and not isinstance(value, bool)
    }
    texts = ", ".join(f"{_words(name)} {value:g}" for name, value in numbers.items())
    return f" ({texts})" if texts else ""


def _words(name):
    return name.replace("_", " ")


def _range(values, digits):
    """A number, or the least and the largest, with so many significant digits."""
    if not len(values):
        return _NOTHING
    texts = [_decimal(value, digits) for value in (min(values), max(values))]
    return " to ".join(dict.fromkeys(texts))


def _decimal(value, digits):
    """Text of a number; very small ones have an exponent."""
    rounded = float(f"{value:.{digits}g}")
    small = 0 < abs(rounded) < 1e-4
    text = f"{rounded:.{digits}g}" if small else np.format_float_positional(rounded, trim="-")
    return text.replace("-", "−")


def _printed_range(cells):
    """What is printed, with its own digits: the cell, or the least and the largest of several."""
    if len(cells) == 1:
        return cells["printed"].iloc[0].replace("-", "−")
    if cells.empty:
        return _NOTHING
    ends = cells.loc[[cells["paper"].idxmin(), cells["paper"].idxmax()], "printed"]
    return " to ".join(dict.fromkeys(text.partition(" ±")[0] for text in ends)).replace("-", "−")
