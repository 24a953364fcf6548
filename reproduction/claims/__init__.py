"""The papers' claims: the ledger, the rules that decide it, and how verdicts are shown.

`read_claims` reads the ledger, `scorecard` decides it, and `match_cells` sets every printed cell
beside ours.
"""

from reproduction.claims.cells import match_cells
from reproduction.claims.conclusions import conclusions_to_html, describe_cells, describe_verdicts
from reproduction.claims.ledger import PAPERS, Claim, decide, read_claims, scorecard
from reproduction.claims.pages import claims_to_html, figures_of_claims, rules_to_html
from reproduction.claims.rules import Decision

__all__ = [
    "PAPERS",
    "Claim",
    "Decision",
    "claims_to_html",
    "conclusions_to_html",
    "decide",
    "describe_cells",
    "describe_verdicts",
    "figures_of_claims",
    "match_cells",
    "read_claims",
    "rules_to_html",
    "scorecard",
]
