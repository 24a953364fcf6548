"""scikit-learn's own checks, for every estimator and transformer."""

import pytest
from sklearn.utils.estimator_checks import (
    check_sample_weight_equivalence_on_dense_data,
    parametrize_with_checks,
)

from ofer import (
    FullFisherEmbedding,
    GaussianEmbedding,
    GaussianMixtureEmbedding,
    InputOutputKernelRegressor,
    KernelRidgeCV,
    OutputFisherRegressor,
    OutputFisherRegressorCV,
    SemanticClassifier,
    TunedThresholdMultilabelClassifier,
)

# Leave-one-out leaves out a sample, whatever its weight: a sample of weight two is not two
# samples, of which one would stay. scikit-learn's RidgeCV has the same exception.
WEIGHTS = "leave-one-out takes a sample of weight two as one sample"
# Equation (10) is nearly singular where a linear kernel without an intercept predicts
# memberships near zero: predictions explode, which is why the defaults are others.
EXPLODES = "as printed, predictions explode with a linear kernel"


def expected_failures(estimator):
    """Checks that fail for a reason that is stated, by name."""
    chosen_by_leave_one_out = (
        KernelRidgeCV,
        InputOutputKernelRegressor,
        OutputFisherRegressor,
        SemanticClassifier,
    )
    if isinstance(estimator, chosen_by_leave_one_out):
        data = ("dense", "sparse")
        return {f"check_sample_weight_equivalence_on_{kind}_data": WEIGHTS for kind in data}
    if isinstance(estimator, OutputFisherRegressor) and not estimator.block_wise:
        return {"check_regressors_train": EXPLODES}
    return {}


ESTIMATORS = [
    KernelRidgeCV(),
    KernelRidgeCV(kernel="rbf", fit_intercept=False, alpha_per_target=True),
    InputOutputKernelRegressor(),
    InputOutputKernelRegressor(kernel="rbf", preimage="gradient"),
    InputOutputKernelRegressor(output_kernel="linear", preimage="gradient"),
    GaussianEmbedding(),
    GaussianEmbedding(covariance_type="full"),
    FullFisherEmbedding(GaussianMixtureEmbedding(2, random_state=0)),
    GaussianMixtureEmbedding(),
    GaussianMixtureEmbedding(2, random_state=0, covariance_type="tied"),
    GaussianMixtureEmbedding(2, random_state=0, scaling="score", decoder="exact"),
    OutputFisherRegressor(),
    OutputFisherRegressor(GaussianMixtureEmbedding(2, random_state=0)),
    OutputFisherRegressor(
        GaussianMixtureEmbedding(2, random_state=0, scaling="score", decoder="raw"),
        KernelRidgeCV(fit_intercept=False),
        block_wise=False,
    ),
    OutputFisherRegressorCV(GaussianMixtureEmbedding(random_state=0), n_components=(1, 2), cv=3),
    TunedThresholdMultilabelClassifier(),
    # Without class vectors, because the checks bring labels of their own.
    SemanticClassifier(),
    SemanticClassifier(InputOutputKernelRegressor(), metric="cosine"),
    SemanticClassifier(OutputFisherRegressor(GaussianMixtureEmbedding(2, random_state=0))),
    SemanticClassifier(OutputFisherRegressor(), decode="output"),
]


@pytest.mark.filterwarnings("ignore")
@parametrize_with_checks(
    ESTIMATORS,
    expected_failed_checks=expected_failures,
)
def test_estimator(estimator, check):
    check(estimator)


@pytest.mark.parametrize("params", [{"alphas": [1.0]}, {"alphas": [1.0], "kernel": "rbf"}])
@pytest.mark.filterwarnings("ignore")
def test_with_one_ridge_a_weight_is_a_repetition(params):
    """The exception above is the selection's alone."""
    model = KernelRidgeCV(**params)
    check_sample_weight_equivalence_on_dense_data("KernelRidgeCV", model)
