import numpy as np
import pytest
from numpy.testing import assert_allclose

from ofer.metrics import rrmse
from reproduction.studies.embedding.noisy_inputs import Contest

CONTEST = Contest(n_train=20, n_weak=15, n_components=3, seed=0, n_samples=120)


# The outputs of D2 have almost no noise: small ridges are best.
pytestmark = pytest.mark.filterwarnings("ignore:alphas should have")


def test_no_sample_is_drawn_twice():
    drawn = CONTEST.draw(noise=1.0)
    outputs = np.vstack([Y for _, Y in drawn.values()])
    assert {name: len(Y) for name, (_, Y) in drawn.items()} == {
        "labelled": 20,
        "weak": 15,
        "test": 48,
    }
    assert len(np.unique(outputs, axis=0)) == len(outputs)


def test_curves_of_a_single_split_are_the_errors_of_its_fits():
    (X, Y), _, (X_test, Y_test) = CONTEST.draw(noise=1.0).values()
    curves = CONTEST.learning_curves(1.0, [20], n_splits=1)
    weak = CONTEST.weak_curves(1.0, [5, 15], n_splits=1)
    for name, fitted in CONTEST.fit_all(X, Y):
        error = rrmse(Y_test, fitted.predict(X_test))
        assert_allclose(curves[name], error)
        if name == "m-KRR centred":
            assert_allclose(weak[name], error)
        if name == "OFER-GMM":
            assert_allclose(weak["OFER-GMM, no weak labels"], error)
            assert not np.allclose(weak["OFER-GMM, weak labels"], error)
