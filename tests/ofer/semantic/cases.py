"""What the classifier of named classes hands to the tests of all estimators."""

from ofer import InputOutputKernelRegressor, OutputFisherRegressor, SemanticClassifier
from tests.ofer.robustness.outcomes import LEFT_OUT, NOT_HERE
from tests.ofer.robustness.problems import VECTORS, Subject, classes, decide
from tests.ofer.samples import LABELS, SMALL_MIXTURE, X

CASES = {
    "semantic": (
        SemanticClassifier(class_vectors=VECTORS.copy()),
        {"X": X, "y": LABELS},
        X,
        lambda model, queries: model.decision_function(queries),
    ),
}
TAKES_LISTS = ["semantic"]
FEATURES_HAVE_NAMES = [("semantic", "X")]
DEFAULT_PARTS = [(SemanticClassifier(), ("regressor", "kernel", "rbf"))]

WITHOUT_LEAVE_ONE_OUT = SemanticClassifier(InputOutputKernelRegressor(), metric="cosine")
# Without class vectors, because the checks bring labels of their own.
ESTIMATORS = [
    SemanticClassifier(),
    WITHOUT_LEAVE_ONE_OUT,
    SemanticClassifier(OutputFisherRegressor(SMALL_MIXTURE)),
    SemanticClassifier(OutputFisherRegressor(), decode="output"),
    SemanticClassifier(weak="latent"),
]
CHOSEN_BY_LEAVE_ONE_OUT = [SemanticClassifier]
# The check asks the class for `predict_proba` before `fit`, which finds the regressor to have none.
NO_LEAVE_ONE_OUT = "probabilities come from leave-one-out predictions"
EXPECTED_FAILURES = [(WITHOUT_LEAVE_ONE_OUT, "check_decision_proba_consistency", NO_LEAVE_ONE_OUT)]

SUBJECTS = {
    "SemanticClassifier": Subject(
        SemanticClassifier(class_vectors=VECTORS), classes, decide, "labels"
    ),
}
EXCEPTIONS = [(tuple(SUBJECTS), ("whole weights", "samples twice"), NOT_HERE, LEFT_OUT)]
