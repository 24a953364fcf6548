"""The ledger of claims: what a paper says, where, and the rule that decides it."""

import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd
import yaml

from reproduction.claims.rules import RULES, Decision
from reproduction.engine.store import load
from reproduction.paths import claims_file

__all__ = ["PAPERS", "Claim", "decide", "read_claims", "scorecard"]

PAPERS = {
    "djerrab2018": "OFER, journal",
    "djerrab2018esann": "OFER, short version",
    "elhoseiny2015": "Sharma-Mittal twin GPs",
    "vandermaaten2011": "Fisher kernel learning",
    "du2016": "Local structured predictors",
}
"""Short titles of the papers, by their keys in the bibliography."""


@dataclass(frozen=True, kw_only=True)
class Claim:
    """A claim of a paper.

    Parameters
    ----------
    id : str
        Name, such as ``"ofer-09-small-data"``.
    paper : str
        Key of the paper in the bibliography.
    place : str
        Where the paper says it.
    statement : str
        What it says, in our words.
    rule : str
        Name of the rule that decides it, a function of `reproduction.claims.rules`.
    chapter : str
        The chapter that shows the table.
    arguments : mapping
        Keyword arguments of the rule; ``table`` is the id of a table of results.

    Raises
    ------
    ValueError
        If there is no such rule, or the arguments are not its own.
    """

    id: str
    paper: str
    place: str
    statement: str
    rule: str
    chapter: str
    arguments: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self):
        if self.rule not in RULES:
            raise ValueError(f"rule of {self.id} must be one of {list(RULES)}; got {self.rule!r}.")
        try:
            inspect.signature(RULES[self.rule]).bind(None, **self.arguments)
        except TypeError as error:
            raise ValueError(f"arguments of {self.id} must suit {self.rule}: {error}.") from error


def read_claims(path=None, *, paper=None, table=None):
    """Read the ledger.

    Parameters
    ----------
    path : path-like, default=None
        The file; None means ``book/claims.yml`` of the checkout.
    paper : str, default=None
        Only the claims of this paper.
    table : str or sequence of str, default=None
        Only the claims that these tables decide.

    Returns
    -------
    claims : list of Claim
        In the order of the file.

    Raises
    ------
    ValueError
        When an entry has a wrong or missing field, or an id stands twice. A verdict is no field:
        verdicts are computed.
    """
    tables = [table] if isinstance(table, str) else table
    claims = []
    for entry in yaml.safe_load(claims_file(path).read_text(encoding="utf-8")):
        try:
            claim = Claim(**entry)
        except TypeError as error:
            raise ValueError(f"claim {entry.get('id')!r} has wrong fields: {error}.") from error
        if any(claim.id == other.id for other in claims):
            raise ValueError(f"claim ids must differ; got {claim.id!r} twice.")
        claims.append(claim)
    return [
        claim
        for claim in claims
        if (paper is None or claim.paper == paper)
        and (tables is None or claim.arguments.get("table") in tables)
    ]


def decide(claim, *, folder=None):
    """Decide a claim by the stored results.

    Parameters
    ----------
    claim : Claim
        The claim.
    folder : path-like, default=None
        Folder of the results, see `results_dir`.

    Returns
    -------
    Decision
        Verdict and evidence; "undecided" while the table is not stored.
    """
    table = claim.arguments.get("table")
    tables = {}
    if table is not None:
        try:
            tables[table] = load(table, folder=folder)[0]
        except FileNotFoundError:
            return Decision("undecided", f"{table} has not been re-run yet")
    return RULES[claim.rule](tables, **claim.arguments)


def scorecard(claims=None, *, folder=None):
    """Claims with their verdicts.

    Parameters
    ----------
    claims : sequence of Claim, default=None
        The claims; None means the whole ledger.
    folder : path-like, default=None
        Folder of the results, see `results_dir`.

    Returns
    -------
    card : DataFrame
        Indexed by claim id: ``place``, ``statement``, ``verdict``, ``evidence``, ``chapter``.
    """
    rows = []
    for claim in read_claims() if claims is None else claims:
        verdict, evidence = decide(claim, folder=folder)
        rows.append((claim.id, claim.place, claim.statement, verdict, evidence, claim.chapter))
    columns = ["claim", "place", "statement", "verdict", "evidence", "chapter"]
    return pd.DataFrame(rows, columns=columns).set_index("claim")
