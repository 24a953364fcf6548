"""Claims for a reader: a card each, with the axis on which the printed size and ours stand."""

from collections import Counter
from html import escape
from numbers import Real

import numpy as np

from reproduction.claims.cells import count_once, match_cells
from reproduction.claims.conclusions import by_conclusion, describe_cells
from reproduction.claims.decisions import VERDICTS, outcome_of_row
from reproduction.claims.ledger import decide, describe_data, read_claims, read_papers
from reproduction.claims.pages import figures_of_claims, words
from reproduction.paths import CHECKOUT

__all__ = ["cards_to_html", "conclusions_to_html"]

_SCORECARD = "91_scorecard.html"
# Told apart without colour, and by those who only skim.
_MARKS = dict(zip(VERDICTS, "●◐◌○–?", strict=True))
_OUTCOMES = {"holds": "●", "open": "◌", "fails": "○"}


def cards_to_html(claims=None, conclusions=None, *, folder=None, paper_folder=None):
    """Claims as cards that open, which a script of the book lets the reader filter.

    A card has the statement and the verdict, the reason, an axis a row with the printed size and
    our interval, the data, the figures of each method, and where the table, the rule and the rows
    are and what computes them again.

    Parameters
    ----------
    claims : sequence of Claim, default=None
        The claims; None means the whole ledger.
    conclusions : mapping of str to sequence of str, default=None
        By conclusion of their paper, in our words, the ids of its claims or patterns of them, such
        as ``"ofer-08-*"``: the cards then lie in their conclusions, which open too.
    folder, paper_folder : path-like, default=None
        Folders of the results and of the printed tables, see `match_cells`.

    Returns
    -------
    html : str
        A ``div`` with a ``details`` for each claim, whose ``data-paper`` and ``data-verdict`` the
        script filters by; without it all are there.

    Raises
    ------
    ValueError
        When a pattern fits no claim.
    """
    claims = read_claims() if claims is None else claims
    figures = figures_of_claims(claims, folder=folder, paper_folder=paper_folder)
    decisions = {claim.id: decide(claim, folder=folder) for claim in claims}
    cards = {
        claim.id: _card(claim, decisions[claim.id], figures[figures["claim"] == claim.id], folder)
        for claim in claims
    }
    if conclusions is None:
        return f'<div class="claims">{"".join(cards.values())}</div>'
    cells = match_cells(folder=folder, paper_folder=paper_folder)
    cells = cells[~cells["is_time"]]
    parts = []
    for place, (text, own) in enumerate(by_conclusion(claims, conclusions).items()):
        tables = {claim.arguments.get("table") for claim in own}
        near = describe_cells(count_once(cells[cells["results"].isin(tables)]))
        id = f"conclusion-{own[0].paper}-{place}"
        parts.append(
            f'<details class="conclusion" id="{id}"><summary>{escape(text)} '
            f"{_bar(own, decisions)}</summary>{f'<p>{near}</p>' * bool(near)}"
            f"{''.join(cards[claim.id] for claim in own)}</details>"
        )
    return f'<div class="claims">{"".join(parts)}</div>'


def conclusions_to_html(claims, conclusions, *, folder=None):
    """The conclusions of all papers, each with the verdicts on its claims.

    Parameters
    ----------
    claims : sequence of Claim
        The whole ledger.
    conclusions : mapping of str to mapping
        As from `read_conclusions`.
    folder : path-like, default=None
        Folder of the results, see `results_dir`.

    Returns
    -------
    html : str
        A list a paper; each conclusion leads to its cards on the page of the scorecard.
    """
    lists = []
    for paper, known in read_papers().items():
        own = [claim for claim in claims if claim.paper == paper]
        decisions = {claim.id: decide(claim, folder=folder) for claim in own}
        items = (
            f'<li><a href="{_SCORECARD}#conclusion-{paper}-{place}">{escape(text)}</a> '
            f"{_bar(group, decisions)}</li>"
            for place, (text, group) in enumerate(by_conclusion(own, conclusions[paper]).items())
        )
        lists.append(f"<p>{escape(known['title'])}</p><ul>{''.join(items)}</ul>")
    return f'<div class="conclusions">{"".join(lists)}</div>'


def _bar(claims, decisions):
    """How many of the papers' claims hold, and a bar with a piece of one length for each."""
    counts = Counter(decisions[claim.id].verdict for claim in claims if not claim.ours)
    whole = counts.total()
    if not whole:
        return ""
    known = [(word, counts[word]) for word in _MARKS if counts[word]]
    parts = "".join(
        f'<i data-verdict="{word}" style="width:{n / 3:.2f}rem"></i>' for word, n in known
    )
    texts = " ".join(f'<span title="{word}">{_MARKS[word]} {n}</span>' for word, n in known)
    answer = f"<b>{counts['reproduced']} of {whole} claims</b>"
    return f'{answer} <span class="bar"><span aria-hidden="true">{parts}</span>{texts}</span>'


def _card(claim, decision, figures, folder):
    paper = escape(read_papers().get(claim.paper, {}).get("title", claim.paper))
    verdict = decision.verdict
    parts = [
        f"<p>{escape(claim.why.get(verdict, ''))}</p>" * (verdict in claim.why),
        _axis(decision),
        f"<p><small>{_place(claim, paper, folder)}</small></p>",
        _evidence(decision, figures),
        f"<p><small>{_ways(claim)}</small></p>",
    ]
    return (
        f'<details class="claim" id="claim-{claim.id}" data-paper="{paper}" '
        f'data-verdict="{verdict}"><summary><b>{_MARKS[verdict]} {verdict}</b> '
        f"{escape(claim.statement)}{' <em>(ours)</em>' * claim.ours}</summary>"
        f"{''.join(parts)}</details>"
    )


def _place(claim, paper, folder):
    origin, part = describe_data(claim, folder=folder)
    data = {"none": ""}.get(origin, f"; {origin} data")
    return f"{paper}: {escape(claim.place)}{data}{f' ({escape(part)})' * bool(part)}."


def _axis(decision):
    """A line a row: its name, where intervals and printed sizes lie, and the numbers."""
    rows = {}
    for row in decision.rows:
        rows.setdefault(row.name, []).append(row)
    known = [
        end
        for row in decision.rows
        for end in (row.value, row.low, row.high, *row.inside, row.printed)
    ]
    known = [end for end in known if np.isfinite(end)]
    if not known:
        return ""
    low, high = min(known), max(known)
    room = 0.05 * (high - low) or 1.0

    def at(value):
        share = (np.clip(value, low - room, high + room) - low + room) / (high - low + 2 * room)
        return round(100 * share, 1)

    def band(kind, start, end):
        left, right = at(start), at(end)
        return f'<i class="{kind}" style="left:{left:g}%;width:{right - left:.4g}%"></i>'

    def mark(kind, place):
        return f'<i class="{kind}" style="left:{at(place):g}%"></i>'

    lines = []
    for name, own in rows.items():
        marks = band("inside", *own[0].inside)
        for row in own:
            marks += "" if np.isnan(row.low) else band("interval", row.low, row.high)
        for row in own:
            marks += "" if np.isnan(row.printed) else mark("printed", row.printed)
            marks += mark("ours", row.value)
        sign = _OUTCOMES[outcome_of_row([row.outcome for row in own])]
        lines.append(
            f"<span>{sign} {escape(name)}</span>"
            f'<span class="axis" aria-hidden="true">{marks}</span><span>{_numbers(own)}</span>'
        )
    return f'<div class="axes">{"".join(lines)}</div>'


def _numbers(rows):
    """The effect of a row with its interval, or the least and the greatest of several."""
    if len(rows) == 1:
        (row,) = rows
        return escape(f"{row.number} [{row.interval}]" if row.interval else row.number)
    ordered = sorted(rows, key=lambda row: row.value)
    return escape(" to ".join(dict.fromkeys([ordered[0].number, ordered[-1].number])))


def _evidence(decision, figures):
    """Test and evidence, and the figures of each method."""
    lines = [decision.effect if not decision.rows else "", decision.test, decision.evidence]
    said = ". ".join(escape(line) for line in lines if line)
    rows = "".join(f"<tr>{_cells(row)}</tr>" for row in figures.drop(columns="claim").to_numpy())
    head = _cells(["Method", "Paper", "Ours", "Spread"], 'th scope="col"')
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>" * bool(rows)
    return f"{f'<p><small>{said}.</small></p>' * bool(said)}{table}"


def _ways(claim):
    """Links to the table, the rule and the rows, and the command that computes them again."""
    ways = [f'<a href="{_SCORECARD}#rule-{claim.rule}">{words(claim.rule)}</a>{_limits(claim)}']
    table = claim.arguments.get("table", "")
    chapter = CHECKOUT / "notebooks" / f"{claim.chapter}.py"
    if chapter.exists():
        shown = table and f'"{table}"' in chapter.read_text(encoding="utf-8")
        anchor = f"#{table}" if shown else ""
        ways.insert(0, f'<a href="{claim.chapter}.html{anchor}">The table in its chapter</a>')
    if table:
        ways.append(f'<a href="results/{table}.csv" download>the rows</a>')
        ways.append(f"<code>make results ID={table} FRESH=1</code>")
    return " · ".join(ways)


def _cells(texts, tag="td"):
    return "".join(f"<{tag}>{escape(text)}</{tag.split()[0]}>" for text in texts)


def _limits(claim):
    """Thresholds of the rule, such as " (level 0.05)"."""
    numbers = {
        name: value
        for name, value in claim.arguments.items()
        if isinstance(value, Real) and not isinstance(value, bool)
    }
    texts = ", ".join(f"{words(name)} {value:g}" for name, value in numbers.items())
    return f" ({texts})" if texts else ""
