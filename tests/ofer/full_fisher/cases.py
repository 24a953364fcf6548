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
EXCEPTIONS = [
    ((FULL,), ("scale inputs",), NOT_HERE, ONE_RIDGE),
    ((FULL,), ("tiny outputs",), NAMED, EQUAL),
    ((FULL,), ("scale outputs",), NOT_HERE, UNITS),
    ((FULL,), ("huge outputs",), NAMED, SIXTH),
    (("FullFisherEmbedding",), ("sparse",), NAMED, DENSE),
    (("FullFisherEmbedding",), ("equal inputs", "tiny inputs"), NAMED, EQUAL),
    (("FullFisherEmbedding",), ("huge inputs",), NAMED, SIXTH),
]
