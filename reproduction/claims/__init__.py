"""The papers' claims: the ledger, the rules that decide it, and how outcomes are shown.

`read_claims` reads the ledger, `scorecard` decides it, and `match_cells` sets every printed cell
beside ours.
"""

from reproduction.claims.cards import cards_to_html, claims_to_html, conclusions_to_html
from reproduction.claims.cells import count_once, match_cells, printed_means
from reproduction.claims.conclusions import describe_cells, read_conclusions
from reproduction.claims.decisions import DECIDERS, OUTCOMES, Decision, combine
from reproduction.claims.export import claims_as_json
from reproduction.claims.ledger import (
    Claim,
    by_statement,
    count_deciders,
    decide,
    read_claims,
    read_papers,
    scorecard,
)
from reproduction.claims.origins import KINDS, on_what
from reproduction.claims.pages import figures_of_claims, rules_to_html
from reproduction.claims.readings import effects_in_readings

__all__ = [
    "DECIDERS",
    "KINDS",
    "OUTCOMES",
    "Claim",
    "Decision",
    "by_statement",
    "cards_to_html",
    "claims_as_json",
    "claims_to_html",
    "combine",
    "conclusions_to_html",
    "count_deciders",
    "count_once",
    "decide",
    "describe_cells",
    "effects_in_readings",
    "figures_of_claims",
    "match_cells",
    "on_what",
    "printed_means",
    "read_claims",
    "read_conclusions",
    "read_papers",
    "rules_to_html",
    "scorecard",
]
