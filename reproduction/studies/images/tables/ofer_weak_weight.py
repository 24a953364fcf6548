"""What the weight of weak labels does (section 6.5; the subject of the paper's Table 15)."""

import numpy as np

from reproduction.engine.declaration import Check, Experiment, Facts
from reproduction.engine.scores import Score
from reproduction.studies.images import classification, comparison, tasks

__all__ = ["EXPERIMENT", "evaluate", "load_images"]

_SETS = {"Caltech-101": "caltech101", "AwA": "awa"}
PARAMETERS = {"per_class": 3, "method": "wOFER+2500"}


def load_images():
    """Both data sets."""
    return {label: comparison.load_images(name) for label, name in _SETS.items()}


def evaluate(data, method, setting, split):
    """Accuracy of OFER-GMM with 2500 weak labels of one weight."""
    images = data[method]
    task = tasks.take(images, PARAMETERS["per_class"], split)
    predicted, chosen = classification.predict(
        PARAMETERS["method"], images, task, weak_weights=[float(setting)]
    )
    return {"accuracy": 100.0 * np.mean(predicted == task.y_test), "rank": chosen["rank"]}


EXPERIMENT = Experiment(
    id="ofer-weak-weight",
    title="The weight of weak labels in image classification",
    load=load_images,
    evaluate=evaluate,
    methods=tuple(_SETS),
    scores=(Score("accuracy", high=100), Score("rank", high=100)),
    settings=("0.001", "0.01", "0.1", "1", "10", "100"),
    n_splits=5,
    parameters={**PARAMETERS, **comparison.PARAMETERS},
    datasets=("caltech101", "awa", "class_vectors"),
    check=Check(settings=("0.1",)),
    facts=Facts(not_recorded="components, ridge parameters"),
)
