"""How many claims hold, on what, and by which rule of decision."""

from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd

from reproduction.claims import (
    DECIDERS,
    KINDS,
    OUTCOMES,
    by_statement,
    combine,
    decide,
    on_what,
    read_claims,
    read_papers,
)
from reproduction.engine import get_experiment, list_experiments, load
from reproduction.report.stored import USUAL, percent, table_row, told


@cache
def _ledger():
    return read_claims()


@cache
def _decisions():
    return {claim.id: decide(claim) for claim in _ledger()}


def outcome_of(id):
    """Outcome of a claim."""
    return _decisions()[id].outcome


def _theirs():
    """Decisions about the claims of the papers, without our own."""
    return {claim.id: _decisions()[claim.id] for claim in _ledger() if not claim.ours}


def _statements():
    """Outcome of each statement, by paper and name."""
    return {
        key: combine(_decisions()[claim.id].outcome for claim in own)
        for key, own in by_statement(_ledger()).items()
    }


def _papers():
    """Papers of which statements are tested, rather than claims of ours alone."""
    tested = {paper for paper, _ in _statements()}
    return {key: paper for key, paper in read_papers().items() if key in tested}


def _by_rule():
    """Outcome of each claim (rows) by each rule of decision (columns)."""
    return pd.DataFrame(
        {
            id: one.by_decider or dict.fromkeys(DECIDERS, one.outcome)
            for id, one in _theirs().items()
        }
    ).T


def _numbers_of_claims():
    theirs, rules, statements = _theirs(), _by_rule(), _statements()
    kinds = pd.Series([one.on.kind for one in theirs.values()])
    outcomes = pd.Series([one.outcome for one in theirs.values()])
    main = pd.Series([word for (paper, _), word in statements.items() if paper == "djerrab2018"])
    numbers = {
        "claims": len(theirs),
        "papers": len(_papers()),
        "companions": len(_papers()) - 2,  # the paper itself, and its short version
        "statements-main": len(main),
        "claims-holds": int((outcomes == "holds").sum()),
        "testable": int((outcomes != "not testable").sum()),
        "hold-by-all": int((rules == "holds").all(axis=1).sum()),
        "sound-changed": int((rules["sound test"] != rules["this book"]).sum()),
    }
    tested = rules.loc[[id for id, one in theirs.items() if one.by_decider]]
    fails = tested[tested["this book"].isin(["undecided", "does not hold"])]
    numbers["none-passes"] = len(fails)
    numbers["none-passes-by-mean"] = int((fails["means alone"] == "does not hold").sum())
    for word in OUTCOMES:
        numbers[f"main-{word.replace(' ', '-')}"] = int((main == word).sum())
    for rule in DECIDERS:
        numbers[f"holds-by-{rule.replace(' ', '-')}"] = int((rules[rule] == "holds").sum())
    for name, kind in (KINDS | {"none": ""}).items():
        group = outcomes[kinds == kind]
        numbers[f"on-{name}"] = len(group)
        numbers[f"on-{name}-holds"] = int((group == "holds").sum())
        numbers[f"on-{name}-does-not-hold"] = int((group == "does not hold").sum())
    main_ids = [c.id for c in _ledger() if c.paper == "djerrab2018" and not c.ours]
    far = {c.arguments["table"] for c in _ledger() if outcome_of(c.id) == "not comparable"}
    told(
        far
        <= {"ofer-table-06", *(f"ofer-table-{n}" for n in (11, 12, 13, 14)), "ofer-autoencoder"},
        "what is not comparable is on calls and images",
    )
    told(
        {theirs[id].on.kind for id in main_ids} <= {KINDS["generated"], KINDS["substitute"], ""},
        "no claim of the 2018 paper is decided on a part of its data",
    )
    holding = {
        name
        for (paper, name), word in statements.items()
        if (paper, word) == ("djerrab2018", "holds")
    }
    of_formulas = {name for name in holding if name.startswith("ofer-theory-")}
    numbers["main-holds-of-formulas"] = len(of_formulas)
    told(
        holding - of_formulas == {"ofer-02-training-time", "ofer-02-due-to-pre-image"},
        "which statements of the 2018 paper hold",
    )
    told(outcome_of("ofer-theory-closed-form") == "does not hold", "the closed form of mixtures")
    told(statements["djerrab2018", "closed-form"] == "holds in part", "closed forms")
    tables = {c.id: c.arguments.get("table") for c in _ledger()}
    whole = [id for id, one in theirs.items() if one.on.kind == KINDS["faithful"]]
    told(
        {tables[id] for id in whole} == {"fkl-table-02", "fkl-table-04"},
        "the claims on a paper's own data whole are on spoken digits and on molecules",
    )
    told(
        numbers["testable"] > 2 * (numbers["holds-by-means-alone"]), "fewer than half, by the mean"
    )
    best = {}
    for paper in _papers():
        words = [word for (key, _), word in statements.items() if key == paper]
        best[paper] = np.mean([word == "does not hold" for word in words])
    told(min(best, key=best.get) == "elhoseiny2015", "twin Gaussian processes fare best")
    examples = {
        "holds": ["fkl-01-best"],
        "depends on the reading": ["ofer-09-beats-ridge"],
        "undecided": [
            "fkl-01-beats-untrained",  # both have the same lowest error
            "sslsop-01-beats-one-predictor",  # readings with five folds decide nothing
        ],
        "does not hold": ["sslsop-01-beats-one-predictor-of-sequences"],
        "not comparable": ["ofer-11-semantics-beat-svm", "ofer-12-semantics-beat-svm"],
        "holds in part": [
            "fkl-04-best",  # it beats likelihoods, and is level with Fisher scores
            "smtgp-03-sharma-mittal-beats-others",  # on the second toy HSIC-KNN is level
        ],
    }
    for word, ids in examples.items():
        for id in ids:
            told(outcome_of(id) == word, f"{id} {word}")
    return numbers


def _numbers_of_tests():
    """How often tests call two equally good methods different, in the simulations."""
    rates = load("ofer-test-levels")[0]
    rates = rates[rates["metric"].isin(["rate_05", "rate_001"])]
    rates = rates.groupby(["metric", "method", "setting"])["value"].mean()
    few, many = (
        max(rate for setting, rate in rates["rate_001", "Student"].items() if setting.startswith(n))
        for n in ("20 ", "500 ")
    )
    sound = rates["rate_05", "two-way"]
    told(sound.between(0.05 * 2 / 3, 0.05 * 4 / 3), "the two-way test keeps its level")
    ends = (f"{100 * end:.1f}" for end in (sound.min(), sound.max()))
    return {
        "student-few": percent(few, 1),
        "student-many": percent(many),
        "corrected-most": percent(rates["rate_05", "corrected"].max(), 1),
        "two-way-range": f"{' to '.join(ends)}\\,\\%",
    }


def _numbers_of_levels():
    """Outcomes of the main paper's claims at its level, and at that of papers which state none."""
    claims = [claim for claim in _ledger() if claim.paper == "djerrab2018" and not claim.ours]
    strict = pd.Series([outcome_of(claim.id) for claim in claims])
    usual = pd.Series(
        [
            decide(replace(claim, arguments={**claim.arguments, "level": USUAL})).outcome
            for claim in claims
            if "table" in claim.arguments
        ]
    )
    return {
        f"main-claims-{word}-{name}": int((outcomes == word).sum())
        for word in ("holds", "undecided")
        for name, outcomes in {"strictly": strict, "usually": usual}.items()
    }


_NAMES = {
    "": "no stored table",
    "this book": "test at the paper's level (our verdicts)",
    "printed sizes": "the same, and printed sizes count",
    "means alone": "means without a test",
}


# Seven columns of numbers leave little room for their heads.
_SHORT = {
    "holds in part": "in part",
    "depends on the reading": "depends",
    "does not hold": "fails",
    "not comparable": "not comp.",
    "not testable": "not test.",
}


def table():
    """Outcomes by paper, by data and by rule of decision."""
    rules, theirs = _by_rule(), _theirs().values()
    papers = {key: [] for key in _papers()}
    for (paper, _), word in _statements().items():
        papers[paper].append(word)
    kinds = {kind: [] for kind in [*KINDS.values(), ""]}
    for decision in theirs:
        kinds[decision.on.kind].append(decision.outcome)
    blocks = {
        "statements, by paper": {_papers()[key]["title"]: own for key, own in papers.items()},
        "claims, by the data that decide": kinds,
        "claims, by the rule of decision": rules,
    }
    n_columns = len(OUTCOMES) + 2
    lines = [rf"\begin{{tabular}}{{@{{}}l{'r' * (n_columns - 1)}@{{}}}}", r"\toprule"]
    lines.append(table_row("", *(_SHORT.get(word, word) for word in OUTCOMES), "all"))
    for title, rows in blocks.items():
        head = rf"\multicolumn{{{n_columns}}}{{@{{}}l}}{{\emph{{{title}}}}} \\"
        lines += [r"\midrule", head]
        for name, words in rows.items():
            counts = [[*words].count(word) for word in OUTCOMES]
            lines.append(table_row(_NAMES.get(name, name), *counts, len(words)))
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", ""])


def _kinds_of_data():
    """On what each table of the 2018 paper is run."""
    ids = {number: f"ofer-table-{number:02}" for number in range(5, 15)}
    return {
        f"kind-{n}": on_what(get_experiment(id)).kind.removeprefix("data ") for n, id in ids.items()
    }


def _numbers_of_tables():
    """How many tables are stored, and how long they took."""
    sidecars = [load(id)[1] for id in list_experiments()]
    hours = sum(sidecar["duration_s"] for sidecar in sidecars) / 3600
    told({sidecar["machine"]["processors"] for sidecar in sidecars} == {2}, "two processors")
    return {"tables": len(sidecars), "hours": f"{hours:.0f}"}


NUMBERS = [
    _numbers_of_claims,
    _numbers_of_levels,
    _numbers_of_tests,
    _kinds_of_data,
    _numbers_of_tables,
]
