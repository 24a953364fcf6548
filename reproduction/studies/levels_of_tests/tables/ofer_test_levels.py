"""How often tests call two equally good methods different, by the size of the training set."""

from itertools import product

from reproduction.engine.declaration import Check, Experiment, Tolerance
from reproduction.engine.scores import Score
from reproduction.studies.levels_of_tests.simulation import (
    LEVELS,
    PARAMETERS,
    POPULATIONS,
    SIZES,
    evaluate,
)

__all__ = ["EXPERIMENT"]

TESTS = (
    "Student",
    "corrected",
    "corrected, whole pool",
    "greatest correlation",
    "pigeonhole bootstrap",
    "two-way, cells subtracted",
    "two-way, cells twice",
    "two-way",
)
EXPERIMENT = Experiment(
    id="ofer-test-levels",
    title="Tests of two equally good methods on repeated splits",
    evaluate=evaluate,
    methods=TESTS,
    scores=(
        Score("standard error"),
        *(Score(f"{name}_{level}", high=1) for name in ("rate", "power") for level in LEVELS),
        *(Score(f"detectable_{level}") for level in LEVELS),
    ),
    settings=tuple(f"{size} of {population}" for population, size in product(POPULATIONS, SIZES)),
    n_splits=20,
    parameters=PARAMETERS,
    check=Check(settings=(f"10 of {POPULATIONS[0]}",), methods=TESTS[-1:]),
    # A test on the edge of its level turns with the last bit of a sum.
    tolerance=Tolerance(rtol=1e-3, atol={f"rate_{name}": 2e-3 for name in LEVELS}),
)
