"""Table 14 with inference: weak images of which the component of the class is known."""

import numpy as np

from reproduction.studies.images.tasks import take
from reproduction.studies.second_volume.open_classes.problem import Problem

__all__ = ["candidates", "draw"]


def candidates(data, y, n_components=None):
    """Which classes weak labels leave open: those of the mixture component of an image's class."""
    mixture = data.natural[n_components or max(data.natural)]
    component = mixture.predict_proba(data.vectors).argmax(axis=1)
    return component == component[y][:, None]


def draw(data, setting, split):
    """Draw labelled, weak and test images, those of Tables 11 to 14."""
    per_class, components = setting.split()
    task = take(data, int(per_class), split)
    weak_sets = candidates(data, task.y_weak, None if components == "all" else int(components))
    still_open = np.vstack([np.eye(weak_sets.shape[1], dtype=bool)[task.y], weak_sets])
    X, y = np.vstack([task.X, task.X_weak]), np.append(task.y, task.y_weak)
    return Problem(X, y, still_open, len(task.y), task.X_test, task.y_test, seed=split)
