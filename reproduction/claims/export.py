"""The ledger of claims for machines: schema.org's ClaimReview, with CiTO's words for citations."""

import numpy as np

from reproduction.claims.decisions import OUTCOMES
from reproduction.claims.ledger import decide, read_claims, read_papers

__all__ = ["claims_as_json"]

_CONTEXT = ["https://schema.org", {"cito": "http://purl.org/spar/cito/"}]
_CITES = dict.fromkeys(OUTCOMES, "discusses") | {
    "holds": "confirms",
    "holds in part": "qualifies",
    "depends on the reading": "qualifies",
    "does not hold": "disputes",
}


def claims_as_json(claims=None, *, folder=None):
    """Every claim with its outcome, on what data, and the rows behind it.

    Parameters
    ----------
    claims : sequence of Claim, default=None
        The claims; None means the whole ledger.
    folder : path-like, default=None
        Folder of the results, see `results_dir`.

    Returns
    -------
    document : dict
        A JSON-LD document; its ``@graph`` has one ClaimReview a claim.
        ``book/_static/claims/claims.schema.json`` is its schema.
    """
    claims = read_claims() if claims is None else claims
    return {"@context": _CONTEXT, "@graph": [_review(claim, folder) for claim in claims]}


def _review(claim, folder):
    decision = decide(claim, folder=folder)
    paper = read_papers()[claim.paper]
    title = paper.get("whole title", paper["title"])
    article = {"@type": "ScholarlyArticle", "name": title}
    if doi := paper.get("doi"):
        article["@id"] = f"https://doi.org/{doi}"
    return {
        "@type": "ClaimReview",
        "@id": f"91_scorecard.html#claim-{claim.id}",
        "identifier": claim.id,
        "claimReviewed": claim.statement,
        "itemReviewed": {
            "@type": "Claim",
            "text": claim.words,
            "appearance": article,
            "position": claim.place,
        },
        "reviewRating": {
            "@type": "Rating",
            "alternateName": decision.outcome,
            "ratingExplanation": claim.why.get(decision.outcome, ""),
        },
        f"cito:{_CITES[decision.outcome]}": article.get("@id", title),
        "statement": claim.statement_of or claim.id,
        "ours": claim.ours,
        "on": {"kind": decision.on.kind, "detail": decision.on.detail},
        "contradictedInPrint": decision.printed,
        "rule": {"name": claim.rule, "test": decision.test, "arguments": dict(claim.arguments)},
        "outcomeByRuleOfDecision": decision.by_decider or {},
        "readings": [
            {"choice": one.choice, "outcome": one.decision.outcome, "effect": one.decision.effect}
            for one in decision.readings
        ],
        "rows": [
            {
                "row": row.name,
                "rival": row.rival,
                "outcome": row.outcome,
                "effect": row.number,
                "interval": row.interval,
                "printed": row.printed_number,
                "degenerate": bool(np.isnan(row.low)),
            }
            for row in decision.rows
        ],
    }
