"""Speed of the two closed forms of the Sharma-Mittal divergence, side by side.

The paper counts operations: the simplified form is to be 1.67 times faster than the original when
the means are equal, and 1.5 times otherwise. With LAPACK they take n^3 and 7 n^3 / 3 operations, a
ratio of 2.33. Both take turns in this process, so a machine's speed cancels; for reference, so does
the time that nothing but three Cholesky factorisations take. Run it with an idle core:

    OMP_NUM_THREADS=1 python benchmarks/sharma_mittal.py
"""

from functools import partial

import numpy as np
from record import comparison, run, significant
from timing import median_times

from ofer.companions import sharma_mittal_divergence


def random_gaussian(n, rng, *, centred):
    """Mean and covariance, well conditioned."""
    root = rng.normal(size=(n, 2 * n))
    return np.zeros(n) if centred else rng.normal(size=n), root @ root.T / n


def compare(n, *, centred, repetitions):
    """Row of one size, with the time of the factorisations."""
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
    case = f"`sharma_mittal_divergence`, simplified form, dimension {n}, "
    case += "equal means" if centred else "means that differ"
    note = f"three factorisations take {significant(times[2])} s; values differ by {difference:.0e}"
    return comparison(case, "the original form", *times[:2], repetitions, note=note)


def measure(repetitions):
    """Yield the rows of all comparisons."""
    for n in (200, 400, 800, 1600):
        for centred in (True, False):
            yield compare(n, centred=centred, repetitions=repetitions)


if __name__ == "__main__":
    run(measure, __doc__, repetitions=3)
