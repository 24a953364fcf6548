"""What twin Gaussian processes hand to the tests of all estimators."""

from ofer.companions import TwinGaussianProcess, TwinGaussianProcessCV
from tests.ofer.robustness.outcomes import (
    DENSE,
    FOLDS,
    NAMED,
    NOT_HERE,
    ONE_RIDGE,
    WEIGHTLESS,
)
from tests.ofer.robustness.problems import Subject, regression
from tests.ofer.samples import X, Y, predict

CASES = {
    "twins": (TwinGaussianProcess(), {"X": X, "Y": Y}, X, predict),
    "near twins": (TwinGaussianProcess(n_neighbors=6, n_starts=2), {"X": X, "Y": Y}, X, predict),
    "twins, chosen": (
        TwinGaussianProcessCV(alphas=[0], ridges=[0.01], bandwidths_x=[1.0], bandwidths_y=[1.0]),
        {"X": X, "y": Y},
        X,
        predict,
    ),
}
FEATURES_HAVE_NAMES = [(name, "X") for name in CASES]

TWIN = {"max_iter": 20}
SUBJECTS = {
    "TwinGaussianProcess": Subject(
        TwinGaussianProcess(**TWIN),
        regression,
        predict,
        "outputs",
        ("X", "Y"),
        cases=8,
        tolerance=1e-3,
    ),
    "TwinGaussianProcess, neighbours": Subject(
        TwinGaussianProcess(n_neighbors=4, **TWIN),
        regression,
        predict,
        "outputs",
        ("X", "Y"),
        cases=8,
        tolerance=1e-3,
    ),
    "TwinGaussianProcessCV": Subject(
        TwinGaussianProcessCV(
            alphas=[0], ridges=[0.01], bandwidths_x=[1.0], bandwidths_y=[1.0], cv=2, **TWIN
        ),
        regression,
        predict,
        "outputs",
        cases=8,
        tolerance=1e-3,
    ),
}
TWINS = ("TwinGaussianProcess", "TwinGaussianProcess, neighbours", "TwinGaussianProcessCV")
UNITS = (
    *("inputs x 1e-6", "inputs x 1e6", "outputs x 1e-6", "outputs x 1e6"),
    "outputs, units of their own",
)
EXCEPTIONS = [
    (TWINS[2:], ("scale inputs", "scale outputs"), NOT_HERE, ONE_RIDGE),
    (TWINS, ("sparse",), NAMED, DENSE),
    (TWINS[2:], UNITS, NOT_HERE, ONE_RIDGE),
    (TWINS[2:], ("grid search",), NOT_HERE, FOLDS),
    (TWINS, ("samples twice",), NOT_HERE, "twice the samples are half of the ridges"),
    (TWINS, ("weight zero", "whole weights", "routed weights"), NOT_HERE, WEIGHTLESS),
]
