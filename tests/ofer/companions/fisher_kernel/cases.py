"""What Fisher kernel learning hands to the tests of all estimators."""

import numpy as np

from ofer.companions import FisherKernelLearner, PairwiseMRF
from tests.ofer.robustness.outcomes import (
    DENSE,
    EQUAL,
    LEFT_OUT,
    NAMED,
    NOT_HERE,
    STEPS,
    WEIGHTLESS,
)
from tests.ofer.robustness.problems import Subject, chains
from tests.ofer.samples import CHAINS, LABELS, transform

FIELD = PairwiseMRF(2, max_iter=3, random_state=0)

CASES = {
    "field": (FIELD, {"objects": CHAINS}, CHAINS, transform),
    "learner": (
        FisherKernelLearner(FIELD, max_iter=2),
        {"objects": CHAINS, "y": LABELS},
        CHAINS,
        transform,
    ),
}
TAKES_LISTS = ["learner"]
FEATURES_HAVE_NAMES = [(name, "objects") for name in CASES]
DEFAULT_PARTS = [(FisherKernelLearner(), ("model", "n_states", 3))]


def scores(model, objects):
    """Score vectors without the unit of the data, and the orders of its columns and of states.

    Scores in the means have the inverse unit, but weighted ones; their size in each state is what
    all orders of columns share.
    """
    field, found = (
        (model if model.__class__ is PairwiseMRF else model.model_),
        np.asarray(model.transform(objects)),
    )
    order, n = np.argsort(field.means_.sum(axis=1)), len(found)
    blocks = {name: found[:, columns] for name, columns in field.blocks_.items()}
    blocks["means"] = np.linalg.norm(blocks["means"].reshape(n, *field.means_.shape), axis=2)
    if field is model:
        blocks["means"] *= np.exp(field.log_scales_)
    moves = blocks.pop("transition").reshape(n, len(order), -1)[:, order][:, :, order]
    return np.hstack([moves.reshape(n, -1), *(block[:, order] for block in blocks.values())])


SUBJECTS = {
    "PairwiseMRF": Subject(
        FIELD, chains, scores, "features", ("objects",), cases=8, tolerance=1e-3
    ),
    "FisherKernelLearner": Subject(
        FisherKernelLearner(FIELD, max_iter=2),
        chains,
        scores,
        "features",
        ("objects", "y"),
        cases=8,
        tolerance=3e-3,  # scores are divided by their spread, which may be near rounding
    ),
}
FIELDS = ("PairwiseMRF", "FisherKernelLearner")
EXCEPTIONS = [
    (FIELDS[1:], ("scale inputs", "inputs x 1e-6", "inputs x 1e6"), NOT_HERE, STEPS),
    (FIELDS[1:], ("samples twice",), NOT_HERE, LEFT_OUT),
    (FIELDS, ("weight zero", "whole weights"), NOT_HERE, WEIGHTLESS),
    (FIELDS, ("sparse",), NAMED, DENSE),
    (FIELDS, ("tiny inputs",), NAMED, EQUAL),
]
