"""What is declared where it is not the rule, in one place a room and with a reason."""

from tests.ofer.robustness.outcomes import (
    ABSENT,
    DEFECT,
    DENSE,
    EQUAL,
    HOLDS,
    LEFT_OUT,
    MISSING,
    NAMED,
    NOT_HERE,
    ONE_RIDGE,
    SIZES,
    WEIGHTLESS,
)
from tests.ofer.robustness.perturbations import REFUSED
from tests.ofer.robustness.verdicts import applicable
from tests.ofer.rooms import gathered

__all__ = ["declared"]

SCALED = ("scale inputs", "inputs x 1e-6", "inputs x 1e6")
WEIGHTED = ("weight zero", "whole weights", "routed weights")
COPIES = ("whole weights", "samples twice")

EMBEDDINGS = (
    "GaussianEmbedding",
    "GaussianEmbedding, full covariance",
    "GaussianMixtureEmbedding",
)
STATES = ("StateSpaceEmbedding", "LinearGaussianSSM")
RIDGES = (
    "KernelRidgeCV",
    "KernelRidgeCV, one ridge",
    "KernelRidgeCV, one per target",
    "KernelRidgeCV, rbf",
    "KernelRidgeCV, rbf, median",
)
FISHER = ("OutputFisherRegressor", "OutputFisherRegressor, mixture")
COMPLETED = ("OutputFisherRegressor, mixture", "OutputFisherRegressor, defaults")
SERIES = "OutputFisherRegressor, series"

# estimators, perturbations, outcome, reason
EXCEPTIONS = [
    (("KernelRidgeCV, one ridge", "KernelRidgeCV, rbf"), SCALED, NOT_HERE, ONE_RIDGE),
    (FISHER, SCALED, NOT_HERE, ONE_RIDGE),
    ((*RIDGES[:1], *RIDGES[2:]), COPIES, NOT_HERE, LEFT_OUT),
    ((SERIES, "OutputFisherRegressor, defaults"), ("samples twice",), NOT_HERE, LEFT_OUT),
    (("OutputFisherRegressor, defaults",), ("whole weights",), NOT_HERE, LEFT_OUT),
    ((SERIES,), WEIGHTED, NAMED, WEIGHTLESS),
    (STATES, WEIGHTED, NOT_HERE, WEIGHTLESS),
    ((*RIDGES, *COMPLETED), ("NaN in outputs",), NOT_HERE, MISSING),
    (("LinearGaussianSSM",), ("NaN in inputs", "NaN in queries"), NOT_HERE, MISSING),
    (("KernelRidgeCV, rbf, median",), ("tiny inputs",), NAMED, EQUAL),
    (FISHER, ("tiny outputs",), NAMED, EQUAL),
    ((SERIES,), ("huge outputs", "tiny outputs"), NAMED, SIZES),
    (EMBEDDINGS, ("sparse",), NAMED, DENSE),
    (EMBEDDINGS, ("equal inputs", "tiny inputs"), NAMED, EQUAL),
    (("GaussianMixtureEmbedding",), ("NaN in inputs", "NaN in queries"), NOT_HERE, MISSING),
    (STATES, ("huge inputs", "tiny inputs"), NAMED, SIZES),
    *gathered("EXCEPTIONS"),
]

# estimators, perturbations, reason: what is still to be mended. A test fails as soon as it is.
NOT_YET = [
    (
        ("InputOutputKernelRegressor",),
        ("size of the pickle",),
        "predictions need an n x n matrix, which grows faster than the data",
    ),
    (
        (
            *("JackknifePlus", "JackknifePlus, defaults"),
            *("CrossConformalClassifier", "CrossConformalClassifier, defaults"),
        ),
        ("size of the pickle",),
        "predictions without each sample are kept beside residuals",
    ),
]
DEFAULTS = ", defaults"


def declared(name, perturbation):
    """Outcome and reason, which is empty where the rule holds."""
    if not applicable(name, perturbation):
        return NOT_HERE, ABSENT
    base = name.removesuffix(DEFAULTS)
    missing = any(
        {base, name} & {*names} and "NaN in outputs" in those for names, those, *_ in EXCEPTIONS
    )
    if perturbation == "grid search, NaN in outputs" and not missing:
        return NOT_HERE, ABSENT
    for names, perturbations, reason in NOT_YET:
        if name in names and perturbation in perturbations:
            return DEFECT, reason
    for names, perturbations, outcome, reason in EXCEPTIONS:
        known = name in names or (base in names and reason != ONE_RIDGE)
        if known and perturbation in perturbations:
            return outcome, reason
    return (NAMED if perturbation in REFUSED else HOLDS), ""
