"""The tables of the suite in the book: what is declared, and on how many cases it is tried.

python -m tests.ofer.robustness.table
"""

import csv
import io
from collections import defaultdict
from pathlib import Path

from tests.ofer.robustness.declarations import declared
from tests.ofer.robustness.outcomes import ABSENT, DEFECT, HOLDS, NAMED, NOT_HERE
from tests.ofer.robustness.perturbations import CHANGES, HANDLINGS, REFUSED
from tests.ofer.robustness.subjects import SUBJECTS

__all__ = ["PERTURBATIONS", "rows", "tables"]

BOOK = Path(__file__).resolve().parents[3] / "book"
PERTURBATIONS = [*CHANGES, *HANDLINGS, *REFUSED, "leave-one-out"]


def rows():
    """Estimator, perturbation, number of cases, outcome and reason of each pair."""
    for name, subject in SUBJECTS.items():
        for perturbation in PERTURBATIONS:
            outcome, reason = declared(name, perturbation)
            cases = 0 if outcome == NOT_HERE else subject.cases
            yield name, perturbation, cases, outcome, reason


def summary():
    """One row for each estimator: its cases, and how many perturbations have each outcome."""
    yield ["estimator", "cases", HOLDS, NAMED, DEFECT, NOT_HERE]
    for name in SUBJECTS:
        own = [row for row in rows() if row[0] == name]
        counts = [sum(row[3] == outcome for row in own) for outcome in (HOLDS, NAMED, DEFECT)]
        yield [name, sum(row[2] for row in own), *counts, len(own) - sum(counts)]


def exceptions():
    """What is declared with a reason, estimators and perturbations that share one together."""
    yield ["outcome", "reason", "perturbations", "estimators"]
    groups = defaultdict(lambda: defaultdict(list))
    for name, perturbation, _, outcome, reason in rows():
        if reason not in ("", ABSENT):
            groups[outcome, reason][name].append(perturbation)
    for (outcome, reason), found in sorted(groups.items()):
        together = defaultdict(list)
        for name, perturbations in found.items():
            together[", ".join(perturbations)].append(name)
        for perturbations, names in together.items():
            yield [outcome, reason, perturbations, "; ".join(names)]


def tables():
    """Text of each file of the book, as it is stored."""
    texts = {}
    for name, lines in (("robustness", summary()), ("robustness_exceptions", exceptions())):
        file = io.StringIO()
        csv.writer(file, lineterminator="\n").writerows(lines)
        texts[BOOK / f"{name}.csv"] = file.getvalue()
    return texts


if __name__ == "__main__":
    for path, text in tables().items():
        path.write_text(text, encoding="utf-8")
