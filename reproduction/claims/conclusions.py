"""What becomes of a paper's conclusions: the claims behind each, and its cells."""

from fnmatch import fnmatch

import yaml

from reproduction.paths import CHECKOUT

__all__ = ["by_conclusion", "conclusion_of", "describe_cells", "read_conclusions"]


def describe_cells(cells):
    """How far printed figures and ours lie apart, in a sentence.

    Parameters
    ----------
    cells : DataFrame
        Cells as `match_cells` returns them.

    Returns
    -------
    sentence : str
        Empty where there is no cell.

    Examples
    --------
    >>> import pandas as pd
    >>> said = describe_cells(pd.DataFrame({"ratio": [0.4, 0.95, 1.05, 3.0]}))
    >>> said.split(";")[0]
    '2 of 4 printed numbers are within 10 % of ours, 2 within a factor of two'
    """
    if cells.empty:
        return ""
    ratio = cells["ratio"]
    near = int(((ratio - 1).abs() <= 0.1).sum())
    double = int(ratio.between(0.5, 2.0).sum())
    return (
        f"{near} of {len(ratio)} printed numbers are within 10 % of ours, {double} within a factor "
        f"of two; the median of ours / printed is {ratio.median():.2f}."
    )


def read_conclusions():
    """The papers' conclusions in ``book/conclusions.yml``, with the claims that bear on them.

    Returns
    -------
    conclusions : dict of str to dict of str to list of str
        By paper and conclusion, in our words, ids of claims or patterns of them, such as
        ``"ofer-08-*"``.
    """
    path = CHECKOUT / "book" / "conclusions.yml"
    with path.open(encoding="utf-8") as file:  # not its text: an error then names the file
        papers = yaml.safe_load(file)
    return {
        paper: {entry["conclusion"]: entry["claims"] for entry in entries}
        for paper, entries in papers.items()
    }


def by_conclusion(claims, conclusions):
    """Claims by the conclusion that names their id, or else the first with a pattern that fits.

    Claims that no pattern fits come last; a pattern that fits no claim is an error.
    """
    for pattern in (pattern for patterns in conclusions.values() for pattern in patterns):
        if not any(fnmatch(claim.id, pattern) for claim in claims):
            raise ValueError(f"conclusions must name ids of claims; got {pattern!r}.")
    groups = {text: [] for text in conclusions}
    for claim in claims:
        groups.setdefault(conclusion_of(claim, conclusions), []).append(claim)
    return groups


def conclusion_of(claim, conclusions):
    """The conclusion that names a claim's id, or else the first with a pattern that fits."""
    named = [text for text, own in conclusions.items() if claim.id in own]
    fitting = [text for text, own in conclusions.items() if any(fnmatch(claim.id, p) for p in own)]
    return [*named, *fitting, "Other claims."][0]
