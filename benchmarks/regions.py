"""Speed of `JackknifePlus` beside n refits and MAPIE's jackknife+, all with one ridge.

Both sides fit, and predict intervals of a hundred queries for one output; the intervals agree.
Goals were 100 times faster than n refits and 50 times faster than MAPIE at n = 1000. Of refits a
few are timed, and their time is multiplied; so is that of MAPIE's fits at n = 5000.

    python benchmarks/regions.py
"""

import tracemalloc

import numpy as np
from record import Missing, comparison, run
from sklearn.base import clone
from sklearn.kernel_ridge import KernelRidge
from timing import median_times

from ofer import JackknifePlus, KernelRidgeCV

GAMMA, ALPHA = 0.1, 1.0
N_QUERIES = 100


def draw(n_samples):
    """Inputs, one output and queries."""
    rng = np.random.default_rng(0)
    X, queries = rng.normal(size=(n_samples, 5)), rng.normal(size=(N_QUERIES, 5))
    y = np.sin(X @ rng.normal(size=5)) + 0.2 * rng.normal(size=n_samples)
    return X, y, queries


def peak_memory(function):
    """Most bytes that a function held at once."""
    tracemalloc.start()
    function()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak


def compare(n_samples, repetitions):
    """Our intervals, those of refits, and MAPIE's where that is installed."""
    X, y, queries = draw(n_samples)
    ridge = KernelRidgeCV([ALPHA], kernel="rbf", gamma=GAMMA, fit_intercept=False)
    n_refits = min(n_samples, max(3, 3000 // n_samples))

    def ours():
        return JackknifePlus(ridge).fit(X, y).predict_interval(queries)

    def refits():
        for i in range(n_refits):
            kept = np.arange(n_samples) != i
            clone(ridge).fit(X[kept], y[kept]).predict(queries)

    times = median_times(repetitions, ours, refits)
    peak = peak_memory(ours)
    case = f"`JackknifePlus`, intervals of {N_QUERIES} queries, n = {n_samples}"
    note = f"{n_refits} refits were timed; our peak is {peak / 1e6:.0f} MB, "
    note += f"an n x n matrix {8e-6 * n_samples**2:.0f} MB"
    headline = n_samples == 1000
    theirs = times[1] * n_samples / n_refits
    yield comparison(case, "n refits", times[0], theirs, repetitions, note=note)
    yield from compare_mapie(n_samples, repetitions, case, ours, headline)


def compare_mapie(n_samples, repetitions, case, ours, headline):
    """MAPIE's jackknife+ around scikit-learn's ridge, or as many of its fits."""
    try:
        from mapie.regression import CrossConformalRegressor
    except ImportError as error:
        yield Missing("mapie", str(error))
        return
    X, y, queries = draw(n_samples)
    ridge = KernelRidge(kernel="rbf", gamma=GAMMA, alpha=ALPHA)
    whole = n_samples <= 1000

    def theirs():
        peer = CrossConformalRegressor(ridge, confidence_level=0.9, method="plus", cv=-1)
        return peer.fit_conformalize(X, y).predict_interval(queries)[1][:, :, 0]

    def fits():
        for i in range(3):
            kept = np.arange(n_samples) != i
            clone(ridge).fit(X[kept], y[kept]).predict(queries)

    if whole:
        gap = np.abs(theirs() - ours()).max()
        note, factor = f"intervals differ by at most {gap:.0e}", 1.0
    else:
        note, factor = "n times one of its fits", n_samples / 3
    rounds = repetitions if n_samples < 1000 else 1
    ours_s, theirs_s = median_times(rounds, ours, theirs if whole else fits)
    against = "MAPIE's jackknife+"
    more = {"needs": "mapie", "headline": headline, "note": note}
    yield comparison(case, against, ours_s, factor * theirs_s, rounds, **more)


def measure(repetitions):
    """Yield the rows of all comparisons."""
    for n_samples in (200, 1000, 5000):
        yield from compare(n_samples, repetitions)


if __name__ == "__main__":
    run(measure, __doc__, repetitions=3)
