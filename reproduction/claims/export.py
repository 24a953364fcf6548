"""The ledger of claims for machines: schema.org's ClaimReview, CiTO's words for citations, and the
fields of FORRT's forms for replications.
"""

import numpy as np

from reproduction.claims.decisions import OUTCOMES
from reproduction.claims.ledger import decide, read_claims, read_papers
from reproduction.claims.origins import KINDS
from reproduction.engine.store import read_sidecar

__all__ = ["claims_as_json"]

_CONTEXT = ["https://schema.org", {"cito": "http://purl.org/spar/cito/"}]
_CITES = dict.fromkeys(OUTCOMES, "discusses") | {
    "holds": "confirms",
    "holds in part": "qualifies",
    "depends on the reading": "qualifies",
    "does not hold": "disputes",
}
# FORRT's words for outcomes.
_STATUS = {
    "holds": "Validated",
    "holds in part": "PartiallySupported",
    "depends on the reading": "PartiallySupported",
    "undecided": "Inconclusive",
    "does not hold": "Contradicted",
    "not comparable": "NotTested",
    "not testable": "NotTested",
}
_CONFIDENCE = ("VeryLowConfidence", "LowConfidence", "Moderate", "HighConfidence")


def claims_as_json(claims=None):
    """Every claim with its outcome, on what data, and the rows behind it.

    Parameters
    ----------
    claims : sequence of Claim, default=None
        The claims; None means the whole ledger.

    Returns
    -------
    document : dict
        A JSON-LD document; its ``@graph`` has one ClaimReview a claim.
        ``book/_static/claims/claims.schema.json`` is its schema.
    """
    claims = read_claims() if claims is None else claims
    return {"@context": _CONTEXT, "@graph": [_review(claim) for claim in claims]}


def _review(claim):
    decision = decide(claim)
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
        "forrt": _forrt(claim, decision),
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


def _forrt(claim, decision):
    """The fields of FORRT's forms for a study and its outcome, all but addresses."""
    table = claim.arguments.get("table")
    the_papers = decision.on.kind in (KINDS["faithful"], KINDS["generated"])
    return {
        "studyType": "Reproduction Study" if the_papers else "Replication Study",
        "validationStatus": _STATUS[decision.outcome],
        "confidenceLevel": _confidence(decision),
        "scope": claim.statement,
        "method": f"make results ID={table}" if table else f"make chapter NAME={claim.chapter}",
        "deviations": str(decision.on),
        "conclusion": claim.why.get(decision.outcome, ""),
        "evidence": decision.in_words(),
        "completed": read_sidecar(table)["date"] if table else "",
    }


def _confidence(decision):
    """How strong the evidence is, whatever it says.

    It is high on the paper's data or those of its recipe, moderate on a part of them and low on
    others, and a level lower where another rule of decision or another reading disagrees.
    """
    if decision.outcome in ("not comparable", "not testable"):
        return _CONFIDENCE[0]
    level = {KINDS["thinned"]: 2, KINDS["substitute"]: 1}.get(decision.on.kind, 3)
    others = [*(decision.by_decider or {}).values()]
    others += [reading.decision.outcome for reading in decision.readings]
    return _CONFIDENCE[level - (len({decision.outcome, *others}) > 1)]
