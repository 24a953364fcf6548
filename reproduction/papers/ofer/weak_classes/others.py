"""Other classifiers on Tables 13 and 14: with labelled images alone, and with the same labels."""

from functools import partial

import numpy as np

from reproduction.engine.declaration import Experiment
from reproduction.papers.ofer.images import tables as _images
from reproduction.papers.ofer.images.tasks import take
from reproduction.papers.ofer.weak_classes import labelled_only, same_labels
from reproduction.papers.ofer.weak_classes.candidates import candidates
from reproduction.papers.ofer.weak_classes.labelled_only import LABELLED_ONLY
from reproduction.papers.ofer.weak_classes.same_labels import SAME_LABELS
from reproduction.papers.ofer.weak_classes.tables import SETTINGS

__all__ = ["AWA", "CALTECH101", "evaluate"]


METHODS = (*LABELLED_ONLY, *SAME_LABELS)


def evaluate(data, method, setting, split):
    """Accuracy of one method on one split with so many examples a class.

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
    if method in LABELLED_ONLY:
        predicted = LABELLED_ONLY[method](data, task)
    else:
        predicted = SAME_LABELS[method](task, candidates(data, task.y_weak))
    return {"accuracy": 100.0 * np.mean(predicted == task.y_test)}


def _declare(id, name):
    return Experiment(
        id=id,
        title=f"Other classifiers of images with and without weak labels on {_images.TITLES[name]}",
        load=partial(_images.load_images, name),
        evaluate=evaluate,
        methods=METHODS,
        settings=SETTINGS[name],
        n_splits=5,
        parameters={
            **_images.PARAMETERS[name],
            "labelled_only": labelled_only.PARAMETERS,
            "same_labels": same_labels.PARAMETERS,
        },
        datasets=(name, "class_vectors"),
        check_settings=("1",),
        check_methods=("nearest class mean", "ESZSL", "PL-kNN"),
        methods_of={"1": tuple(name for name in METHODS if name != "shrinkage LDA")},
        # An image near a border of two classes may change sides on another processor.
        atol={"accuracy": 0.2},
    )


CALTECH101 = _declare("ofer-latent-others-caltech101", "caltech101")
AWA = _declare("ofer-latent-others-awa", "awa")
