"""Conventions of the package, for twin Gaussian processes."""

import pytest
from sklearn.base import clone

from tests.ofer.companions.sharma_mittal.cases import CASES


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["twins", "twins, chosen"])
def test_iterations_are_those_of_fit(name):
    estimator, data, _, _ = CASES[name]
    assert clone(estimator).fit(**data).n_iter_ == 1
