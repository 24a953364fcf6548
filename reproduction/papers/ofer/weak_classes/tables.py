"""Tables 13 and 14 with latent classes, and the steps that lead to them."""

from functools import partial

import numpy as np

from reproduction.engine.declaration import Experiment
from reproduction.papers.ofer.images import tables as _images
from reproduction.papers.ofer.images.tasks import take
from reproduction.papers.ofer.weak_classes import latent
from reproduction.papers.ofer.weak_classes.candidates import candidates
from reproduction.papers.ofer.weak_classes.latent import RIDGES

__all__ = ["AWA", "CALTECH101", "SETTINGS", "evaluate"]

SETTINGS = {"caltech101": ("1", "3", "10"), "awa": ("1", "5", "14")}


def evaluate(data, method, setting, split):
    """Accuracy of one method on one split with so many examples a class, and 2500 weak ones.

    Parameters
    ----------
    data : sklearn.utils.Bunch
        As from `reproduction.papers.ofer.images.tables.load_images`.
    method : str
        One of the experiment's methods.
    setting : str
        Number of labelled images a class.
    split : int
        Number of the split, one of those of Tables 11 to 14.

    Returns
    -------
    dict of str to float
        The metric "accuracy" in percent.
    """
    task = take(data, int(setting), split)
    predicted = RIDGES[method](data, task, candidates(data, task.y_weak))
    return {"accuracy": 100.0 * np.mean(predicted == task.y_test)}


def _declare(id, name, methods):
    return Experiment(
        id=id,
        title=f"Latent classes of weakly labelled images on {_images.TITLES[name]}",
        load=partial(_images.load_images, name),
        evaluate=evaluate,
        methods=methods,
        settings=SETTINGS[name],
        n_splits=5,
        parameters={**_images.PARAMETERS[name], "latent": latent.PARAMETERS},
        datasets=(name, "class_vectors"),
        check_settings=("1",),
        # An image near a border of two classes may change sides on another processor.
        atol={"accuracy": 0.2},
    )


STEPS = ("self-training", "one-hot ridge, imputed", "latent", "latent, soft")
CALTECH101 = _declare("ofer-latent-caltech101", "caltech101", STEPS)
AWA = _declare("ofer-latent-awa", "awa", tuple(RIDGES))
