"""Error and time of `KernelRidgeCV` beside packages that choose a ridge or a kernel otherwise.

fastridge chooses a ridge parameter for each output by EM, or by leave-one-out from a given grid;
it is linear, and so is our kernel beside it. xRFM learns a kernel with a metric of the inputs, and
validates it on a fifth of the training samples; ours beside it is Gaussian. All have their
defaults, one thread and the same standardised data: eleven tables of several outputs in ten random
splits, and inputs that are drawn. An error is the mean squared one relative to that of the training
mean, the mean over outputs and splits, and over sets the geometric mean. Times are those of fits,
summed over sets.

    python benchmarks/ridge_peers.py
"""

import contextlib
import io
import warnings
from functools import partial

import numpy as np
from record import Missing, comparison, run
from timing import median_times

from ofer import KernelRidgeCV
from reproduction.datasets.tables.mtr import fetch_mtr
from reproduction.studies.second_volume.regions.coverage import TABLES, take_split

N_SPLITS = 10


def draw_linear(n, p, seed):
    """One output that depends on all features, with as much noise as signal."""
    rng = np.random.default_rng([n, p, seed])
    X = rng.normal(size=(n + 1000, p))
    return cut(n, X, X @ rng.normal(size=p) / np.sqrt(p) + rng.normal(size=len(X)))


def draw_sparse(n, p, seed):
    """One smooth output that depends on two features, with little noise."""
    rng = np.random.default_rng([n, p, seed])
    X = rng.normal(size=(n + 1000, p))
    return cut(n, X, np.sin(2.0 * X[:, 0]) + X[:, 0] * X[:, 1] + 0.3 * rng.normal(size=len(X)))


def cut(n, X, y):
    """Training and test part."""
    return X[:n], y[:n, None], X[n:], y[n:, None]


def relative_error(model, X, Y, X_test, Y_test):
    """Mean squared error over that of the training mean, for the average output."""
    missed = np.square(Y_test - np.reshape(model.fit(X, Y).predict(X_test), Y_test.shape))
    return (missed.mean(axis=0) / np.square(Y_test - Y.mean(axis=0)).mean(axis=0)).mean()


class LearnedKernel:
    """xRFM in the form of an estimator, with the last fifth of the samples to validate on."""

    def fit(self, X, Y):
        """Learn from most samples, and choose by the others."""
        import torch
        from xrfm import xRFM

        torch.set_num_threads(1)
        X, Y = (torch.tensor(part, dtype=torch.float32) for part in (X, Y))
        n = int(0.8 * len(X))
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            self.model = xRFM(device=torch.device("cpu"), tuning_metric="mse")
            self.model.fit(X[:n], Y[:n], X[n:], Y[n:])
        return self

    def predict(self, X):
        """Outputs of queries."""
        import torch

        return np.asarray(self.model.predict(torch.tensor(X, dtype=torch.float32)))


def compare(case, against, ours, theirs, splits_of_sets, repetitions, **more):
    """Row of the errors over all splits of some sets, and of the times on their first ones."""
    errors, seconds = [], np.zeros(2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of both sides: copies among samples, ends of grids
        for splits in splits_of_sets:
            both = [[relative_error(model, *part) for part in splits] for model in (ours, theirs)]
            errors.append(np.mean(both, axis=1))
            X, Y, *_ = splits[0]
            fits = (partial(model.fit, X, Y) for model in (ours, theirs))
            seconds += median_times(repetitions, *fits)
    mine, others = np.exp(np.log(errors).mean(axis=0))
    n_sets = len(errors)
    if n_sets > 1:
        n_smaller = sum(one < other for one, other in errors)
        more["note"] = f"our error is smaller on {n_smaller} of {n_sets} sets"
    fields = {"ours_error": mine, "theirs_error": others}
    return comparison(case, against, *seconds, repetitions, **fields, **more)


def measure(repetitions):
    """Yield the rows of all comparisons."""
    splits = range(N_SPLITS)
    parts = [[take_split(fetch_mtr(name), split) for split in splits] for name in TABLES]
    tables = [[(one.X, one.Y, one.X_test, one.Y_test) for one in found] for found in parts]
    on_tables = f"{len(TABLES)} tables, at most 400 samples"
    try:
        from fastridge import RidgeEM, RidgeLOOCV
    except ImportError as error:
        yield Missing("fastridge", str(error))
    else:
        sets = {on_tables: tables}
        for n, p in ((1000, 100), (100, 1000)):
            sets[f"{n} samples, {p} features"] = [[draw_linear(n, p, seed) for seed in splits]]
        for peer in (RidgeEM(), RidgeLOOCV()):
            against = f"fastridge's `{type(peer).__name__}`"
            for name, data in sets.items():
                case, ours = f"linear `KernelRidgeCV`, {name}", KernelRidgeCV()
                yield compare(case, against, ours, peer, data, repetitions, needs="fastridge")
    try:
        import xrfm  # noqa: F401
    except ImportError as error:
        yield Missing("xrfm", str(error))
        return
    sparse = [[draw_sparse(1000, 20, seed) for seed in splits]]
    sets = {on_tables: tables, "1000 samples, 2 of 20 features matter": sparse}
    for name, data in sets.items():
        case, ours = f"Gaussian `KernelRidgeCV`, {name}", KernelRidgeCV(kernel="rbf")
        yield compare(case, "xRFM", ours, LearnedKernel(), data, repetitions, needs="xrfm")


if __name__ == "__main__":
    run(measure, __doc__, repetitions=5)
