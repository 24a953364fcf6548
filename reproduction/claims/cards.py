"""Claims for a reader: a card each, with the axis on which the printed size and ours stand."""

from collections import Counter
from html import escape
from numbers import Real

import numpy as np
from docutils.nodes import make_id

from reproduction.claims.cells import count_once, match_cells
from reproduction.claims.conclusions import (
    by_conclusion,
    conclusion_of,
    describe_cells,
    read_conclusions,
)
from reproduction.claims.decisions import OUTCOMES, combine
from reproduction.claims.ledger import by_statement, decide, read_claims, read_papers, tables_of
from reproduction.claims.origins import KINDS
from reproduction.claims.pages import figures_of_claims, words
from reproduction.engine.catalogue import get_experiment
from reproduction.engine.progress import format_duration
from reproduction.engine.store import load
from reproduction.figures.names import method_name, setting_name
from reproduction.paths import CHECKOUT
from reproduction.statistics import steady

__all__ = ["cards_to_html", "claims_to_html", "conclusions_to_html"]

_SCORECARD = "91_scorecard.html"
# Where a companion paper's chapter lists its errata.
_ERRATA = {
    "10_1_sharma_mittal": "errata-of-the-paper",
    "11_1_fisher_kernel_learning": "errata-of-the-paper",
    "12_1_local_structured_predictors": "errata-of-the-paper",
    "12_2_sslsop_experiments": "errata-of-the-experiments",
}
# Told apart without colour, and by those who only skim.
_MARKS = dict(zip(OUTCOMES, "●◐◇◌○≠–", strict=True))


def cards_to_html(claims=None, conclusions=None):
    """Claims as cards that open, one at a time, which a script of the book lets readers filter.

    A card has the outcome, on what data, and the statement; where the paper's own numbers
    contradict it; the reason; the place and the paper's words; an axis a comparison with the
    printed size and our interval; and where the table, the rule, the rows and the errata are. What
    cards would repeat stands once on the page of the scorecard. The figures of each method are
    there where no chapter shows the table.

    Parameters
    ----------
    claims : sequence of Claim, default=None
        The claims; None means the whole ledger.
    conclusions : mapping of str to sequence of str, default=None
        By conclusion of their paper, in our words, the ids of its claims or patterns of them, such
        as ``"ofer-08-*"``: the cards then lie in their conclusions, which open too. Claims that
        test one statement stand together there, under its outcome.

    Returns
    -------
    html : str
        A ``div`` with a ``details`` for each claim, whose ``data-paper``, ``data-outcome`` and
        ``data-on`` the script filters by; without it all are there.

    Raises
    ------
    ValueError
        When a pattern fits no claim.
    """
    claims = read_claims() if claims is None else claims
    hidden = [claim for claim in claims if not _is_shown(claim)]
    figures = figures_of_claims(hidden)
    decisions = {claim.id: decide(claim) for claim in claims}
    cards = {
        claim.id: _card(claim, decisions[claim.id], figures[figures["claim"] == claim.id])
        for claim in claims
    }
    if conclusions is None:
        return f'<div class="claims">{"".join(cards.values())}</div>'
    cells = match_cells(tables_of(claims))
    cells = cells[~cells["is_time"]]
    parts = []
    for place, (text, group) in enumerate(by_conclusion(claims, conclusions).items()):
        tables = {claim.arguments.get("table") for claim in group}
        near = describe_cells(count_once(cells[cells["results"].isin(tables)]))
        id = f"conclusion-{group[0].paper}-{place}"
        parts.append(
            f'<details class="conclusion" id="{id}"><summary>{escape(text)} '
            f"{_bar(group, decisions)}</summary>{f'<p>{near}</p>' * bool(near)}"
            f"{_in_statements(group, cards, decisions)}</details>"
        )
    return f'<div class="claims">{"".join(parts)}</div>'


def claims_to_html(claims):
    """Claims of a chapter in their conclusions, a line each, which leads to its card.

    Parameters
    ----------
    claims : sequence of Claim
        The claims.

    Returns
    -------
    html : str
        A list of the conclusions. Under each stand its claims, by outcome: mark, outcome, data and
        statement. Tests of ours come last, since the paper does not claim what they say.
    """
    conclusions = read_conclusions()
    groups = {}
    for claim in claims:
        text = conclusion_of(claim, conclusions.get(claim.paper, {}))
        groups.setdefault((claim.paper, text), []).append(claim)
    lines = (
        f"<li>{escape(text)}<ul>{_lines_of_claims(group)}</ul></li>"
        for (_, text), group in groups.items()
    )
    return f'<ul class="claims">{"".join(lines)}</ul>'


def _lines_of_claims(claims):
    lines = []
    for claim in sorted(claims, key=lambda one: (one.ours, OUTCOMES.index(decide(one).outcome))):
        outcome, on = decide(claim).outcome, decide(claim).on.kind
        ours = "Our test: " * claim.ours
        data = f" on {on}" * bool(on)
        lines.append(
            f'<li>{ours}<a class="claim" id="claim-{claim.id}" data-outcome="{outcome}" '
            f'data-on="{on or "nothing"}" href="{_SCORECARD}#claim-{claim.id}">'
            f"{_MARKS[outcome]} {outcome}</a>{data}: {escape(claim.statement)}</li>"
        )
    return "".join(lines)


def conclusions_to_html(claims, conclusions):
    """The conclusions of all papers, each with what became of its claims.

    Parameters
    ----------
    claims : sequence of Claim
        The whole ledger.
    conclusions : mapping of str to mapping
        As from `read_conclusions`.

    Returns
    -------
    html : str
        A list a paper; each conclusion leads to its cards on the page of the scorecard.
    """
    lists = []
    for paper, known in read_papers().items():
        claims_of_paper = [claim for claim in claims if claim.paper == paper]
        decisions = {claim.id: decide(claim) for claim in claims_of_paper}
        items = (
            f'<li><a href="{_SCORECARD}#conclusion-{paper}-{place}">{escape(text)}</a> '
            f"{_bar(group, decisions)}</li>"
            for place, (text, group) in enumerate(
                by_conclusion(claims_of_paper, conclusions[paper]).items()
            )
        )
        lists.append(f"<p>{escape(known['title'])}</p><ul>{''.join(items)}</ul>")
    return f'<div class="conclusions">{"".join(lists)}</div>'


def _in_statements(claims, cards, decisions):
    """The cards of a conclusion; under one head those that test the same statement."""
    groups = {name: own for (_, name), own in by_statement(claims).items() if len(own) > 1}
    parts = []
    for claim in claims:
        group = [] if claim.ours else groups.get(claim.statement_of, [])
        if not group:
            parts.append(cards[claim.id])
        elif claim is group[0]:
            outcome = combine(decisions[one.id].outcome for one in group)
            parts.append(
                f'<div class="statement"><p>{_MARKS[outcome]} {outcome}: one statement, tested by '
                f"{len(group)} claims</p>{''.join(cards[one.id] for one in group)}</div>"
            )
    return "".join(parts)


def _bar(claims, decisions):
    """How many of the paper's statements hold, on what data, and a bar with a piece for each."""
    groups = by_statement(claims).values()
    counts = Counter(combine(decisions[claim.id].outcome for claim in own) for own in groups)
    if not (whole := counts.total()):
        return ""
    known = [(word, counts[word]) for word in _MARKS if counts[word]]
    parts = "".join(
        f'<i data-outcome="{word}" style="width:{n / 3:.2f}rem"></i>' for word, n in known
    )
    texts = " ".join(f'<span title="{word}">{_MARKS[word]} {n}</span>' for word, n in known)
    kinds = {decisions[claim.id].on.kind for claim in claims if not claim.ours}
    where = "; ".join(kind for kind in KINDS.values() if kind in kinds)
    hold = "statement holds" if whole == 1 else "statements hold"
    answer = f"<b>{counts['holds']} of {whole} {hold}</b>{f', on {where}' * bool(where)}"
    return f'{answer} <span class="bar"><span aria-hidden="true">{parts}</span>{texts}</span>'


def _card(claim, decision, figures):
    paper = escape(read_papers().get(claim.paper, {}).get("title", claim.paper))
    outcome, on = decision.outcome, decision.on
    shown = method_name if _has_two_forms(claim) else str
    parts = [
        f"<p><b>{decision.printed}</b></p>" * bool(decision.printed),
        f"<p>{escape(claim.why.get(outcome, ''))}</p>" * (outcome in claim.why),
        f"<p><small>{_place(claim, decision)}</small></p>",
        _axes(decision, shown, claim.rule),
        _readings(decision),
        _table(figures, shown),
        f"<p><small>{_evidence(decision, shown)}{_ways(claim)}</small></p>",
    ]
    return (
        f'<details class="claim" name="claim" id="claim-{claim.id}" data-paper="{paper}" '
        f'data-outcome="{outcome}" data-on="{on.kind or "nothing"}">'
        f"<summary><b>{_MARKS[outcome]} {outcome}</b>{_summary(claim, on.kind)}</summary>"
        f"{''.join(parts)}</details>"
    )


def _has_two_forms(claim):
    """Whether the claim's table has a method in the paper's form and in ours."""
    table = claim.arguments.get("table")
    return table is not None and any("as printed" in one for one in get_experiment(table).methods)


def _summary(claim, on):
    """On what data the outcome is, and the statement."""
    where = f" on {on}" * bool(on)
    return f"{escape(where)}: {escape(claim.statement)}{' <em>(a test of ours)</em>' * claim.ours}"


def _place(claim, decision):
    """Where the paper says it, its own words, and which data decide if they are not its own.

    Words that only copy a printed table are left out where the lines have its numbers.
    """
    words, detail = claim.words.rstrip("."), decision.on.detail
    copied = words.startswith("Table")
    if copied and any(row.printed_number for row in decision.rows):
        words = ""
    elif words and not copied:
        words = f"“{words}”"
    return (
        f"{escape(claim.place)}{f': {escape(words)}' * bool(words)}."
        f"{f' Data: {escape(detail)}.' * bool(detail)}"
    )


def _axes(decision, shown, rule):
    """A line a comparison: its name, where interval and printed size lie, and the numbers.

    Where there are several rivals, the lines of each stand together under its name. Where no row
    says anything of the paper, all rows of a rival share a line.
    """
    if decision.axis is None:
        return ""
    rivals = {}
    for row in decision.rows:
        rivals.setdefault(row.rival, []).append(row)
    lines = []
    for rival, rows in rivals.items():
        beside = f"{'' if rule == 'spread' else 'against '}{shown(rival)}"
        if decision.outcome == "not comparable" and len(rows) > 1:
            own = ", ".join(shown(setting_name(row.name)) for row in rows)
            number = _ends(rows, "value", "number")
            known = [row for row in rows if row.printed_number]
            number += f" ◇ {_ends(known, 'printed', 'printed_number')}" if known else ""
            label = beside if len(rivals) > 1 else own
            lines.append(_line(decision.outcome, label, rows, decision.axis, number))
            continue
        if len(rivals) > 1:
            lines.append(f'<span class="rival">{escape(beside)}</span>')
        for row in rows:
            number = f"{row.number} [{row.interval}]" if row.interval else row.number
            number += f" ◇ {row.printed_number}" * bool(row.printed_number)
            name = shown(setting_name(row.name))
            lines.append(_line(row.outcome, name, [row], decision.axis, number))
    return f'<div class="axes">{"".join(lines)}{_scale(decision.axis)}</div>'


def _readings(decision):
    """A line a reading, sorted by its middle effect: the choices, every row on one axis, and what
    follows. Readings that all give one outcome share a line.
    """
    known = [one for one in decision.readings if one.decision.axis is not None]
    if not known:
        return ""
    low = min((one.decision.axis for one in known), key=lambda axis: axis.low)
    high = max((one.decision.axis for one in known), key=lambda axis: axis.high)
    axis = low._replace(high=high.high, texts=(low.texts[0], high.texts[1], low.texts[2]))
    middle = {one.name: np.median([row.value for row in one.decision.rows]) for one in known}
    lines = []
    places = dict(zip(middle, steady([*middle.values()]), strict=True))
    found = {
        reading.name: (reading.decision.outcome, reading.decision.rows)
        for reading in sorted(known, key=lambda reading: places[reading.name])
    }
    outcomes = {outcome for outcome, _ in found.values()}
    if len(outcomes) == 1:
        whole = [row for _, rows in found.values() for row in rows]
        found = {f"in all {len(known)} readings": (outcomes.pop(), whole)}
    for name, (outcome, own) in found.items():
        rows = [row._replace(printed=np.nan) for row in own]
        lines.append(_line(outcome, name, rows, axis, _ends(own, "value", "number")))
    names = " and ".join(decision.readings[1].choice)
    return (
        f"<p>The paper leaves open: {escape(names)}.</p>"
        f'<div class="axes">{"".join(lines)}{_scale(axis)}</div>'
    )


def _ends(rows, value, text):
    """The texts of the least and of the greatest of some rows' values."""
    ends = (f(rows, key=lambda row: getattr(row, value)) for f in (min, max))
    return " to ".join(dict.fromkeys(getattr(row, text) for row in ends))


def _line(outcome, name, rows, axis, number):
    """A name, some rows on an axis, and their numbers."""
    marks = _band(axis, "inside", *rows[0].inside) + _mark(axis, "neutral", axis.neutral)
    for row in rows:
        marks += "" if np.isnan(row.low) else _band(axis, "interval", row.low, row.high)
        marks += _mark(axis, "printed", row.printed) + _mark(axis, "ours", row.value)
    return (
        f'<span title="{outcome}">{_MARKS[outcome]} {escape(name)}</span>'
        f'<span class="axis" aria-hidden="true">{marks}</span><span>{escape(number)}</span>'
    )


def _scale(axis):
    """The numbers of an axis: its ends, and where there is no effect."""
    low, high, neutral = axis.texts
    middle = ""
    if neutral:
        place = _at(axis, axis.neutral)  # its number takes the place of that of an end that is near
        low, high = (low if place > 38 else ""), (high if place < 62 else "")
        middle = f'<span style="left:{place:g}%">{neutral}</span>'
    scale = f"<span>{low}</span>{middle}<span>{high}</span>"
    return f'<span></span><span class="scale" aria-hidden="true">{scale}</span><span></span>'


def _at(axis, value):
    """Where a value stands on an axis, in percent."""
    share = (np.clip(value, axis.low, axis.high) - axis.low) / (axis.high - axis.low)
    return round(100 * share, 1)


def _band(axis, kind, start, end):
    left, right = _at(axis, start), _at(axis, end)
    return f'<i class="{kind}" style="left:{left:g}%;width:{right - left:.4g}%"></i>'


def _mark(axis, kind, place):
    return "" if np.isnan(place) else f'<i class="{kind}" style="left:{_at(axis, place):g}%"></i>'


def _table(figures, shown):
    """The figures of each method."""
    if figures.empty:
        return ""
    figures = figures.assign(method=figures["method"].map(shown)).drop(columns="claim")
    rows = "".join(f"<tr>{_cells(row)}</tr>" for row in figures.to_numpy())
    head = _cells(["Method", "Printed", "Computed here", "Spread"], 'th scope="col"')
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _evidence(decision, shown):
    """What lines do not show, as a sentence."""
    said = shown(setting_name(decision.evidence))
    return f"{escape(said[0].upper() + said[1:])}. " if said else ""


def _chapter(claim):
    """The source of the claim's chapter; empty where there is none."""
    path = CHECKOUT / "notebooks" / f"{claim.chapter}.py"
    return path.read_text(encoding="utf-8") if path.exists() else ""


def _is_shown(claim):
    """Whether the claim's chapter shows its table."""
    table = claim.arguments.get("table")
    return table is not None and f'"{table}"' in _chapter(claim)


def _ways(claim):
    """Links to the table, the rule, the errata, the rows with what they cost, and to the card."""
    ways = [f'<a href="{_SCORECARD}#rule-{claim.rule}">{words(claim.rule)}</a>{_limits(claim)}']
    table = claim.arguments.get("table", "")
    if _chapter(claim):
        anchor, text = (f"#{table}", "table") if _is_shown(claim) else ("", "chapter")
        ways.insert(0, f'<a href="{claim.chapter}.html{anchor}">{text}</a>')
    for entry in claim.errata:
        chapter, _, number = entry.rpartition(": ")
        goal = (
            f"{chapter}.html#{_ERRATA[chapter]}" if chapter else f"90_errata.html#{make_id(entry)}"
        )
        ways.append(f'<a href="{goal}" title="{escape(number)}">erratum</a>')
    if table:
        cost = format_duration(load(table)[1]["duration_s"])
        ways.append(f'<a href="results/{table}.csv" download>{table}.csv</a> ({cost})')
    ways.append(f'<a href="{_SCORECARD}#claim-{claim.id}" title="link to this card">#</a>')
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
