import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.utils import Bunch

from ofer import KernelRidgeCV
from reproduction.studies.multi_target.memberships import fit_live, judge_memberships
from reproduction.studies.multi_target.sets import describe

RNG = np.random.default_rng(0)
CLUSTER = RNG.integers(2, size=80)
X = RNG.normal(size=(80, 2))  # says nothing of the cluster
Y = 6.0 * CLUSTER[:, None] + RNG.normal(size=(80, 2))
TASK = Bunch(X=X[:50], Y=Y[:50], X_test=X[50:], Y_test=Y[50:])


def test_one_component_is_ridge_regression():
    single = fit_live(TASK, 1)
    ridge = KernelRidgeCV(**single.regressor.get_params()).fit(TASK.X, TASK.Y)
    assert_allclose(single.predict(TASK.X_test), ridge.predict(TASK.X_test))


def test_true_memberships_help_where_inputs_do_not_tell_them():
    found = judge_memberships(TASK)
    assert found["two, memberships known"] < 0.5 * found["two"]
    assert found["most frequent"] == pytest.approx(np.bincount(CLUSTER[50:]).max() / 30, abs=1e-3)


def test_outputs_that_are_equal_vary_in_one_direction():
    assert describe(Bunch(X=X, Y=np.repeat(Y[:, :1], 3, axis=1)))["directions"] == 1.0
    uncorrelated = np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]])
    assert describe(Bunch(X=np.zeros((4, 1)), Y=uncorrelated))["directions"] == 2.0
