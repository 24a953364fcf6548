"""What local structured predictors hand to the tests of all estimators."""

from dataclasses import replace

from ofer.companions import LocalStructuredPredictor
from tests.ofer.robustness.outcomes import FOLDS, NOT_HERE, ORIGIN, WEIGHTLESS
from tests.ofer.robustness.problems import Subject, chains, classes
from tests.ofer.samples import CHAINS, LABELS, TAGS, X, predict

CASES = {
    "local": (
        LocalStructuredPredictor(n_neighbors=4, n_iter=3, eta0=0.1),
        {"X": X, "y": LABELS},
        X,
        predict,
    ),
    "local, chains": (
        LocalStructuredPredictor("chain", n_neighbors=4, n_iter=3, eta0=0.1),
        {"X": CHAINS, "y": TAGS},
        CHAINS,
        predict,
    ),
}
TAKES_LISTS = list(CASES)
FEATURES_HAVE_NAMES = [(name, "X") for name in CASES]


def tagged_chains(rng):
    """Sequences with a label at each step; one in three has none."""
    problem = chains(rng)
    tags = [[int(step[0] > 0) for step in one] for one in problem.inputs]
    tags[0][:2] = [0, 1]
    return replace(problem, outputs=[None if i % 3 == 2 else one for i, one in enumerate(tags)])


SUBJECTS = {
    "LocalStructuredPredictor": Subject(
        LocalStructuredPredictor(n_neighbors=4, n_iter=3, eta0=0.1), classes, predict, "labels"
    ),
    "LocalStructuredPredictor, chains": Subject(
        LocalStructuredPredictor("chain", n_neighbors=4, n_iter=3, eta0=0.1),
        tagged_chains,
        predict,
        "labels",
    ),
}
LOCAL = ("LocalStructuredPredictor", "LocalStructuredPredictor, chains")
EXCEPTIONS = [
    (LOCAL, ("shift inputs", "scale inputs", "constant feature"), NOT_HERE, ORIGIN),
    (LOCAL, ("inputs x 1e-6", "inputs x 1e6"), NOT_HERE, "C and eta0 have the kernel's unit"),
    (LOCAL, ("samples twice",), NOT_HERE, "a copy is the nearest neighbour"),
    (LOCAL, ("weight zero", "whole weights", "routed weights"), NOT_HERE, WEIGHTLESS),
    (LOCAL, ("grid search",), NOT_HERE, FOLDS),
    (LOCAL[1:], ("equal inputs",), NOT_HERE, "each label belongs to a step"),
    (LOCAL[1:], ("sparse",), NOT_HERE, "a chain is a list of matrices"),
]
