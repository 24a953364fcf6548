"""The simplest rival."""

import numpy as np

from reproduction.engine.table import Prediction

__all__ = ["training_mean"]


def training_mean(task):
    """The mean of the training outputs, whatever the input."""
    return Prediction(np.tile(task.Y.mean(axis=0), (len(task.Y_test), 1)))
