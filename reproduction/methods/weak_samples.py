"""Samples of which only the component of the output is known, beside labelled ones."""

from typing import NamedTuple

import numpy as np

__all__ = ["WeakSamples", "seen", "shuffled"]


class WeakSamples(NamedTuple):
    """What a task knows of weak samples, and the kernel of all samples that are seen."""

    K: np.ndarray
    """Kernel matrix of the n labelled and then the weak samples, (n + n_weak, n + n_weak)."""
    K_test: np.ndarray
    """Kernel values of the test samples with these, (n_test, n + n_weak)."""
    Y: np.ndarray
    """Outputs of the weak samples: methods look at their memberships in a mixture alone."""

    def first(self, n_weak):
        """The labelled and the first weak samples alone."""
        seen = len(self.K) - len(self.Y) + n_weak
        return WeakSamples(self.K[:seen, :seen], self.K_test[:, :seen], self.Y[:n_weak])


def seen(task, n_weak):
    """The labelled samples of a task and so many weak ones, of which it may have none."""
    if n_weak == 0:
        return WeakSamples(task.X, task.X_test, task.Y[:0])
    return task.weak.first(n_weak)


def shuffled(task):
    """A control: what is said of a weak sample is true of another one."""
    order = np.random.default_rng(task.seed).permutation(len(task.weak.Y))
    return task._replace(weak=task.weak._replace(Y=task.weak.Y[order]))
