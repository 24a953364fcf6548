"""Labelled samples, weak samples and test samples, as all methods are given them."""

from typing import NamedTuple

import numpy as np
from sklearn.metrics.pairwise import rbf_kernel

from ofer import KernelRidgeCV, KernelSystem
from reproduction.engine.table import Prediction, Task

__all__ = ["Problem", "accuracy", "as_task", "predict", "say"]


class Problem(NamedTuple):
    """One split: the labelled samples come first, and their only open class is their label."""

    X: np.ndarray
    """Inputs of labelled and weak samples, (n + n_weak, d)."""
    y: np.ndarray
    """Their true classes; of weak ones a method looks at them only if all are known."""
    still_open: np.ndarray
    """Their open classes, (n + n_weak, n_classes)."""
    n: int
    """How many are labelled."""
    X_test: np.ndarray
    """Test inputs."""
    y_test: np.ndarray
    """Their classes."""
    gamma: float | None = None
    """Width of the rbf kernel; None is the linear kernel."""
    seed: int = 0
    """Seeds folds."""

    def kernel(self, inputs, rows):
        """What a `KernelSystem` of these rows takes for inputs: their kernel, or their features."""
        return inputs if self.gamma is None else rbf_kernel(inputs, self.X[rows], gamma=self.gamma)

    def system(self, rows):
        """Decompose the kernel of these rows."""
        make = KernelSystem.from_features if self.gamma is None else KernelSystem.from_kernel
        return make(self.kernel(self.X[rows], rows))

    def regressor(self):
        """The same kernel as an estimator."""
        if self.gamma is None:
            return KernelRidgeCV()
        return KernelRidgeCV(kernel="rbf", gamma=self.gamma)

    @property
    def indicators(self):
        """Indicators of the classes, (n_classes, n_classes)."""
        return np.eye(self.still_open.shape[1])

    @property
    def averaged(self):
        """Mean indicator over the open classes of each sample."""
        return self.still_open / self.still_open.sum(axis=1, keepdims=True)


def as_task(draw, data, setting, split):
    """Draw a problem as a task: all of it is in `weak`."""
    problem = draw(data, setting, split)
    X, y = problem.X[: problem.n], problem.y[: problem.n]
    return Task(X, y, problem.X_test, problem.y_test, problem.seed, weak=problem)


def predict(method, task):
    """Give a method the problem; it returns classes of the test samples."""
    return Prediction(method(task.weak))


def accuracy(y_test, classes, y):
    """Share of right classes in percent."""
    return 100.0 * np.mean(classes == y_test)


def say(task):
    """How many classes the weak labels leave open, a mean, and in percent how many leave one."""
    problem = task.weak
    sizes = problem.still_open[problem.n :].sum(axis=1)
    return Prediction(None, {"open classes": sizes.mean(), "exact": 100.0 * np.mean(sizes == 1)})
