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
SEARCH = "a local search, whose start depends on the order or the scale"
SAYS_X = "the error calls the argument X"
SAYS_Z = "the error calls the argument Z, as in the embedding"
NOT_REFUSED = "squares overflow instead of an error that names the range"

EMBEDDINGS = (
    "GaussianEmbedding",
    "GaussianEmbedding, full covariance",
    "GaussianMixtureEmbedding",
    "FullFisherEmbedding",
)
MIXTURES = EMBEDDINGS[2:]
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
    (MIXTURES, ("NaN in inputs",), NOT_HERE, MISSING),
    (("LinearGaussianSSM",), ("NaN in inputs", "NaN in queries"), NOT_HERE, MISSING),
    (("KernelRidgeCV, rbf, median", IOKR[0]), ("tiny inputs",), NAMED, EQUAL),
    (IOKR, ("tiny outputs",), DEFECT, SAYS_X + " where equal outputs are meant"),
    ((*FISHER, FULL), ("tiny outputs",), NAMED, EQUAL),
    ((FULL,), ("scale outputs", "permute samples"), NOT_HERE, SEARCH),
    ((SERIES,), ("huge outputs", "tiny outputs", "1e200 in outputs"), DEFECT, SAYS_Z),
    (("FullFisherEmbedding",), ("huge inputs",), DEFECT, "the error is 'Singular matrix'"),
    (EMBEDDINGS, ("equal inputs", "tiny inputs"), NAMED, EQUAL),
    (EMBEDDINGS, ("sparse", "infinity in queries"), DEFECT, SAYS_X),
    (EMBEDDINGS[:3], ("infinity in inputs",), DEFECT, SAYS_X),
    (EMBEDDINGS[:2], ("NaN in inputs",), DEFECT, SAYS_X),
    (EMBEDDINGS, ("NaN in queries",), DEFECT, SAYS_X + ", or H"),
    (EMBEDDINGS, ("1e200 in queries",), DEFECT, NOT_REFUSED),
    (STATES, ("huge inputs", "tiny inputs"), NAMED, "columns are of size 1e-75 to 1e75"),
    (STATES, ("1e200 in queries",), DEFECT, NOT_REFUSED),
    (TWINS, ("sparse",), NAMED, DENSE),
    (TWINS, ("1e200 in inputs", "1e200 in outputs", "1e200 in queries"), DEFECT, NOT_REFUSED),
    (TWINS[2:], ("tiny inputs", "tiny outputs"), NAMED, EQUAL),
    (LOCAL, ("shift inputs", "scale inputs", "constant feature"), NOT_HERE, ORIGIN),
    (LOCAL, ("1e200 in inputs", "1e200 in queries"), DEFECT, NOT_REFUSED),
    (LOCAL[1:], ("equal inputs",), NOT_HERE, "each label belongs to a step"),
    (LOCAL[1:], ("sparse",), NOT_HERE, "a chain is a list of matrices"),
    (FIELDS, ("scale inputs",), NOT_HERE, "scores have the inverse units of the data"),
    (FIELDS, ("permute samples", "permute features"), NOT_HERE, SEARCH),
    (FIELDS, ("sparse",), NAMED, DENSE),
    (FIELDS, ("tiny inputs",), NAMED, EQUAL),
    (FIELDS, ("1e200 in inputs", "1e200 in queries"), DEFECT, NOT_REFUSED),
]


def declared(name, perturbation):
    """Outcome and reason, which is empty where the rule holds."""
    if not applicable(name, perturbation):
        return NOT_HERE, ABSENT
    for names, perturbations, outcome, reason in EXCEPTIONS:
        if name in names and perturbation in perturbations:
            return outcome, reason
    return (NAMED if perturbation in REFUSED else HOLDS), ""
