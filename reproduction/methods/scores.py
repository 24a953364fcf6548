"""Errors of real outputs, and the number of components that mixtures choose."""

from ofer.metrics import arrmse, rrmse
from reproduction.engine.columns import Number
from reproduction.engine.table import Score

__all__ = ["ARRMSE", "N_COMPONENTS", "RRMSE"]


def score_rrmse(Y_test, outputs, Y):
    """Error of all outputs over that of predicting zero."""
    return rrmse(Y_test, outputs)


def score_arrmse(Y_test, outputs, Y):
    """Mean over the outputs of the error over that of the training mean."""
    return arrmse(Y_test, outputs, y_train=Y)


RRMSE = Score("rrmse", score_rrmse)
ARRMSE = Score("arrmse", score_arrmse)
N_COMPONENTS = Score("n_components", number=Number(1, whole=True, choice=True))
