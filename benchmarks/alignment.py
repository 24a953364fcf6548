"""Speed of the alignment kernel and of time warping beside tslearn.

Gram matrices of random walks in two dimensions. Ratios are of median times, both sides run in
turn in this process after tslearn has been compiled. tslearn is not among the project's
dependencies. Run it where it is installed too, with one or two idle cores:

    python benchmarks/alignment.py
"""

import numpy as np
from record import Missing, comparison, duration, run
from timing import median_times

from ofer.kernels import dtw_distance, gak_bandwidth, global_alignment_kernel

try:
    from tslearn.metrics import cdist_dtw, cdist_gak
except ImportError:
    cdist_dtw = cdist_gak = None


def compare(case, ours, theirs, against, repetitions):
    """Yield our time and, where the peer is there, a comparison."""
    (mine,) = median_times(repetitions, ours)
    yield duration(case, mine, repetitions)
    if theirs is not None:
        mine, peers = median_times(repetitions, ours, theirs)
        more = {"needs": "tslearn"}
        more["note"] = f"matrices are {np.abs(ours() - theirs()).max():.0e} apart at most"
        yield comparison(case, against, mine, peers, repetitions, **more)


def measure(repetitions):
    """Yield the rows of all comparisons."""
    if cdist_gak is None:
        yield Missing("tslearn", "not installed here (pip install tslearn)")
    for n_series, n_steps in ((500, 10), (50, 100), (5, 1000)):
        X = np.random.default_rng(0).normal(size=(n_series, n_steps, 2)).cumsum(axis=1)
        bandwidth = gak_bandwidth(X, random_state=0)
        size = f"{n_series} series of {n_steps} steps"
        yield from compare(
            f"`global_alignment_kernel`, {size}",
            lambda X=X, bandwidth=bandwidth: global_alignment_kernel(X, bandwidth=bandwidth),
            cdist_gak and (lambda X=X, bandwidth=bandwidth: cdist_gak(X, sigma=bandwidth)),
            "tslearn's `cdist_gak`, compiled",
            repetitions,
        )
        yield from compare(
            f"`dtw_distance`, {size}",
            lambda X=X: dtw_distance(X),
            cdist_dtw and (lambda X=X: cdist_dtw(X)),
            "tslearn's `cdist_dtw`, compiled",
            repetitions,
        )


if __name__ == "__main__":
    run(measure, __doc__, repetitions=3)
