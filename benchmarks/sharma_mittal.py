"""Speed of the two closed forms of the Sharma-Mittal divergence, side by side.

The paper counts operations: the simplified form is to be 1.67 times faster than the original when
the means are equal, and 1.5 times otherwise. Both take turns in this process, so a machine's speed
cancels; for reference, so does the time that nothing but three Cholesky factorisations take.
Run it with an idle core:

    OMP_NUM_THREADS=1 python benchmarks/sharma_mittal.py
"""

import argparse
from functools import partial

import numpy as np
from timing import median_times

from ofer.companions import sharma_mittal_divergence


def random_gaussian(n, rng, *, centred):
    """Mean and covariance, well conditioned."""
    root = rng.normal(size=(n, 2 * n))
    return np.zeros(n) if centred else rng.normal(size=n), root @ root.T / n


def compare(n, *, centred, repetitions):
    """Print the times of both forms and their ratio."""
    rng = np.random.default_rng(0)
    p, q = (random_gaussian(n, rng, centred=centred) for _ in range(2))
    simplified, original = (
        partial(sharma_mittal_divergence, *p, *q, 0.3, 1.0, form=form)
        for form in ("simplified", "original")
    )
    difference = abs(original() / simplified() - 1)

    def three_factorisations():
        for matrix in (p[1], q[1], p[1]):
            np.linalg.cholesky(matrix)

    times = median_times(repetitions, simplified, original, three_factorisations)
    print(
        f"n = {n:5}, means {'equal ' if centred else 'differ'}: "
        f"simplified {1e3 * times[0]:8.1f} ms, original {1e3 * times[1]:8.1f} ms, "
        f"ratio {times[1] / times[0]:5.2f}; three factorisations {1e3 * times[2]:8.1f} ms; "
        f"values differ by {difference:.0e}"
    )


def main():
    """Run all comparisons."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repetitions", type=int, default=5)
    repetitions = parser.parse_args().repetitions
    print("operations with LAPACK: n^3 and 7 n^3 / 3, ratio 2.33; as the paper counts: 1.67, 1.5")
    for n in (200, 400, 800, 1600):
        for centred in (True, False):
            compare(n, centred=centred, repetitions=repetitions)


if __name__ == "__main__":
    main()
