"""When rounds end, what they choose, and what they say."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.exceptions import ConvergenceWarning

from ofer.weak.alternation import Alternation


class Countdown(Alternation):
    """Three samples whose assignments are lowered to zero, by one in each round."""

    noun, prior = "number", np.array([9, 9, 9])

    def __init__(self, first):
        self.first, self.learnt, self.left_out = np.array(first), [], []

    def guess(self):
        return self.first

    def learn(self, assignments, *, choose):
        self.learnt.append((assignments.tolist(), choose))

    def assign(self, *, left_out=False):
        self.left_out.append(left_out)
        return np.maximum(np.array(self.learnt[-1][0]) - 1, 0)

    def objective(self):
        return float(sum(self.learnt[-1][0]))

    def changed(self, assignments, others):
        return assignments != others


def test_rounds_end_when_nothing_changes():
    """A ridge is chosen for the guess and in the first round, and kept from then on."""
    search = Countdown([3, 2, 0])
    rounds = search.run(9, stacklevel=2)
    assert search.learnt == [
        ([3, 2, 0], True),
        ([2, 1, 0], True),
        ([1, 0, 0], False),
        ([0, 0, 0], False),
    ]
    assert search.left_out == [True, False, False, False]
    assert_array_equal(rounds.assignments, [0, 0, 0])
    assert_array_equal(rounds.objectives, [3.0, 1.0, 0.0])
    assert (rounds.n_iter, rounds.converged) == (3, True)


def test_rounds_that_run_out_say_so():
    search = Countdown([3, 4, 0])
    expected = (
        r"^max_iter should be larger: 2 of 3 weak samples still changed their number in round 2\. "
        r"Raise it, or see whether the objectives_ hardly fall\.$"
    )
    with pytest.warns(ConvergenceWarning, match=expected):
        rounds = search.run(2, stacklevel=2)
    assert_array_equal(rounds.assignments, [1, 2, 0])
    assert (rounds.n_iter, rounds.converged) == (2, False)


def test_without_a_round_there_is_what_was_told():
    rounds = Countdown([3, 4, 0]).run(0, stacklevel=2)
    assert_array_equal(rounds.assignments, [9, 9, 9])
    assert (len(rounds.objectives), rounds.n_iter, rounds.converged) == (0, 0, False)
