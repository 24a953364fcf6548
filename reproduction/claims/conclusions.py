"""What becomes of a paper's conclusions: sentences made of claims, verdicts and cells."""

from collections import Counter
from fnmatch import fnmatch
from html import escape

from reproduction.claims.cells import match_cells
from reproduction.claims.ledger import decide

__all__ = ["conclusions_to_html", "describe_cells", "describe_verdicts"]

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
    >>> describe_cells(pd.DataFrame({"ratio": [0.4, 0.95, 1.05, 3.0]}))
    'Of 4 cells 2 lie within 10 % of the printed figure, 2 within a factor of two; the median of \
ours / printed is 1.00.'
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
    left = list(claims)
    if not left:
        return "<p>No claim of this paper stands in the ledger.</p>"
    groups = {}
    for text, patterns in (conclusions or {}).items():
        for pattern in patterns:
            if not any(fnmatch(claim.id, pattern) for claim in claims):
                raise ValueError(f"conclusions must name ids of claims; got {pattern!r}.")
        groups[text] = [c for c in left if any(fnmatch(c.id, pattern) for pattern in patterns)]
        left = [claim for claim in left if claim not in groups[text]]
    if left:
        groups["Other claims." if groups else "All claims."] = left
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
    sentences.append(describe_cells(cells[cells["results"].isin(tables)]))
    return f"<p>{' '.join(filter(None, sentences))}</p>"
