"""What input output kernel regression hands to the tests of all estimators."""

import numpy as np
from sklearn.base import clone

from ofer import InputOutputKernelRegressor
from tests.ofer.robustness.outcomes import EQUAL, HOLDS, LEFT_OUT, NAMED, NOT_HERE, ONE_UNIT
from tests.ofer.robustness.problems import Subject, regression, without_each
from tests.ofer.samples import SERIES, X, Y, linear, predict

CASES = {
    "iokr": (InputOutputKernelRegressor(kernel="rbf"), {"X": X, "y": Y}, X, predict),
    "iokr, gradient": (
        InputOutputKernelRegressor(kernel="rbf", preimage="gradient"),
        {"X": X, "y": Y},
        X,
        predict,
    ),
    "iokr, function": (
        InputOutputKernelRegressor(kernel="rbf", output_kernel=linear),
        {"X": X, "y": list(SERIES)},
        X,
        predict,
    ),
    "iokr, given": (
        InputOutputKernelRegressor(kernel="rbf", output_kernel="precomputed"),
        {"X": X, "y": linear(Y, Y)},
        X,
        lambda model, queries: model.score_candidates(queries),
    ),
}
TAKES_LISTS = ["iokr, function"]
FEATURES_HAVE_NAMES = [("iokr", "X")]
KERNEL_MACHINES = [InputOutputKernelRegressor]
ENDS_OF_GRIDS = [InputOutputKernelRegressor(output_kernel="linear")]
MODELS_OF_SERIES = [
    InputOutputKernelRegressor(preimage="gradient"),
    InputOutputKernelRegressor(output_kernel=linear),
]
MATRICES = [("ofer.InputOutputKernelRegressor(kernel='rbf', gamma=0.1, alphas=[0.1])", 5.4)]

ESTIMATORS = [
    InputOutputKernelRegressor(),
    InputOutputKernelRegressor(kernel="rbf", preimage="gradient"),
    InputOutputKernelRegressor(output_kernel="linear", preimage="gradient"),
]
CHOSEN_BY_LEAVE_ONE_OUT = [InputOutputKernelRegressor]


def iokr_without_each(subject, model, problem):
    """With a linear output kernel, errors are those of the outputs themselves, in their units."""
    chosen = clone(model).set_params(alphas=[model.alpha_])
    errors = problem.outputs - without_each(subject, problem, chosen)
    return model.loo_scores_.max(), -np.mean(np.square(errors / problem.outputs.std(axis=0)))


SUBJECTS = {
    "InputOutputKernelRegressor": Subject(
        InputOutputKernelRegressor(kernel="rbf", gamma="median"), regression, predict, "outputs"
    ),
    "InputOutputKernelRegressor, gradient": Subject(
        InputOutputKernelRegressor(preimage="gradient"), regression, predict, "outputs", cases=8
    ),
    "InputOutputKernelRegressor, linear": Subject(
        InputOutputKernelRegressor(output_kernel="linear", preimage="gradient"),
        regression,
        predict,
        "outputs",
        loo=iokr_without_each,
    ),
}
IOKR = ("InputOutputKernelRegressor", "InputOutputKernelRegressor, gradient")
EXCEPTIONS = [
    (("InputOutputKernelRegressor, defaults",), ("tiny inputs",), HOLDS, ""),
    (IOKR[:1], ("tiny inputs",), NAMED, EQUAL),
    (IOKR, ("tiny outputs",), NAMED, EQUAL),
    (tuple(SUBJECTS), ("whole weights", "samples twice"), NOT_HERE, LEFT_OUT),
    (tuple(SUBJECTS), ("outputs, units of their own",), NOT_HERE, ONE_UNIT),
]

BLOCK_REGRESSORS = {
    "output kernel": InputOutputKernelRegressor(output_kernel="linear", preimage="gradient")
}
