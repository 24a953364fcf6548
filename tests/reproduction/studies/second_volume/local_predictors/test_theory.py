"""The statements on local structured predictors, by listing all outputs."""

import numpy as np
import pytest

from reproduction.studies.second_volume.local_predictors.theory import _space, evaluate


def test_losses_of_a_tree_are_heights():
    leaves, losses, features = _space("tree")
    assert leaves == [3, 4, 6, 7, 8]
    assert (np.diag(losses) == 0).all()
    assert losses[0, 1] == 1  # siblings below node 1
    assert losses[3, 4] == 1  # below node 5
    assert losses[2, 3] == 2  # below node 2, which is two steps above the leaves 7 and 8
    assert losses[0, 2] == 3  # below the root
    assert features(np.ones(2)).shape == (5, 2 * 9)


@pytest.mark.parametrize("setting", ["classes", "tree", "sequences"])
def test_bound_and_slope(setting):
    assert evaluate(None, "bound (6)", setting, 0)["violation"] == 0
    assert evaluate(None, "sub-gradient (11)", setting, 0)["deviation"] < 1e-6


def test_only_the_printed_step_rises():
    assert evaluate(None, "step (16)", "two moons", 0)["rises"] > 0
    assert evaluate(None, "upper-bound step", "two moons", 0)["rises"] == 0
