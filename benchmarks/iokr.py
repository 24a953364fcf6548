"""Speed of the gradient pre-images of `InputOutputKernelRegressor` beside a loop over queries.

The loop calls scipy's L-BFGS-B for one query after the other, with the same gradients and from
the same starts. Both take turns in this process, so a machine's speed cancels; the largest
amount by which the loop finds a better value is noted. Run it with an idle core:

    OMP_NUM_THREADS=1 python benchmarks/iokr.py
"""

import numpy as np
from record import comparison, run
from scipy.optimize import minimize
from sklearn.metrics.pairwise import rbf_kernel
from timing import median_times

from ofer import InputOutputKernelRegressor


def compare(n_queries, n_samples, n_targets, repetitions):
    """Row of one size, with the largest gap between the values found."""
    rng = np.random.default_rng(0)
    X, queries = rng.normal(size=(n_samples, 4)), rng.normal(size=(n_queries, 4))
    mixing = rng.normal(size=(4, n_targets))
    Y = np.sin(X @ mixing) + 0.1 * rng.normal(size=(n_samples, n_targets))
    model = InputOutputKernelRegressor(kernel="rbf", preimage="gradient").fit(X, Y)
    gamma = model.output_gamma_
    weights = rbf_kernel(queries, X) @ model.dual_coef_ + model.intercept_
    starts = Y[(weights @ model.output_gram_).argmax(axis=1)]

    def loss(u, a):
        difference = u - Y
        terms = a * np.exp(-gamma * np.einsum("ij,ij->i", difference, difference))
        return -terms.sum(), 2.0 * gamma * terms @ difference

    def loop():
        options = {"gtol": 1e-10, "ftol": 0.0}
        return [
            minimize(loss, start, (a,), "L-BFGS-B", jac=True, options=options).x
            for start, a in zip(starts, weights, strict=True)
        ]

    values = [
        (weights * rbf_kernel(points, Y, gamma=gamma)).sum(axis=1)
        for points in (np.array(loop()), model.predict(queries))
    ]
    gap = (values[0] - values[1]).max()
    mine, theirs = median_times(repetitions, lambda: model.predict(queries), loop)
    case = f"`InputOutputKernelRegressor.predict`, {n_queries} queries, {n_samples} samples, "
    case += f"{n_targets} {'targets' if n_targets > 1 else 'target'}"
    against = "L-BFGS-B, one query at a time"
    note = f"the loop finds values better by {max(gap, 0):.0e} at most"
    headline = n_targets == 50
    return comparison(case, against, mine, theirs, repetitions, headline=headline, note=note)


def measure(repetitions):
    """Yield the rows of all comparisons."""
    for n_targets in (1, 5, 50):
        yield compare(500, 300, n_targets, repetitions)


if __name__ == "__main__":
    run(measure, __doc__, repetitions=3)
