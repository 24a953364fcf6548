"""What searches over leave-one-out hand to the tests of all estimators."""

from sklearn.base import clone
from sklearn.metrics import f1_score

from ofer import (
    GaussianMixtureEmbedding,
    KernelRidgeCV,
    OutputFisherRegressorCV,
    TunedThresholdMultilabelClassifier,
)
from tests.ofer.robustness.outcomes import EQUAL, LEFT_OUT, MISSING, NAMED, NOT_HERE, ONE_RIDGE
from tests.ofer.robustness.problems import (
    MIXTURE,
    RIDGE,
    Subject,
    decide,
    fisher_without_each,
    labels,
    predict,
    regression,
    without_each,
)
from tests.ofer.samples import EM

ESTIMATORS = [
    OutputFisherRegressorCV(
        GaussianMixtureEmbedding(**EM), KernelRidgeCV([0.1]), n_components=(1, 2), cv=2
    ),
]
FOLDS = "cv is a number of folds, in whose place scikit-learn's check puts folds"
EXPECTED_FAILURES = [
    (ESTIMATORS[0], f"check_sample_weight_equivalence_on_{kind}_data", FOLDS)
    for kind in ("dense", "sparse")
]


def chosen_fisher_without_each(subject, model, problem):
    return fisher_without_each(subject, model.best_estimator_, problem)


def labels_without_each(subject, model, problem):
    ridge = clone(model.regressor_).set_params(alphas=[model.regressor_.alpha_])
    scores = without_each(subject, problem, ridge)
    found = f1_score(
        problem.outputs, scores > model.threshold_, average="samples", zero_division=0.0
    )
    return model.best_score_, found


SUBJECTS = {
    "OutputFisherRegressorCV": Subject(
        OutputFisherRegressorCV(MIXTURE, RIDGE, n_components=(1, 2), cv=None),
        regression,
        predict,
        "outputs",
        loo=chosen_fisher_without_each,
        cases=8,
    ),
    "TunedThresholdMultilabelClassifier": Subject(
        TunedThresholdMultilabelClassifier(), labels, decide, "labels", loo=labels_without_each
    ),
}
CHOSEN = ("OutputFisherRegressorCV",)
EXCEPTIONS = [
    (CHOSEN, ("scale inputs", "inputs x 1e-6", "inputs x 1e6"), NOT_HERE, ONE_RIDGE),
    (tuple(SUBJECTS), ("samples twice", "whole weights"), NOT_HERE, LEFT_OUT),
    (CHOSEN, ("NaN in outputs",), NOT_HERE, MISSING),
    (CHOSEN, ("tiny outputs",), NAMED, EQUAL),
    (("OutputFisherRegressorCV, defaults",), ("scaled part",), NOT_HERE, "it has a scaler"),
]
