"""All public estimators under everything that a day's bad input does to them."""

import pytest
from sklearn.base import BaseEstimator

import ofer
from tests.ofer.robustness.outcomes import DEFECT, NAMED, NOT_HERE
from tests.ofer.robustness.perturbations import REFUSED
from tests.ofer.robustness.subjects import SUBJECTS
from tests.ofer.robustness.table import rows
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


def test_all_public_estimators_are_tried():
    """Those of the rooms that are there."""
    rooms = [room for room in (ofer, getattr(ofer, "companions", None)) if room]
    found = {getattr(room, name, None) for room in rooms for name in room.__all__}
    estimators = {
        one
        for one in found
        if isinstance(one, type)
        and issubclass(one, BaseEstimator)
        and hasattr(one, "fit")
        and "OutputSpace" not in {base.__name__ for base in one.__mro__}
    }
    assert estimators <= {type(subject.estimator) for subject in SUBJECTS.values()}
