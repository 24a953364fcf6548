"""Speed of `FullConformalRegressor` beside refits and online-cp, all with one ridge parameter.

With refits, whether a region has an output takes a fit without each of the n + 1 samples: one fit
is timed, and its time is multiplied. The prediction machine of online-cp has one output and no
intercept; it answers one query after the other.

    python benchmarks/full_conformal.py
"""

import numpy as np
from record import Missing, comparison, run
from sklearn.base import clone
from timing import median_times

from ofer import FullConformalRegressor, KernelRidgeCV

SIGMA, ALPHA = 1.0, 0.1
N_SAMPLES, N_QUERIES, N_TIMED = 1000, 100, 3


def draw(n_outputs):
    """Inputs, outputs, queries and outputs to ask for."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(N_SAMPLES + N_QUERIES, 3))
    Y = np.sin(X @ rng.normal(size=(3, n_outputs))) + 0.3 * rng.normal(size=(len(X), n_outputs))
    return X[:N_SAMPLES], Y[:N_SAMPLES], X[N_SAMPLES:], Y[N_SAMPLES:]


def machine(X, y):
    """The prediction machine of online-cp on all samples."""
    from online_cp import KernelConformalRidgeRegressor
    from online_cp.kernels import GaussianKernel

    fitted = KernelConformalRidgeRegressor(
        GaussianKernel(SIGMA), a=ALPHA, studentised=True, warnings=False
    )
    fitted.learn_initial_training_set(X, y)
    return fitted


def compare_refits(ridge, repetitions):
    """Whether regions of five outputs have what is asked for."""
    X, Y, queries, asked = draw(5)
    model = FullConformalRegressor(ridge, shape="ellipsoid").fit(X, Y)
    times = median_times(
        repetitions, lambda: model.contains(queries, asked), lambda: clone(ridge).fit(X, Y)
    )
    case = f"`FullConformalRegressor.contains`, {N_QUERIES} outputs of 5 numbers, n = {N_SAMPLES}"
    theirs = times[1] * (N_SAMPLES + 1) * N_QUERIES
    note = f"n + 1 times {N_QUERIES} times one of its fits; ours after the fit"
    yield comparison(case, "refits", times[0], theirs, repetitions, note=note, headline=True)


def compare_machine(ridge, repetitions):
    """Intervals of one output."""
    case = f"`FullConformalRegressor`, intervals of {N_QUERIES} queries, n = {N_SAMPLES}"
    X, Y, queries, _ = draw(1)
    try:
        theirs = machine(X, Y[:, 0])
    except ImportError as error:
        yield Missing("online-cp", str(error))
        return
    model = FullConformalRegressor(ridge).fit(X, Y[:, 0])

    def predict():
        for x in queries[:N_TIMED]:
            theirs.predict(x, epsilon=0.1)

    times = median_times(repetitions, lambda: model.predict_interval(queries), predict)
    note = f"{N_TIMED} of its queries were timed; both after the fit"
    theirs_s = times[1] * N_QUERIES / N_TIMED
    options = {"needs": "online-cp", "note": note}
    yield comparison(case, "online-cp", times[0], theirs_s, repetitions, **options)


def measure(repetitions):
    """Yield the rows of all comparisons."""
    options = {"kernel": "rbf", "gamma": 0.5 / SIGMA**2}
    yield from compare_refits(KernelRidgeCV([ALPHA], **options), repetitions)
    yield from compare_machine(KernelRidgeCV([ALPHA], fit_intercept=False, **options), repetitions)


if __name__ == "__main__":
    run(measure, __doc__, repetitions=5)
