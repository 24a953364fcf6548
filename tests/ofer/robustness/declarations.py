"""What is declared where it is not the rule, in one place and with a reason."""

from tests.ofer.robustness.perturbations import REFUSED
from tests.ofer.robustness.verdicts import applicable

__all__ = ["ABSENT", "DEFECT", "HOLDS", "NAMED", "NOT_HERE", "declared"]

HOLDS, NAMED, DEFECT, NOT_HERE = "holds", "named error", "defect", "does not apply"

ABSENT = "there is nothing of this kind to change"
ONE_RIDGE = "a fixed ridge or bandwidth has the units of the data"
MISSING = "entries may be missing"
EQUAL = "values whose squares underflow are equal"
DENSE = "dense data only"
ORIGIN = "the kernel is not invariant to shifts"
UNITS = "the distance of equations (4) and (9) adds blocks of different units"
SIXTH = "the search has sixth powers of deviations, at most 1e50"
SIZES = "columns are of size 1e-75 to 1e75"
STEPS = "a few steps of L-BFGS, whose lengths have the unit of the data"

EMBEDDINGS = (
    "GaussianEmbedding",
    "GaussianEmbedding, full covariance",
    "GaussianMixtureEmbedding",
    "FullFisherEmbedding",
)
TWINS = ("TwinGaussianProcess", "TwinGaussianProcess, neighbours", "TwinGaussianProcessCV")
LOCAL = ("LocalStructuredPredictor", "LocalStructuredPredictor, chains")
FIELDS = ("PairwiseMRF", "FisherKernelLearner")
STATES = ("StateSpaceEmbedding", "LinearGaussianSSM")
RIDGES = (
    "KernelRidgeCV",
    "KernelRidgeCV, one ridge",
    "KernelRidgeCV, one per target",
    "KernelRidgeCV, rbf",
    "KernelRidgeCV, rbf, median",
)
FISHER = ("OutputFisherRegressor", "OutputFisherRegressor, mixture", "OutputFisherRegressorCV")
FULL, SERIES = "OutputFisherRegressor, full", "OutputFisherRegressor, series"
IOKR = ("InputOutputKernelRegressor", "InputOutputKernelRegressor, gradient")

# estimators, perturbations, outcome, reason
EXCEPTIONS = [
    (("KernelRidgeCV, one ridge", "KernelRidgeCV, rbf"), ("scale inputs",), NOT_HERE, ONE_RIDGE),
    (("NystroemRidgeCV",), ("scale inputs",), NOT_HERE, ONE_RIDGE),
    ((*FISHER, FULL, *TWINS), ("scale inputs",), NOT_HERE, ONE_RIDGE),
    (TWINS, ("scale outputs",), NOT_HERE, ONE_RIDGE),
    ((*RIDGES, *FISHER), ("NaN in outputs",), NOT_HERE, MISSING),
    (("LinearGaussianSSM",), ("NaN in inputs", "NaN in queries"), NOT_HERE, MISSING),
    (("KernelRidgeCV, rbf, median", IOKR[0]), ("tiny inputs",), NAMED, EQUAL),
    (IOKR, ("tiny outputs",), NAMED, EQUAL),
    ((*FISHER, FULL), ("tiny outputs",), NAMED, EQUAL),
    ((FULL,), ("scale outputs",), NOT_HERE, UNITS),
    ((FULL,), ("huge outputs",), NAMED, SIXTH),
    ((SERIES,), ("huge outputs", "tiny outputs"), NAMED, SIZES),
    (EMBEDDINGS, ("sparse",), NAMED, DENSE),
    (EMBEDDINGS, ("equal inputs", "tiny inputs"), NAMED, EQUAL),
    (("FullFisherEmbedding",), ("huge inputs",), NAMED, SIXTH),
    (("GaussianMixtureEmbedding",), ("NaN in inputs", "NaN in queries"), NOT_HERE, MISSING),
    (STATES, ("huge inputs", "tiny inputs"), NAMED, SIZES),
    (TWINS, ("sparse",), NAMED, DENSE),
    (TWINS[2:], ("tiny inputs", "tiny outputs"), NAMED, EQUAL),
    (LOCAL, ("shift inputs", "scale inputs", "constant feature"), NOT_HERE, ORIGIN),
    (LOCAL[1:], ("equal inputs",), NOT_HERE, "each label belongs to a step"),
    (LOCAL[1:], ("sparse",), NOT_HERE, "a chain is a list of matrices"),
    (FIELDS[1:], ("scale inputs",), NOT_HERE, STEPS),
    (FIELDS, ("sparse",), NAMED, DENSE),
    (FIELDS, ("tiny inputs",), NAMED, EQUAL),
]


def declared(name, perturbation):
    """Outcome and reason, which is empty where the rule holds."""
    if not applicable(name, perturbation):
        return NOT_HERE, ABSENT
    for names, perturbations, outcome, reason in EXCEPTIONS:
        if name in names and perturbation in perturbations:
            return outcome, reason
    return (NAMED if perturbation in REFUSED else HOLDS), ""
