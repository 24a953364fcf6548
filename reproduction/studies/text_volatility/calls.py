"""From text to a short series of volatility (section 6.3): folds, and forms of their inputs."""

from functools import partial
from typing import NamedTuple

import numpy as np
from scipy import sparse
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.metrics.pairwise import linear_kernel
from sklearn.model_selection import GroupKFold
from sklearn.utils import Bunch

from ofer.metrics import rrmse
from reproduction.datasets.texts.maec_volatility import fetch_maec_volatility
from reproduction.engine.scores import Score
from reproduction.engine.table import Task

__all__ = [
    "ERRORS",
    "PARAMETERS",
    "RELATIVE_ERRORS",
    "Fold",
    "add_constant",
    "by_step",
    "dense_words",
    "draw",
    "load_part",
    "take_fold",
    "weigh_counts",
]

PARAMETERS = {"n_folds": 5, "random_state": 2018}


class Fold(NamedTuple):
    """One fold: what the methods may learn from, and the inputs of the test part."""

    counts: sparse.csr_matrix
    """Counts of words in the training texts, (n, n_words)."""
    past: np.ndarray
    """Log-volatility before the training calls, (n, 1)."""
    Y: np.ndarray
    """Log-volatilities after them, (n, T)."""
    company: np.ndarray
    """Their companies, (n,)."""
    counts_test: sparse.csr_matrix
    """Counts of words in the test texts."""
    past_test: np.ndarray
    """Log-volatility before the test calls, (m, 1)."""
    words: sparse.csr_matrix
    """TF-IDF of the training texts, (n, n_words)."""
    words_test: sparse.csr_matrix
    """TF-IDF of the test texts; the weights of words are those of the training part."""
    K: np.ndarray
    """Linear kernel of the training texts, (n, n)."""
    K_test: np.ndarray
    """Linear kernel of test and training texts, (m, n)."""


def take_fold(data, split):
    """Cut one fold of a cross-validation by company, and weigh its words."""
    folds = GroupKFold(PARAMETERS["n_folds"], shuffle=True, random_state=PARAMETERS["random_state"])
    train, test = list(folds.split(data.Y, groups=data.company))[split]
    counts, counts_test = data.counts[train], data.counts[test]
    fold = Fold(
        counts=counts,
        past=data.log_vol_before[train, None],
        Y=data.Y[train],
        company=data.company[train],
        counts_test=counts_test,
        past_test=data.log_vol_before[test, None],
        **_weigh(counts, counts_test),
    )
    return fold, data.Y[test]


def _weigh(counts, counts_test, *, logarithms=True):
    """TF-IDF of words, and the linear kernel of this."""
    weigh = TfidfTransformer(sublinear_tf=logarithms).fit(counts)
    words, words_test = weigh.transform(counts), weigh.transform(counts_test)
    K, K_test = (linear_kernel(part, words, dense_output=True) for part in (words, words_test))
    return {"words": words, "words_test": words_test, "K": K, "K_test": K_test}


def draw(data, setting, split):
    """Cut the same fold as a task, with kernels as inputs; all of it is in `weak`."""
    fold, truth = take_fold(data, split)
    return Task(fold.K, fold.Y, fold.K_test, truth, split, weak=fold)


def weigh_counts(task):
    """A task with TF-IDF of counts, not of their logarithms."""
    fold = task.weak
    fold = fold._replace(**_weigh(fold.counts, fold.counts_test, logarithms=False))
    return task._replace(X=fold.K, X_test=fold.K_test, weak=fold)


def add_constant(task, constant):
    """A task with a constant feature of this square, hardly penalised: an intercept."""
    return task._replace(X=task.X + constant, X_test=task.X_test + constant)


def dense_words(task):
    """A task with words as inputs: trees are twice as fast on dense ones, which fit in memory."""
    words = (part.astype(np.float32).toarray() for part in (task.weak.words, task.weak.words_test))
    return task._replace(**dict(zip(("X", "X_test"), words, strict=True)))


def error(Y_test, outputs, Y, step=None, centred=False):
    """Error of a step, or of the whole series, relative to zero or to the training mean."""
    mean = Y.mean(axis=0) if centred else 0.0
    which = slice(None) if step is None else [step]
    return rrmse((Y_test - mean)[:, which], (outputs - mean)[:, which])


_STEPS = {f"step {step + 1}": step for step in range(5)} | {"global": None}
ERRORS = tuple(Score(f"rrmse {name}", partial(error, step=step)) for name, step in _STEPS.items())
RELATIVE_ERRORS = tuple(
    Score(f"relative {name}", partial(error, step=step, centred=True))
    for name, step in _STEPS.items()
)


def by_step(frame):
    """Table of results with the steps of the series as settings."""
    parts = frame["metric"].str.extract(r"^(rrmse|relative) (?:step )?(\w+)$")
    frame = frame.assign(metric=parts[0], setting=parts[1].replace("global", "Global"))
    return frame[parts[0].notna()].reset_index(drop=True)


def load_part():
    """Calls of every tenth company, to check the code with."""
    data = fetch_maec_volatility()
    few = np.isin(data.company, np.unique(data.company)[::10])
    return Bunch(**{name: data[name][few] for name in ("counts", "log_vol_before", "Y", "company")})
