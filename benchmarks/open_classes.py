"""What inferring the classes of weak samples adds to a fit.

Both sides run in turn, in this process and on the same data: ten ridge parameters from two starts,
beside a fit to all samples whose weak ones have the mean over their open classes.

    python benchmarks/open_classes.py
"""

import warnings

import numpy as np
from record import comparison, run
from timing import median_times

from ofer import Candidates, KernelRidgeCV, SemanticClassifier

N_CLASSES, N_WEAK, N_FEATURES, N_AXES = 101, 2499, 1024, 20


def measure(repetitions):
    """Yield the ratio of a fit with inference and one without."""
    rng = np.random.default_rng(0)
    y, y_weak = np.arange(N_CLASSES), rng.integers(0, N_CLASSES, size=N_WEAK)
    # Inputs near a plane, and classes that overlap there: then the rounds have work to do.
    means, axes = rng.normal(size=(N_CLASSES, N_AXES)), rng.normal(size=(N_AXES, N_FEATURES))
    X, X_weak = (
        (means[k] + rng.normal(size=(len(k), N_AXES))) @ axes
        + 0.1 * rng.normal(size=(len(k), N_FEATURES))
        for k in (y, y_weak)
    )
    group = np.arange(N_CLASSES) // 20
    still_open = group == group[y_weak][:, None]
    averaged = np.vstack([np.eye(N_CLASSES), still_open / still_open.sum(axis=1, keepdims=True)])

    def infer():
        return SemanticClassifier(KernelRidgeCV()).fit(X, y, weak=Candidates(X_weak, still_open))

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of one sample a class
        n_rounds = infer().gain_path_["n_rounds"].sum()
        ours, theirs = median_times(
            repetitions, infer, lambda: KernelRidgeCV().fit(np.vstack([X, X_weak]), averaged)
        )
    case = f"`SemanticClassifier.fit`, {n_rounds} rounds, {N_CLASSES} classes, "
    case += f"{N_CLASSES + N_WEAK} samples, {N_FEATURES} features"
    yield comparison(case, "`KernelRidgeCV.fit` of averages", ours, theirs, repetitions)


if __name__ == "__main__":
    run(measure, __doc__, repetitions=5)
