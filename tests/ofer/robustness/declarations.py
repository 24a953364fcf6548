"""What is declared where it is not the rule, in one place a room and with a reason."""

from tests.ofer.robustness.outcomes import (
    ABSENT,
    DENSE,
    EQUAL,
    HOLDS,
    MISSING,
    NAMED,
    NOT_HERE,
    ONE_RIDGE,
    SIZES,
)
from tests.ofer.robustness.perturbations import REFUSED
from tests.ofer.robustness.verdicts import applicable
from tests.ofer.rooms import gathered

__all__ = ["declared"]

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
SERIES = "OutputFisherRegressor, series"

# estimators, perturbations, outcome, reason
EXCEPTIONS = [
    (("KernelRidgeCV, one ridge", "KernelRidgeCV, rbf"), ("scale inputs",), NOT_HERE, ONE_RIDGE),
    (FISHER, ("scale inputs",), NOT_HERE, ONE_RIDGE),
    ((*RIDGES, *FISHER), ("NaN in outputs",), NOT_HERE, MISSING),
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


def declared(name, perturbation):
    """Outcome and reason, which is empty where the rule holds."""
    if not applicable(name, perturbation):
        return NOT_HERE, ABSENT
    for names, perturbations, outcome, reason in EXCEPTIONS:
        if name in names and perturbation in perturbations:
            return outcome, reason
    return (NAMED if perturbation in REFUSED else HOLDS), ""
