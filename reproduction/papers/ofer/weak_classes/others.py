"""Other classifiers on Table 14: with labelled images alone, and with the same weak labels."""

from functools import partial

import numpy as np

from reproduction.engine.declaration import Experiment
from reproduction.papers.ofer.images import tables as _images
from reproduction.papers.ofer.images.tasks import take
from reproduction.papers.ofer.weak_classes import labelled_only, same_labels
from reproduction.papers.ofer.weak_classes.candidates import candidates
from reproduction.papers.ofer.weak_classes.labelled_only import LABELLED_ONLY
from reproduction.papers.ofer.weak_classes.same_labels import SAME_LABELS
from reproduction.papers.ofer.weak_classes.tables import N_SPLITS, SETTINGS

__all__ = ["AWA", "evaluate"]


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


# What takes longest has one row.
QUICK = (*LABELLED_ONLY, "self-training logistic, candidates")
AWA = Experiment(
    id="ofer-latent-others-awa",
    title="Other classifiers with and without weak labels, Animals with Attributes",
    load=partial(_images.load_images, "awa"),
    evaluate=evaluate,
    methods=METHODS,
    settings=SETTINGS,
    n_splits=N_SPLITS,
    parameters={
        **_images.PARAMETERS["awa"],
        "labelled_only": labelled_only.PARAMETERS,
        "same_labels": same_labels.PARAMETERS,
    },
    datasets=("awa", "class_vectors"),
    check_settings=("1",),
    check_methods=("nearest class mean", "ESZSL"),
    methods_of={"1": tuple(m for m in QUICK if m != "shrinkage LDA"), "5": QUICK},
    # An image near a border of two classes may change sides on another processor.
    atol={"accuracy": 0.2},
)
