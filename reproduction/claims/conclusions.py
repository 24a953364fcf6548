"""What becomes of a paper's conclusions: sentences made of claims, verdicts and cells."""

from fnmatch import fnmatch
from html import escape

from reproduction.claims.cells import match_cells
from reproduction.claims.ledger import decide

__all__ = ["conclusions_to_html", "describe_cells", "describe_verdicts"]

_WORDS = {
    "reproduced": "Reproduced",
    "partly": "In part",
    "not reproduced": "Not reproduced",
    "not testable": "Not testable",
    "undecided": "Not re-run yet",
}


def describe_verdicts(verdicts):
    """How many claims hold, in a sentence.

    Parameters
    ----------
    verdicts : sequence of str
        A verdict a claim.

    Returns
    -------
    sentence : str

    Examples
    --------
    >>> describe_verdicts(["reproduced", "partly", "reproduced", "not testable"])
    'Of 3 decided claims 2 hold in all rows and 1 in some rows; 1 is open.'
    """
    verdicts = list(verdicts)
    counts = [verdicts.count(word) for word in list(_WORDS)[:3]]
    decided, n_open = sum(counts), len(verdicts) - sum(counts)
    if not decided:
        return f"Of {len(verdicts)} claims none is decided."
    parts = [
        f"{count} {where}"
        for count, where in zip(counts, ["in all rows", "in some rows", "in no row"], strict=True)
        if count
    ]
    verb = " holds " if parts[0].startswith("1 ") else " hold "
    found = " and ".join([", ".join(parts[:-1]), parts[-1]] if parts[1:] else parts)
    rest = f"; {n_open} {'is' if n_open == 1 else 'are'} open" if n_open else ""
    return f"Of {decided} decided claims {found.replace(' ', verb, 1)}{rest}."


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
    sentences = [f"<strong>{escape(text)}</strong>", describe_verdicts(verdicts)]
    for verdict, word in _WORDS.items():
        links = [
            f'<a href="#claim-{claim.id}">{escape(claim.statement.rstrip("."))}</a>'
            for claim, own in zip(claims, verdicts, strict=True)
            if own == verdict
        ]
        if links:
            sentences.append(f"<em>{word}:</em> {'; '.join(links)}.")
    tables = {claim.arguments.get("table") for claim in claims}
    sentences.append(describe_cells(cells[cells["results"].isin(tables)]))
    return f"<p>{' '.join(filter(None, sentences))}</p>"
