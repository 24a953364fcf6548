"""scikit-learn's own checks."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from ofer.companions import LocalStructuredPredictor

ESTIMATORS = [
    LocalStructuredPredictor(n_neighbors=5, eta0=0.1, n_iter=5),
    LocalStructuredPredictor(n_neighbors=5, eta0=0.1, n_iter=5, kernel="rbf", y_step="literal"),
]


UNLABELLED = "the label -1 marks an unlabelled sample, as in sklearn.semi_supervised"


@pytest.mark.filterwarnings("ignore")
@parametrize_with_checks(
    ESTIMATORS, expected_failed_checks=lambda _: {"check_classifiers_classes": UNLABELLED}
)
def test_estimator(estimator, check):
    check(estimator)
