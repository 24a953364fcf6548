"""What prediction regions hand to the tests of all estimators."""

from functools import partial

from sklearn.linear_model import Ridge

from ofer import CrossConformalClassifier, JackknifePlus, KernelRidgeCV, OutputFisherRegressor
from tests.ofer.robustness.outcomes import LEFT_OUT, NOT_HERE
from tests.ofer.robustness.problems import Subject, classes, regression
from tests.ofer.samples import LABELS, X, Y


def intervals(model, queries):
    """Middles, which move and grow as outputs do."""
    return model.predict_interval(queries).mean(axis=-1)


def sets(model, queries):
    return model.predict_set(queries).astype(float)


CASES = {
    "regions": (
        JackknifePlus(KernelRidgeCV(kernel="rbf")),
        {"X": X, "y": Y},
        X,
        lambda model, queries: model.predict_interval(queries),
    ),
    "regions, refitted": (
        JackknifePlus(Ridge(), shape="ellipsoid"),
        {"X": X, "y": Y},
        X,
        lambda model, queries: model.predict_interval(queries),
    ),
    "sets of classes": (
        CrossConformalClassifier(),
        {"X": X, "y": LABELS},
        X,
        lambda model, queries: model.predict_set(queries),
    ),
}

ESTIMATORS = [
    JackknifePlus(),
    JackknifePlus(strict=True),
    JackknifePlus(OutputFisherRegressor(), shape="ellipsoid"),
    CrossConformalClassifier(),
]
CHOSEN_BY_LEAVE_ONE_OUT = [JackknifePlus]

SUBJECTS = {
    "JackknifePlus": Subject(JackknifePlus(confidence_level=0.5), regression, intervals, "outputs"),
    # with enough samples for bounds at a level of .9
    "JackknifePlus, defaults": Subject(
        JackknifePlus(), partial(regression, least=10), intervals, "outputs", cases=3
    ),
    "CrossConformalClassifier": Subject(
        CrossConformalClassifier(confidence_level=0.5), classes, sets, "labels"
    ),
}
EXCEPTIONS = [(tuple(SUBJECTS), ("whole weights", "samples twice"), NOT_HERE, LEFT_OUT)]
