"""Speed of `InputOutputKernelRegressor`: gradient pre-images, and the choice of the ridge.

The pre-images stand beside scipy's L-BFGS-B, one query after the other, with the same gradients
and from the same starts; the largest amount by which the loop finds a better value is noted.
Leave-one-out for all ridges, and the one decomposition that output kernels share, stand beside
fits with one ridge and one output kernel each. At fixed parameters fit and prediction stand beside
the printed algorithm written plainly: one solve, one product. Both sides take turns in this
process, so a machine's speed cancels. Run it with an idle core:

    OMP_NUM_THREADS=1 python benchmarks/iokr.py
"""

import numpy as np
from record import comparison, run
from scipy.linalg import cho_factor, cho_solve
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
    return comparison(case, against, mine, theirs, repetitions, note=note)


def compare_choices(n_samples, repetitions):
    """Row of 25 ridges, for binary labels and the linear kernel."""
    rng = np.random.default_rng(0)
    X = (rng.random((n_samples, 600)) < 0.05).astype(float)
    Y = (rng.random((n_samples, 100)) < 0.03).astype(float)
    alphas = np.logspace(-1, 7, 25)

    def together():
        return InputOutputKernelRegressor(alphas).fit(X, Y).loo_scores_

    def apart():
        return [InputOutputKernelRegressor([a]).fit(X, Y).best_score_ for a in alphas]

    gap = np.abs(together() / apart() - 1.0).max()
    mine, theirs = median_times(repetitions, together, apart)
    case = f"`InputOutputKernelRegressor.fit` with 25 ridges, {n_samples} samples"
    against, note = "as many fits with one ridge each", f"scores differ by {gap:.0e} at most"
    return comparison(case, against, mine, theirs, repetitions, note=note)


def compare_fixed(n_samples, n_features, n_labels, repetitions):
    """Row of fit and prediction with one ridge, as many queries as half of the samples."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_samples, n_features))
    kinds = (rng.random((n_samples // 2, n_labels)) < 0.03).astype(float)
    Y, queries = kinds[rng.integers(len(kinds), size=n_samples)], X[::2] + 0.1
    gamma, alpha, candidates = 0.5 / n_features, 1e-2, np.unique(Y, axis=0)
    options = {"kernel": "rbf", "gamma": gamma, "output_gamma": 0.5, "fit_intercept": False}

    def ours():
        return InputOutputKernelRegressor([alpha], **options).fit(X, Y).predict(queries)

    def plainly():
        K = rbf_kernel(X, gamma=gamma)
        K[np.diag_indices_from(K)] += alpha
        right = rbf_kernel(Y, candidates, gamma=0.5)
        solved = cho_solve(cho_factor(K, overwrite_a=True), right, overwrite_b=True)
        return candidates[(rbf_kernel(queries, X, gamma=gamma) @ solved).argmax(axis=1)]

    apart = (ours() != plainly()).any(axis=1).sum()
    mine, theirs = median_times(repetitions, ours, plainly)
    case = (
        f"`InputOutputKernelRegressor`, fit with one ridge and {len(queries)} predictions, "
        f"{n_samples} samples"
    )
    note = f"{apart} predictions differ"
    against = "the printed algorithm: one solve, one product"
    return comparison(case, against, mine, theirs, repetitions, note=note)


def measure(repetitions):
    """Yield the rows of all comparisons."""
    yield compare_fixed(4000, 1000, 100, repetitions)
    yield compare_choices(500, repetitions)
    for n_targets in (1, 5, 50):
        yield compare(500, 300, n_targets, repetitions)


if __name__ == "__main__":
    run(measure, __doc__, repetitions=3)
