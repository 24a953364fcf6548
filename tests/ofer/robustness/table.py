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
from tests.ofer.robustness.properties import COMPARISONS, COMPOSITION, STATE, UNITS, WEIGHTS
from tests.ofer.robustness.subjects import SUBJECTS
from tests.ofer.robustness.verdicts import cases

__all__ = ["PERTURBATIONS", "PROPERTIES", "rows", "tables"]

BOOK = Path(__file__).resolve().parents[3] / "book"
PROPERTIES = {
    "units": [
        *("shift inputs", "scale inputs", "shift outputs", "scale outputs", *UNITS),
        *("huge inputs", "tiny inputs", "huge outputs", "tiny outputs", "width without use"),
    ],
    "samples": [
        *("permute samples", "permute features", "permute outputs", "duplicate samples"),
        *("equal inputs", "constant feature", "constant output", "n < d", *WEIGHTS),
        "leave-one-out",
    ],
    "composition": [
        *("float32", "read-only", "frames", "sparse", "pickle", "threads", "clone", *COMPOSITION)
    ],
    "state": ["refit", *STATE],
    "refused": [*REFUSED],
}
PERTURBATIONS = [*CHANGES, *UNITS, *HANDLINGS, *COMPARISONS, *REFUSED, "leave-one-out"]
PROPERTY = {one: name for name, inside in PROPERTIES.items() for one in inside}


def rows():
    """Estimator, perturbation, number of cases, outcome and reason of each pair."""
    for name in SUBJECTS:
        for perturbation in PERTURBATIONS:
            outcome, reason = declared(name, perturbation)
            count = 0 if outcome == NOT_HERE else cases(name, perturbation)
            yield name, perturbation, count, outcome, reason


def summary():
    """One row for each estimator: its cases, and how many perturbations have each outcome."""
    yield ["estimator", "cases", HOLDS, NAMED, DEFECT, NOT_HERE]
    for name in SUBJECTS:
        own = [row for row in rows() if row[0] == name]
        counts = [sum(row[3] == outcome for row in own) for outcome in (HOLDS, NAMED, DEFECT)]
        yield [name, sum(row[2] for row in own), *counts, len(own) - sum(counts)]


def by_property():
    """One row for each property: its perturbations, cases, and pairs by outcome."""
    yield ["property", "perturbations", "cases", HOLDS, NAMED, DEFECT, NOT_HERE]
    for name, inside in PROPERTIES.items():
        own = [row for row in rows() if row[1] in inside]
        counts = [sum(row[3] == one for row in own) for one in (HOLDS, NAMED, DEFECT, NOT_HERE)]
        yield [name, "; ".join(inside), sum(row[2] for row in own), *counts]
    yield ["all", "", sum(row[2] for row in rows()), "", "", "", ""]


def exceptions():
    """What is declared with a reason, estimators and perturbations that share one together."""
    yield ["property", "outcome", "reason", "perturbations", "estimators"]
    groups = defaultdict(lambda: defaultdict(list))
    for name, perturbation, _, outcome, reason in rows():
        if reason not in ("", ABSENT):
            place = [*PROPERTIES].index(PROPERTY[perturbation])
            groups[place, outcome, reason][name].append(perturbation)
    for (place, outcome, reason), found in sorted(groups.items()):
        together = defaultdict(list)
        for name, perturbations in found.items():
            together["; ".join(perturbations)].append(name)
        for perturbations, names in together.items():
            yield [[*PROPERTIES][place], outcome, reason, perturbations, "; ".join(names)]


def tables():
    """Text of each file of the book, as it is stored."""
    texts = {}
    written = {"robustness": summary(), "robustness_properties": by_property()}
    for name, lines in (written | {"robustness_exceptions": exceptions()}).items():
        file = io.StringIO()
        csv.writer(file, lineterminator="\n").writerows(lines)
        texts[BOOK / f"{name}.csv"] = file.getvalue()
    return texts


if __name__ == "__main__":
    for path, text in tables().items():
        path.write_text(text, encoding="utf-8")
