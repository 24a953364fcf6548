"""What the full Fisher vector hands to the tests of all estimators and output models."""

from ofer import (
    FullFisherEmbedding,
    GaussianEmbedding,
    GaussianMixtureEmbedding,
    OutputFisherRegressor,
)
from tests.ofer.robustness.outcomes import (
    DENSE,
    EQUAL,
    NAMED,
    NOT_HERE,
    ONE_RIDGE,
    SIXTH,
    UNITS,
    WEIGHTLESS,
)
from tests.ofer.robustness.problems import RIDGE, Subject, groups, points, predict, round_trip
from tests.ofer.samples import MIXTURE, Y

SHORT = FullFisherEmbedding(MIXTURE, max_steps=20)
CASES = {
    "full": (FullFisherEmbedding(MIXTURE), {"Y": Y}, Y, lambda model, rows: model.transform(rows))
}
ESTIMATORS = [SHORT]
EMBEDDINGS = [FullFisherEmbedding(MIXTURE)]
DEFAULT_PARTS = [(FullFisherEmbedding(), ("embedding", "n_components", 2))]
OUTPUT_MODELS = [
    FullFisherEmbedding(GaussianEmbedding()),
    FullFisherEmbedding(GaussianMixtureEmbedding(2, random_state=0)),
]

FULL = "OutputFisherRegressor, full"
SUBJECTS = {
    FULL: Subject(OutputFisherRegressor(SHORT, RIDGE), groups, predict, "outputs", cases=8),
    "FullFisherEmbedding": Subject(SHORT, points, round_trip, "inputs", ("Y",), cases=8),
}
OUTPUTS = ("outputs x 1e-6", "outputs x 1e6", "outputs, units of their own")
WEIGHTED = ("weight zero", "whole weights", "routed weights")
EXCEPTIONS = [
    ((FULL,), ("scale inputs", "inputs x 1e-6", "inputs x 1e6"), NOT_HERE, ONE_RIDGE),
    ((FULL,), ("tiny outputs",), NAMED, EQUAL),
    ((FULL,), ("scale outputs", *OUTPUTS), NOT_HERE, UNITS),
    ((FULL,), WEIGHTED, NAMED, WEIGHTLESS),
    (("FullFisherEmbedding",), WEIGHTED, NOT_HERE, WEIGHTLESS),
    ((FULL,), ("huge outputs",), NAMED, SIXTH),
    (("FullFisherEmbedding",), ("sparse",), NAMED, DENSE),
    (("FullFisherEmbedding",), ("equal inputs", "tiny inputs"), NAMED, EQUAL),
    (("FullFisherEmbedding",), ("huge inputs",), NAMED, SIXTH),
]
