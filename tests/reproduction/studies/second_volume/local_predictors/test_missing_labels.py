import numpy as np
import pytest
from numpy.testing import assert_allclose

from ofer.companions import LocalStructuredPredictor
from reproduction.studies.second_volume.local_predictors.named_sequences import (
    make_sequences,
    sequence_errors,
)
from reproduction.studies.second_volume.local_predictors.two_moons import (
    few_labels,
    objective_by_halves,
)


@pytest.mark.parametrize("y_step", ["upper_bound", "literal"])
def test_the_objective_after_whole_iterations_is_that_of_the_package(y_step):
    X, _, given = (part[:40] for part in few_labels(0))
    params = {"n_neighbors": 5, "C": 0.1, "eta0": 1.0, "n_iter": 4, "random_state": 0}
    model = LocalStructuredPredictor(y_init="random", y_step=y_step, fit_intercept=True, **params)
    values = objective_by_halves(model.fit(X, given), X, given)
    assert_allclose(values[::2], model.objective_history_, rtol=1e-3)
    if y_step == "upper_bound":
        assert (np.diff(values)[1::2] <= 1e-9).all()


def test_as_many_labels_of_each_class_are_given():
    _, truth, given = few_labels(3, n_given=10)
    assert (given[given >= 0] == truth[given >= 0]).all()
    assert list(np.bincount(given[given >= 0])) == [5, 5]


def test_an_inside_follows_a_beginning():
    _, labels, _ = make_sequences(50, seed=0)
    labels = np.array(labels)
    sequences, steps = np.nonzero(labels == "I")
    assert len(sequences)
    assert (labels[sequences, steps - 1] == "B").all()
    assert ((labels == "B").sum(axis=1) <= 1).all()


def test_errors_count_sequences_and_steps():
    truth = [["O", "B"], ["O", "O"]]
    assert sequence_errors([["O", "O"], ["O", "O"]], truth) == (50.0, 25.0, 0.0)
    assert sequence_errors(truth, truth) == (0.0, 0.0, 25.0)
