"""What regression on many samples hands to the tests of all estimators."""

import numpy as np

from ofer import GaussianEmbedding, NystroemRidgeCV, OutputFisherRegressor
from tests.ofer.robustness.outcomes import EQUAL, LEFT_OUT, NAMED, NOT_HERE, ONE_RIDGE
from tests.ofer.robustness.problems import Subject, predict, regression, ridge_without_each

ESTIMATORS = [
    NystroemRidgeCV(),
    NystroemRidgeCV(kernel="linear", fit_intercept=False, n_components=20, random_state=0),
    NystroemRidgeCV(selection="loo", n_components=50, random_state=0),
    OutputFisherRegressor(GaussianEmbedding(), NystroemRidgeCV()),
]
CHOSEN_BY_LEAVE_ONE_OUT = [NystroemRidgeCV]
WIDTH_MACHINES = [NystroemRidgeCV]

IN_BLOCKS = "OutputFisherRegressor, in blocks"
SUBJECTS = {
    "NystroemRidgeCV": Subject(
        NystroemRidgeCV(gamma=0.5, selection="loo"),
        regression,
        predict,
        "outputs",
        loo=ridge_without_each,
    ),
    IN_BLOCKS: Subject(
        OutputFisherRegressor(GaussianEmbedding(), NystroemRidgeCV(gamma="median")),
        regression,
        predict,
        "outputs",
        cases=6,
    ),
}
EXCEPTIONS = [
    (("NystroemRidgeCV",), ("scale inputs", "inputs x 1e-6", "inputs x 1e6"), NOT_HERE, ONE_RIDGE),
    (tuple(SUBJECTS), ("whole weights", "samples twice"), NOT_HERE, LEFT_OUT),
    ((IN_BLOCKS,), ("tiny inputs", "tiny outputs"), NAMED, EQUAL),
    (tuple(SUBJECTS), ("size of the pickle",), NOT_HERE, "sums over pairs of centres"),
]

CENTRES = np.random.default_rng(1).normal(size=(9, 4))
BLOCK_REGRESSORS = {
    "sums": NystroemRidgeCV(components=CENTRES),
    "sums, leave-one-out": NystroemRidgeCV(components=CENTRES, selection="loo"),
}
