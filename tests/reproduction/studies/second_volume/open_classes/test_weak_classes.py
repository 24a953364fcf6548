"""Weak labels that leave classes open: the steps of the compared methods."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import approx_fprime, minimize
from sklearn.utils import Bunch

from ofer import Candidates, SemanticClassifier
from reproduction.studies.second_volume.open_classes import ridges, rivals
from reproduction.studies.second_volume.open_classes.images import candidates
from reproduction.studies.second_volume.open_classes.problem import Problem, as_task, say
from reproduction.studies.second_volume.open_classes.projection import compare
from reproduction.studies.second_volume.open_classes.ridges import RIDGES
from reproduction.studies.second_volume.open_classes.rivals import RIVALS
from reproduction.studies.second_volume.open_classes.wrong_labels import measure_shuffled

RNG = np.random.default_rng(0)
K, N, N_WEAK = 4, 12, 80
MEANS = 2.0 * RNG.normal(size=(K, 5))
Y, Y_TEST = np.append(np.arange(N) % K, RNG.integers(0, K, N_WEAK)), RNG.integers(0, K, 200)
STILL_OPEN = np.arange(K) // 2 == Y[:, None] // 2
STILL_OPEN[:N] = np.eye(K, dtype=bool)[Y[:N]]


def draw(y):
    return MEANS[y] + RNG.normal(size=(len(y), 5))


PROBLEM = Problem(draw(Y), Y, STILL_OPEN, N, draw(Y_TEST), Y_TEST)


@pytest.mark.parametrize("gamma", [None, 0.1])
@pytest.mark.parametrize("name", [*RIDGES, *RIVALS, *ridges.ON_PATH])
def test_every_method_learns(name, gamma):
    method = (RIDGES | RIVALS | ridges.ON_PATH)[name]
    found = method(PROBLEM._replace(gamma=gamma))
    assert np.mean(found == Y_TEST) > 0.6


def test_what_weak_labels_say():
    assert say(as_task(lambda *drawn: PROBLEM, None, "", 0)) == (
        None,
        {"open classes": 2.0, "exact": 0.0},
    )


def test_candidates_are_the_classes_of_a_component():
    pairs = Bunch(predict_proba=lambda vectors: np.eye(2)[np.arange(len(vectors)) // 2])
    found = candidates(Bunch(vectors=MEANS, natural={2: pairs}), Y[N:])
    assert_array_equal(found, STILL_OPEN[N:])


def test_rows_of_the_path_are_those_of_the_package():
    places = np.eye(K)
    model = SemanticClassifier(PROBLEM.regressor(), places).fit(
        PROBLEM.X[:N], Y[:N], weak=Candidates(PROBLEM.X[N:], STILL_OPEN[N:])
    )
    predicted = [classes for _, classes in ridges._path(PROBLEM)]
    best = predicted[np.argmax(model.gain_path_["gain"])]
    assert_array_equal(best, model.predict(PROBLEM.X_test))


def test_step_of_sure_is_the_quadratic_program():
    scores = RNG.normal(size=(6, K))
    still_open = RNG.random((6, K)) < 0.6
    still_open[np.arange(6), RNG.integers(0, K, 6)] = True
    found = rivals.peaked(scores, still_open, 0.4)

    def value(p, s):
        return np.square(p - s).sum() - 0.4 * p.max()

    for p, s, known in zip(found, scores, still_open, strict=True):
        assert_allclose(p.sum(), 1.0)
        assert (p >= 0).all()
        assert (p[~known] == 0).all()
        bounds = [(0.0, float(one)) for one in known]
        sums = {"type": "eq", "fun": lambda q: q.sum() - 1.0}
        starts = np.eye(K)[known]
        others = [minimize(value, q, args=(s,), bounds=bounds, constraints=sums) for q in starts]
        assert_allclose(value(p, s), min(one.fun for one in others), atol=1e-5)


@pytest.mark.parametrize(
    "loss",
    [
        lambda F: rivals.clpl_loss(F, STILL_OPEN[:5]),
        lambda F: rivals._log_loss(F, STILL_OPEN[:5] / STILL_OPEN[:5].sum(axis=1, keepdims=True)),
    ],
    ids=["CLPL", "logistic"],
)
def test_gradients(loss):
    F = RNG.normal(size=(5, K))
    slope = approx_fprime(F.ravel(), lambda f: loss(f.reshape(F.shape))[0])
    assert_allclose(loss(F)[1].ravel(), slope, atol=1e-5)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("ridge", [0.03, 1.0])
def test_the_projection_never_has_the_larger_loss(seed, ridge):
    """Whatever the inputs say, as long as the true class is open."""
    rng = np.random.default_rng(seed)
    y = np.append(np.arange(N) % K, rng.integers(0, K, N_WEAK))
    still_open = np.eye(K, dtype=bool)[y]
    still_open[N:] |= rng.random((N_WEAK, K)) < rng.uniform(0.1, 0.9)
    inputs = rng.normal() * MEANS[y] + rng.normal(size=(len(y), 5))
    problem = PROBLEM._replace(X=inputs, y=y, still_open=still_open, gamma=0.2)
    found = compare(problem, ridge)
    least = found.loss["labelled only"]
    assert found.distance > 0
    assert found.loss["projection"] <= least - found.distance + 1e-6 * least


def test_labels_that_are_not_shuffled_are_the_problem_itself():
    problem = PROBLEM._replace(gamma=0.1)
    accuracies, ignored = measure_shuffled([problem, problem], [0.0, 1.0])
    for name in ("labelled only", "restrict and refit"):
        right = 100.0 * np.mean(RIDGES[name](problem) == Y_TEST)
        assert accuracies.loc[0.0, name] == pytest.approx(right)
    assert accuracies.loc[1.0, "labelled only"] == accuracies.loc[0.0, "labelled only"]
    assert accuracies.loc[1.0, "gain"] < accuracies.loc[0.0, "gain"]
    assert ignored[0.0] == 0
