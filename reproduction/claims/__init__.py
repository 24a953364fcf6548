"""The papers' claims: the ledger, the rules that decide it, and how verdicts are shown.

`read_claims` reads the ledger, `scorecard` decides it, and `match_cells` sets every printed cell
beside ours.
"""

from reproduction.claims.cells import count_once, match_cells, printed_means
from reproduction.claims.conclusions import (
    conclusions_to_html,
    count_by_conclusion,
    describe_cells,
    describe_verdicts,
    read_conclusions,
)
from reproduction.claims.decisions import Decision
from reproduction.claims.ledger import (
    Claim,
    decide,
    describe_data,
    read_claims,
    read_papers,
    scorecard,
)
from reproduction.claims.origins import ORIGINS
from reproduction.claims.pages import (
    claims_to_html,
    figures_of_claims,
    front_page_to_html,
    rules_to_html,
)

__all__ = [
    "ORIGINS",
    "Claim",
    "Decision",
    "claims_to_html",
    "conclusions_to_html",
    "count_by_conclusion",
    "count_once",
    "decide",
    "describe_cells",
    "describe_data",
    "describe_verdicts",
    "figures_of_claims",
    "front_page_to_html",
    "match_cells",
    "printed_means",
    "read_claims",
    "read_conclusions",
    "read_papers",
    "rules_to_html",
    "scorecard",
]
