"""What becomes of a paper's conclusions: sentences made of claims, verdicts and cells."""

from collections import Counter
from fnmatch import fnmatch
from html import escape
from pathlib import Path

import pandas as pd
import yaml

from reproduction import paths
from reproduction.claims.cells import count_once, match_cells
from reproduction.claims.ledger import decide
from reproduction.claims.origins import ORIGINS

__all__ = [
    "conclusions_to_html",
    "count_by_conclusion",
    "describe_cells",
    "describe_verdicts",
    "read_conclusions",
]

_WORDS = {
    "reproduced": "Reproduced",
    "in part": "In part",
    "inconclusive": "Inconclusive",
    "not reproduced": "Not reproduced",
    "not testable": "Not testable",
    "undecided": "Not re-run yet",
}
_DECIDED = ("reproduced", "in part", "not reproduced")


def describe_verdicts(verdicts):
    """How many claims have which verdict, in a sentence.

    Parameters
    ----------
    verdicts : sequence of str
        A verdict a claim.

    Returns
    -------
    sentence : str

    Examples
    --------
    >>> describe_verdicts(["reproduced", "in part", "reproduced", "inconclusive"])
    'Of 4 claims 2 are reproduced, 1 in part; 1 is inconclusive.'
    """
    counts = Counter(verdicts)
    total = counts.total()
    own = [(word, counts[word]) for word in _WORDS if counts[word]]
    decided = [_count(*pair) for pair in own if pair[0] in _DECIDED]
    left = [_count(*pair) for pair in own if pair[0] not in _DECIDED]
    parts = [", ".join(decided), ", ".join(left)]
    return f"Of {total} claim{'s' * (total != 1)} {'; '.join(filter(None, parts))}."


def _count(word, count):
    verb = "" if word == "in part" else "is " if count == 1 else "are "
    return f"{count} {verb}{word}"


def describe_cells(cells, *, tolerance=0.1):
    """How far printed figures and ours lie apart, in a sentence.

    Parameters
    ----------
    cells : DataFrame
        Cells as `match_cells` returns them.
    tolerance : float, default=0.1
        Relative difference up to which a cell counts as equal.

    Returns
    -------
    sentence : str
        Empty where there is no cell.

    Examples
    --------
    >>> import pandas as pd
    >>> said = describe_cells(pd.DataFrame({"ratio": [0.4, 0.95, 1.05, 3.0]}))
    >>> said.split(";")[0]
    'Of 4 cells 2 lie within 10 % of the printed figure, 2 within a factor of two'
    """
    if cells.empty:
        return ""
    ratio = cells["ratio"]
    near = int(((ratio - 1).abs() <= tolerance).sum())
    double = int(ratio.between(0.5, 2.0).sum())
    return (
        f"Of {len(ratio)} cells {near} lie within {tolerance:.0%}".replace("%", " %")
        + f" of the printed figure, {double} within a factor of two; "
        + f"the median of ours / printed is {ratio.median():.2f}."
    )


def read_conclusions(path=None):
    """The papers' conclusions, with the claims that bear on them.

    Parameters
    ----------
    path : path-like, default=None
        The file; None means ``book/conclusions.yml`` of the checkout.

    Returns
    -------
    conclusions : dict of str to dict of str to list of str
        By paper and conclusion, in our words, ids of claims or patterns of them, such as
        ``"ofer-08-*"``.
    """
    path = paths.CHECKOUT / "book" / "conclusions.yml" if path is None else Path(path)
    with path.open(encoding="utf-8") as file:  # not its text: an error then names the file
        papers = yaml.safe_load(file)
    return {
        paper: {entry["conclusion"]: entry["claims"] for entry in entries}
        for paper, entries in papers.items()
    }


def count_by_conclusion(claims, card, conclusions):
    """Verdicts of each conclusion of a paper, and the data that they rest on.

    Parameters
    ----------
    claims : sequence of Claim
        The claims of the paper; those of ours are left out.
    card : DataFrame
        As from `scorecard`.
    conclusions : mapping of str to sequence of str
        As from `read_conclusions`, of the paper.

    Returns
    -------
    counts : DataFrame of int
        A row for each conclusion and origin of data, a column for each verdict.
    """
    rows = [
        (text, card.loc[claim.id, "data"], card.loc[claim.id, "verdict"])
        for text, own in _group(claims, conclusions).items()
        for claim in own
        if not claim.ours
    ]
    frame = pd.DataFrame(rows, columns=["conclusion", "data", "verdict"])
    orders = {"conclusion": [*conclusions], "data": [*ORIGINS, "none"], "verdict": [*_WORDS]}
    for name, order in orders.items():
        frame[name] = pd.Categorical(frame[name], order)
    counts = pd.crosstab([frame["conclusion"], frame["data"]], frame["verdict"], dropna=False)
    return counts.loc[counts.sum(axis=1) > 0]


def _group(claims, conclusions):
    """Claims by the conclusion that names their id, or else the first with a pattern that fits."""
    conclusions = conclusions or {}
    for pattern in (pattern for patterns in conclusions.values() for pattern in patterns):
        if not any(fnmatch(claim.id, pattern) for claim in claims):
            raise ValueError(f"conclusions must name ids of claims; got {pattern!r}.")
    groups = {text: [] for text in conclusions}
    other = "Other claims." if conclusions else "All claims."
    for claim in claims:
        named = [text for text, own in conclusions.items() if claim.id in own]
        fitting = [
            text for text, own in conclusions.items() if any(fnmatch(claim.id, p) for p in own)
        ]
        groups.setdefault([*named, *fitting, other][0], []).append(claim)
    return groups


def conclusions_to_html(claims, conclusions=None, *, folder=None, paper_folder=None):
    """The conclusions of a paper, each with what became of the claims that bear on it.

    Parameters
    ----------
    claims : sequence of Claim
        The claims of the paper.
    conclusions : mapping of str to sequence of str, default=None
        By conclusion, in our words, the ids of its claims or patterns of them, such as
        ``"ofer-08-*"``. Claims that no pattern fits come last.
    folder, paper_folder : path-like, default=None
        Folders of the results and of the printed tables, see `match_cells`.

    Returns
    -------
    html : str
        A paragraph a conclusion, whose claims are links into the table of `claims_to_html`.

    Raises
    ------
    ValueError
        When a pattern fits no claim.
    """
    cells = match_cells(folder=folder, paper_folder=paper_folder)
    cells = cells[~cells["is_time"]]
    if not claims:
        return "<p>No claim of this paper stands in the ledger.</p>"
    groups = _group(claims, conclusions)
    return "\n".join(_paragraph(*group, cells, folder) for group in groups.items())


def _paragraph(text, claims, cells, folder):
    verdicts = [decide(claim, folder=folder).verdict for claim in claims]
    theirs = [word for word, claim in zip(verdicts, claims, strict=True) if not claim.ours]
    sentences = [f"<strong>{escape(text)}</strong>", theirs and describe_verdicts(theirs)]
    for verdict, word in _WORDS.items():
        links = [
            f'<a href="#claim-{claim.id}">{escape(claim.statement.rstrip("."))}</a>'
            f"{' (ours)' * claim.ours}"
            for claim, own in zip(claims, verdicts, strict=True)
            if own == verdict
        ]
        if links:
            sentences.append(f"<em>{word}:</em> {'; '.join(links)}.")
    tables = {claim.arguments.get("table") for claim in claims}
    sentences.append(describe_cells(count_once(cells[cells["results"].isin(tables)])))
    return f"<p>{' '.join(filter(None, sentences))}</p>"
