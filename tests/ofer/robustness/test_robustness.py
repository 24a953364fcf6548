"""All public estimators under everything that a day's bad input does to them."""

import pytest
from sklearn.base import BaseEstimator

import ofer
import ofer.companions
from tests.ofer.robustness.declarations import DEFECT, HOLDS, NAMED, NOT_HERE
from tests.ofer.robustness.perturbations import REFUSED
from tests.ofer.robustness.subjects import SUBJECTS
from tests.ofer.robustness.table import rows, tables
from tests.ofer.robustness.verdicts import failures

ROWS = [row for row in rows() if row[3] != NOT_HERE]


def pair(name, perturbation, cases, outcome, reason):
    marks = [pytest.mark.xfail(reason=reason, strict=True)] if outcome == DEFECT else []
    return pytest.param(
        name, perturbation, cases, outcome, marks=marks, id=f"{name}-{perturbation}"
    )


@pytest.mark.parametrize(("name", "perturbation", "cases", "outcome"), [pair(*row) for row in ROWS])
def test_what_is_declared_holds(name, perturbation, cases, outcome):
    found = failures(name, perturbation)
    if outcome == NAMED and perturbation not in REFUSED:
        assert len(found) == cases
        assert all(": named: " in one for one in found)
    else:
        assert found == []


def test_there_are_enough_cases():
    assert sum(row[2] for row in ROWS if row[3] in (HOLDS, NAMED)) >= 10_000


def test_all_public_estimators_are_tried():
    public = {getattr(room, name) for room in (ofer, ofer.companions) for name in room.__all__}
    estimators = {
        one
        for one in public
        if isinstance(one, type)
        and issubclass(one, BaseEstimator)
        and hasattr(one, "fit")
        and not issubclass(one, ofer.companions.OutputSpace)
    }
    assert estimators <= {type(subject.estimator) for subject in SUBJECTS.values()}


def test_the_tables_in_the_book_are_what_is_declared():
    for path, text in tables().items():
        assert path.read_text(encoding="utf-8") == text
