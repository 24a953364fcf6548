"""All public estimators under everything that a day's bad input does to them."""

from collections import Counter
from itertools import chain

import pytest
from sklearn.decomposition import PCA
from sklearn.linear_model import LogisticRegression, Ridge

from tests.ofer.robustness.exports import SLOW, at_defaults, public_estimators
from tests.ofer.robustness.outcomes import DEFECT, NAMED, NOT_HERE
from tests.ofer.robustness.perturbations import REFUSED
from tests.ofer.robustness.subjects import SUBJECTS
from tests.ofer.robustness.table import PERTURBATIONS, PROPERTIES, rows
from tests.ofer.robustness.verdicts import failures, random_numbers

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
    """Those of the rooms that are there, and all but the slowest at their defaults."""
    estimators = public_estimators()
    assert set(estimators.values()) <= {type(subject.estimator) for subject in SUBJECTS.values()}
    tried = {repr(subject.estimator) for subject in SUBJECTS.values()}
    for name, cls in estimators.items():
        assert SLOW.get(name) == 0 or repr(at_defaults(cls, SUBJECTS.values()).estimator) in tried


@pytest.mark.parametrize("cls", [Ridge, LogisticRegression, PCA])
def test_a_new_class_needs_no_line(cls):
    subject = at_defaults(cls, ())
    problem = subject.generate(random_numbers(0, "new"))
    assert len(subject.ask(subject.fit(problem), problem.queries)) == 3


def test_each_perturbation_is_of_one_property():
    assert Counter(chain(*PROPERTIES.values())) == Counter(PERTURBATIONS)
