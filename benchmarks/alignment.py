"""Speed of the alignment kernel and of time warping beside tslearn.

Gram matrices of random walks in two dimensions. Ratios are of median times, both sides run in
turn in this process after tslearn has been compiled. tslearn is not among the project's
dependencies. Run it where it is installed too, with one or two idle cores:

    python benchmarks/alignment.py
"""

import argparse

import numpy as np
from timing import median_times

from ofer.kernels import dtw_distance, gak_bandwidth, global_alignment_kernel

try:
    from tslearn.metrics import cdist_dtw, cdist_gak
except ImportError:
    cdist_dtw = cdist_gak = None


def compare(name, ours, theirs, repetitions):
    """Print times, their ratio and how far the matrices are apart."""
    if theirs is None:
        (mine,) = median_times(repetitions, ours)
        print(f"{name:58} {mine:9.4f} s")
        return
    mine, peers = median_times(repetitions, ours, theirs)
    gap = np.abs(ours() - theirs()).max()
    print(f"{name:58} {mine:9.4f} s {peers:9.4f} s  ratio {peers / mine:6.1f}  apart {gap:.0e}")


def main():
    """Run all comparisons."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repetitions", type=int, default=5)
    repetitions = parser.parse_args().repetitions
    if cdist_gak is None:
        print("tslearn is not installed here (pip install tslearn)")
    print(f"{'against tslearn, compiled':58} {'ofer':>11} {'peer':>11}")
    for n_series, n_steps in ((500, 10), (50, 100), (5, 1000)):
        X = np.random.default_rng(0).normal(size=(n_series, n_steps, 2)).cumsum(axis=1)
        bandwidth = gak_bandwidth(X, random_state=0)
        name = f"{n_series} series x {n_steps} steps"
        compare(
            f"global alignment kernel, {name}",
            lambda X=X, bandwidth=bandwidth: global_alignment_kernel(X, bandwidth=bandwidth),
            cdist_gak and (lambda X=X, bandwidth=bandwidth: cdist_gak(X, sigma=bandwidth)),
            repetitions,
        )
        compare(
            f"time warping, {name}",
            lambda X=X: dtw_distance(X),
            cdist_dtw and (lambda X=X: cdist_dtw(X)),
            repetitions,
        )


if __name__ == "__main__":
    main()
