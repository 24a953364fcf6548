"""The table of the suite in the book: what is declared, and on how many cases it is tried.

python -m tests.ofer.robustness.table
"""

import csv
import io
from pathlib import Path

from tests.ofer.robustness.declarations import NOT_HERE, declared
from tests.ofer.robustness.perturbations import CHANGES, HANDLINGS, REFUSED
from tests.ofer.robustness.subjects import SUBJECTS

__all__ = ["PERTURBATIONS", "TABLE", "rows", "text"]

TABLE = Path(__file__).resolve().parents[3] / "book" / "robustness.csv"
PERTURBATIONS = [*CHANGES, *HANDLINGS, *REFUSED, "leave-one-out"]


def rows():
    """Estimator, perturbation, number of cases, outcome and reason of each pair."""
    for name, subject in SUBJECTS.items():
        for perturbation in PERTURBATIONS:
            outcome, reason = declared(name, perturbation)
            cases = 0 if outcome == NOT_HERE else subject.cases
            yield name, perturbation, cases, outcome, reason


def text():
    """The table as it is stored."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["estimator", "perturbation", "cases", "outcome", "reason"])
    writer.writerows(rows())
    return file.getvalue()


if __name__ == "__main__":
    TABLE.write_text(text(), encoding="utf-8")
