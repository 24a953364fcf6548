"""What the weight of weak labels does (section 6.5; the subject of the paper's Table 15)."""

import numpy as np

from reproduction.studies.images import classification, comparison, tasks

__all__ = ["PARAMETERS", "SETS", "evaluate", "load_images"]

SETS = {"Caltech-101": "caltech101", "AwA": "awa"}
PARAMETERS = {"per_class": 3, "method": "wOFER+2500"}


def load_images():
    """Both data sets."""
    return {label: comparison.load_images(name) for label, name in SETS.items()}


def evaluate(data, method, setting, split):
    """Accuracy of OFER-GMM with 2500 weak labels of one weight."""
    images = data[method]
    task = tasks.take(images, PARAMETERS["per_class"], split)
    predicted, chosen = classification.predict(
        PARAMETERS["method"], images, task, weak_weights=[float(setting)]
    )
    return {"accuracy": 100.0 * np.mean(predicted == task.y_test), "rank": chosen["rank"]}
