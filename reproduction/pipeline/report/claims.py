"""How many claims hold, on what, and by which rule of decision."""

from functools import cache

import numpy as np
import pandas as pd
from scipy.stats import t as student_t

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
from reproduction.engine import get_experiment
from reproduction.pipeline.report.stored import STRICT, table_row, told


@cache
def _ledger():
    return read_claims()


@cache
def _decisions():
    return {claim.id: decide(claim) for claim in _ledger()}


def _theirs():
    """Decisions about the claims of the papers, without our own."""
    return {claim.id: _decisions()[claim.id] for claim in _ledger() if not claim.ours}


def _statements():
    """Outcome of each statement, by paper and name."""
    return {
        key: combine(_decisions()[claim.id].outcome for claim in own)
        for key, own in by_statement(_ledger()).items()
    }


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
    found = {
        "claims": len(theirs),
        "claims-ours": len(_decisions()) - len(theirs),
        "papers": len(read_papers()),
        "companions": len(read_papers()) - 2,  # the paper itself, and its short version
        "statements": len(statements),
        "statements-main": len(main),
        "testable": int((outcomes != "not testable").sum()),
        "hold-by-all": int((rules == "holds").all(axis=1).sum()),
        "no-positive-mean": int((rules["means alone"] != "holds").sum()),
        "corrected-changed": int((rules["corrected test"] != rules["this book"]).sum()),
    }
    for word in OUTCOMES:
        name = word.replace(" ", "-")
        found[f"claims-{name}"] = int((outcomes == word).sum())
        found[f"main-{name}"] = int((main == word).sum())
        for rule in DECIDERS:
            found[f"{name}-by-{rule.replace(' ', '-')}"] = int((rules[rule] == word).sum())
    for name, kind in KINDS.items():
        found[f"on-{name}"] = int((kinds == kind).sum())
        for word in ("holds", "does not hold"):
            found[f"on-{name}-{word.replace(' ', '-')}"] = int(
                ((kinds == kind) & (outcomes == word)).sum()
            )
    own = [c.id for c in _ledger() if c.paper == "djerrab2018" and not c.ours]
    main_kinds = pd.Series([theirs[id].on.kind for id in own])
    for name, kind in KINDS.items():
        found[f"main-on-{name}"] = int((main_kinds == kind).sum())
    told(found["on-faithful"] == 0, "no claim is decided on a paper's own data whole")
    told(main_kinds.isin([KINDS["substitute"], KINDS["generated"], ""]), "the 2018 paper's data")
    told(found["testable"] > 2 * (found["holds-by-means-alone"]), "fewer than half, by the mean")
    best = {}
    for paper in read_papers():
        words = [word for (key, _), word in statements.items() if key == paper]
        best[paper] = np.mean([word == "does not hold" for word in words])
    told(min(best, key=best.get) == "elhoseiny2015", "twin Gaussian processes fare best")
    examples = {
        "holds": ["ofer-09-beats-ridge", "fkl-01-best", "smtgp-03-sharma-mittal-beats-others"],
        "does not hold": [
            "fkl-02-best",
            "ofer-11-semantics-beat-svm",
            "ofer-12-semantics-beat-svm",
            "sslsop-01-beats-one-predictor",
            "sslsop-01-beats-one-predictor-of-sequences",
        ],
    }
    for word, ids in examples.items():
        for id in ids:
            told(_decisions()[id].outcome == word, f"{id} {word}")
    return found


def _numbers_of_tests():
    """What Student's test on ten overlapping splits is worth, if the correction is right."""
    n_splits, found = 10, {}
    for name, ratio in {"sixty-forty": 40 / 60, "hundred": 8.91}.items():
        bound = student_t.ppf(1 - STRICT / 2, n_splits - 1)
        real = 2 * student_t.sf(bound / np.sqrt(1 + n_splits * ratio), n_splits - 1)
        found[f"real-level-{name}"] = f"{real:.2f}"
    told(
        np.isclose(get_experiment("ofer-table-09").facts.test_train_ratio["100"], 8.91),
        "ratio of drugs",
    )
    return found


def table():
    """Outcomes by paper, by data and by rule of decision."""
    statements, rules = _statements(), _by_rule()
    lines = [
        r"\begin{tabular}{@{}lrrrrrr@{}}", r"\toprule",
        table_row("", "holds", "in part", "undecided", "does not", "not testable", "all"),
    ]  # fmt: skip

    def block(title, counts):
        lines.extend([r"\midrule", rf"\multicolumn{{7}}{{@{{}}l}}{{\emph{{{title}}}}} \\"])
        for name, words in counts.items():
            words = pd.Series([*words], dtype=object)
            numbers = [int((words == word).sum()) for word in OUTCOMES]
            lines.append(table_row(name, *numbers, len(words)))

    papers = {
        paper["title"]: [word for (own, _), word in statements.items() if own == key]
        for key, paper in read_papers().items()
    }
    block("statements, by paper", papers)
    kinds = {kind: kind for kind in KINDS.values()} | {"": "nothing computable"}
    theirs = _theirs().values()
    by_kind = {
        name: [one.outcome for one in theirs if one.on.kind == kind] for kind, name in kinds.items()
    }
    block("claims, by the data that decide", by_kind)
    block("claims, by the rule of decision", {rule: rules[rule] for rule in DECIDERS})
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", ""])


def _kinds_of_data():
    """On what each table of the 2018 paper is run."""
    ids = {number: f"ofer-table-{number:02}" for number in range(5, 15)}
    return {
        f"kind-{n}": on_what(get_experiment(id)).kind.removeprefix("data ") for n, id in ids.items()
    }


NUMBERS = [_numbers_of_claims, _numbers_of_tests, _kinds_of_data]
