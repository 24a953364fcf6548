"""The public estimators in small configurations, each with a generator of tiny problems."""

from ofer import (
    GaussianEmbedding,
    KernelRidgeCV,
    LinearGaussianSSM,
    OutputFisherRegressor,
    StateSpaceEmbedding,
)
from tests.ofer.robustness.exports import at_defaults, public_estimators
from tests.ofer.robustness.problems import (
    MIXTURE,
    RIDGE,
    Subject,
    fisher_without_each,
    forecast,
    groups,
    points,
    predict,
    regression,
    ridge_without_each,
    round_trip,
    series,
    series_outputs,
)
from tests.ofer.rooms import gathered

__all__ = ["SUBJECTS"]

GAUSSIAN = GaussianEmbedding()
ON_Y = ("Y",)

SUBJECTS = {
    "KernelRidgeCV": Subject(
        KernelRidgeCV(), regression, predict, "outputs", loo=ridge_without_each
    ),
    "KernelRidgeCV, one ridge": Subject(
        RIDGE, regression, predict, "outputs", loo=ridge_without_each
    ),
    "KernelRidgeCV, one per target": Subject(
        KernelRidgeCV(alpha_per_target=True), regression, predict, "outputs"
    ),
    "KernelRidgeCV, rbf": Subject(
        KernelRidgeCV(kernel="rbf", gamma=0.5),
        regression,
        predict,
        "outputs",
        loo=ridge_without_each,
    ),
    "KernelRidgeCV, rbf, median": Subject(
        KernelRidgeCV(kernel="rbf", gamma="median"), regression, predict, "outputs"
    ),
    "OutputFisherRegressor": Subject(
        OutputFisherRegressor(GAUSSIAN, RIDGE),
        regression,
        predict,
        "outputs",
        loo=fisher_without_each,
    ),
    "OutputFisherRegressor, mixture": Subject(
        OutputFisherRegressor(MIXTURE, RIDGE),
        groups,
        predict,
        "outputs",
        loo=fisher_without_each,
        cases=8,
    ),
    "OutputFisherRegressor, series": Subject(
        OutputFisherRegressor(StateSpaceEmbedding(1, max_iter=5)),
        series_outputs,
        predict,
        "outputs",
        cases=8,
    ),
    "GaussianEmbedding": Subject(GAUSSIAN, points, round_trip, "inputs", ON_Y),
    "GaussianEmbedding, full covariance": Subject(
        GaussianEmbedding(covariance_type="full"), points, round_trip, "inputs", ON_Y
    ),
    "GaussianMixtureEmbedding": Subject(MIXTURE, points, round_trip, "inputs", ON_Y),
    "StateSpaceEmbedding": Subject(
        StateSpaceEmbedding(1, max_iter=5), series, round_trip, "inputs", ("Z",)
    ),
    "LinearGaussianSSM": Subject(
        LinearGaussianSSM(1, max_iter=5), series, forecast, "inputs", ("Z",)
    ),
} | dict(gathered("SUBJECTS"))

for _name, _class in public_estimators().items():
    _subject = at_defaults(_class, SUBJECTS.values())
    if _subject.cases and repr(_subject.estimator) not in {
        repr(one.estimator) for one in SUBJECTS.values()
    }:
        SUBJECTS[f"{_name}, defaults"] = _subject
