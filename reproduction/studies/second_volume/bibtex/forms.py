"""IOKR on tags by the form of its inputs, its ridge parameter by a squared error instead of F1."""

import numpy as np

from ofer import InputOutputKernelRegressor
from reproduction.studies.second_volume.bibtex import evaluation
from reproduction.studies.second_volume.bibtex.evaluation import (
    METHODS,
    scores_by_example,
    training_part,
)

__all__ = ["METHOD", "evaluate"]

METHOD = "IOKR, linear kernel"


def evaluate(data, method, setting, split):
    """F1 by example of IOKR with a linear kernel, in per cent, and its lead over the authors' IOKR.

    Leave-one-out chooses the ridge parameter by the squared error of the output features.
    """
    gamma = 1.0 / (2.0 * evaluation.PARAMETERS["IOKR"]["variance_y"])
    model = InputOutputKernelRegressor(output_gamma=gamma)
    model.fit(data.train[setting], data.outputs["Y"])
    f1 = 100.0 * scores_by_example(model.predict(data.test[setting]), data.Y_test)
    iokr = METHODS["IOKR, one solve"](training_part(data), split)
    lead = f1 - 100.0 * scores_by_example(iokr(data.test), data.Y_test)
    values = {"f1": f1, "lead": lead}
    errors = {f"{name} se": each.std() / np.sqrt(len(each)) for name, each in values.items()}
    return {name: each.mean() for name, each in values.items()} | errors
