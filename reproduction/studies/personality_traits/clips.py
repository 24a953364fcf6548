"""Apparent personality traits (section 6.4.1): clips, splits, and their words as inputs."""

from typing import NamedTuple

import numpy as np
from scipy import sparse
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.metrics.pairwise import linear_kernel, rbf_kernel
from sklearn.utils import Bunch

from ofer.kernels import median_bandwidth
from reproduction.datasets.texts.first_impressions import fetch_first_impressions
from reproduction.engine.table import Task
from reproduction.methods.weak_samples import WeakSamples

__all__ = [
    "OVERLAP",
    "PARAMETERS",
    "SETTINGS",
    "Clips",
    "draw",
    "draw_counts",
    "gaussian",
    "is_far",
    "kernels",
    "linear",
    "load_clips",
    "take_split",
    "words",
]

PARAMETERS = {
    "thresholds": [0.9, 0.75],
    "n_labelled": [100, 1000],
    "n_test": 2500,
    "random_state": 2018,
}
SETTINGS = ("1", "2", "1 random")
OVERLAP = {  # the task is the first letter of a setting
    setting: PARAMETERS["n_test"] / PARAMETERS["n_labelled"][int(setting[0]) - 1]
    for setting in SETTINGS
}


class Clips(NamedTuple):
    """One split of one task: indices of clips."""

    labelled: np.ndarray
    """Clips that are used with their scores."""
    test: np.ndarray
    """Clips to be predicted."""
    weak: np.ndarray
    """The other clips, in random order; weak labels are drawn from them."""


def load_clips():
    """The development set of the challenge."""
    clips = fetch_first_impressions()
    development = clips.split == "training"
    return Bunch(counts=clips.counts[development], Y=clips.Y[development])


def is_far(Y, threshold):
    """Whether a score of a clip is far from the middle."""
    return ((threshold <= Y) | (1 - threshold >= Y)).any(axis=1)


def take_split(Y, setting, split):
    """Draw labelled, test and weak clips.

    The labelled clips of task 1 are drawn from those that have a score beyond the narrow
    threshold; task 2 adds others beyond the wide one. The rest, the same for both tasks, is cut
    into a test set and a weak pool. Setting "1 random" is a control: as many labelled
    clips as in task 1, drawn from all.
    """
    order = np.random.default_rng([PARAMETERS["random_state"], split]).permutation(len(Y))
    few, many = PARAMETERS["n_labelled"]
    task, _, control = setting.partition(" ")
    if not control:
        narrow, wide = PARAMETERS["thresholds"]
        # A stable sort: the drawn clips come first, and both parts keep their random order.
        order = order[np.argsort(~_first(is_far(Y[order], narrow), few), kind="stable")]
        drawn = is_far(Y[order], wide)
        drawn[:few] = True
        order = order[np.argsort(~_first(drawn, many), kind="stable")]
    rest = order[many:]
    n_test = PARAMETERS["n_test"]
    return Clips(order[: few if task == "1" else many], rest[:n_test], rest[n_test:])


def _first(wanted, count):
    """The first so many of the wanted."""
    return wanted & (np.cumsum(wanted) <= count)


def kernels(counts, seen, test, *, n_labelled):
    """Gaussian kernel of TF-IDF vectors; what is learned about words, is from seen clips."""
    return _kernels(counts[seen], counts[test], n_labelled)


def _kernels(counts, counts_test, n_labelled):
    X, X_test = _weigh_words(counts, counts_test)
    width = median_bandwidth(X[:n_labelled].toarray(), max_samples=300, random_state=0)
    gamma = 1.0 / (2.0 * width**2)
    return rbf_kernel(X, gamma=gamma), rbf_kernel(X_test, X, gamma=gamma)


def _weigh_words(counts, counts_test):
    weigh = TfidfTransformer(sublinear_tf=True).fit(counts)
    return weigh.transform(counts), weigh.transform(counts_test)


class Pool(NamedTuple):
    """Clips from which weak labels are drawn, in random order."""

    counts: sparse.csr_matrix
    """Counts of words."""
    Y: np.ndarray
    """Scores."""


def draw_counts(data, setting, split):
    """Draw the clips of a task, with the counts of their words as inputs."""
    clips = take_split(data.Y, setting, split)
    (X, Y), (X_test, Y_test), weak = (Pool(data.counts[part], data.Y[part]) for part in clips)
    return Task(X, Y, X_test, Y_test, split, objects=clips.test, weak=weak)


def draw(data, setting, split):
    """Draw the same, with the linear kernel as inputs."""
    return linear(draw_counts(data, setting, split))


def words(task):
    """A task with the TF-IDF vectors of its clips, as labelled ones weigh the words."""
    X, X_test = _weigh_words(task.X, task.X_test)
    return task._replace(X=X, X_test=X_test)


def linear(task):
    """A task with the linear kernel of these."""
    X, X_test = _weigh_words(task.X, task.X_test)
    return task._replace(
        X=linear_kernel(X, dense_output=True), X_test=linear_kernel(X_test, X, dense_output=True)
    )


def gaussian(task, n_weak=0):
    """A task with the Gaussian kernel, and with so many weak clips, which weigh words, too."""
    n, weak = len(task.Y), Pool(*(part[:n_weak] for part in task.weak))
    seen = sparse.vstack([task.X, weak.counts], format="csr")
    K, K_test = _kernels(seen, task.X_test, n)
    samples = WeakSamples(K, K_test, weak.Y)
    return task._replace(X=K[:n, :n], X_test=K_test[:, :n], weak=samples)
