"""Errors of real outputs."""

from ofer.metrics import arrmse, rrmse
from reproduction.engine.scores import Score

__all__ = ["ARRMSE", "RRMSE"]


def score_rrmse(Y_test, outputs, Y):
    """Error of all outputs over that of predicting zero."""
    return rrmse(Y_test, outputs)


def score_arrmse(Y_test, outputs, Y):
    """Mean over the outputs of the error over that of the training mean."""
    return arrmse(Y_test, outputs, y_train=Y)


RRMSE = Score("rrmse", score_rrmse)
ARRMSE = Score("arrmse", score_arrmse)
