"""What rounds of inferring the classes of weak samples add to a fit.

Both sides run in turn, in this process and on the same data. The goal was a fit with ten rounds
that takes at most 1.5 times as long as one with none: a ratio of 1 / 1.5 = 0.67.

    python benchmarks/latent_classes.py
"""

import warnings

import numpy as np
from record import comparison, run
from sklearn.exceptions import ConvergenceWarning
from timing import median_times

from ofer import SemanticClassifier

N_CLASSES, N_WEAK, N_FEATURES, N_AXES = 101, 2499, 1024, 20


def measure(repetitions):
    """Yield the ratio of a fit with ten rounds and one with none."""
    rng = np.random.default_rng(0)
    y, y_weak = np.arange(N_CLASSES), rng.integers(0, N_CLASSES, size=N_WEAK)
    # Inputs near a plane, and classes that overlap there: then ten rounds have work to do.
    means, axes = rng.normal(size=(N_CLASSES, N_AXES)), rng.normal(size=(N_AXES, N_FEATURES))
    X, X_weak = (
        (means[k] + rng.normal(size=(len(k), N_AXES))) @ axes
        + 0.1 * rng.normal(size=(len(k), N_FEATURES))
        for k in (y, y_weak)
    )
    group = np.arange(N_CLASSES) // 20
    told = {"X_weak": X_weak, "candidates_weak": group == group[y_weak][:, None]}

    def fit(max_iter):
        return SemanticClassifier(weak="latent", max_iter=max_iter).fit(X, y, **told)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        found = fit(10).n_iter_
        ours, theirs = median_times(repetitions, lambda: fit(10), lambda: fit(0))
    case = f"`SemanticClassifier(weak='latent').fit`, {found} rounds, {N_CLASSES} classes, "
    case += f"{N_CLASSES + N_WEAK} samples, {N_FEATURES} features"
    yield comparison(case, "the same fit without a round", ours, theirs, repetitions)


if __name__ == "__main__":
    run(measure, __doc__, repetitions=5)
