import pytest

from reproduction.datasets.generated.markov_sequences import make_markov_sequences
from reproduction.datasets.generated.mixtures import make_d1
from reproduction.datasets.generated.state_space_series import make_state_space_series
from reproduction.datasets.generated.toy_curves import branch_error, make_toy1


@pytest.mark.parametrize(
    ("make", "arguments", "message"),
    [
        (make_markov_sequences, {"min_steps": 9, "max_steps": 8}, "max_steps must be at least 9"),
        (make_d1, {"n_samples": 5}, "n_inputs must be at most 4, .*; got 5"),
        (make_d1, {"weights": [1, 1, -1, 0]}, "weights must be 4 numbers, not negative"),
        (make_state_space_series, {"n_given": 10}, "n_given must be less than n_steps=10; got 10"),
        (make_toy1, {"noise": -1.0}, "noise must be at least 0; got -1.0"),
        (branch_error, {"x": [0.1, 0.2], "y_pred": [0.1]}, "inconsistent numbers of samples"),
    ],
)
def test_bad_arguments(make, arguments, message):
    with pytest.raises(ValueError, match=message):
        make(**arguments)
