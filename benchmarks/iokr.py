"""Speed of the gradient pre-images of `InputOutputKernelRegressor` beside a loop over queries.

The loop calls scipy's L-BFGS-B for one query after the other, with the same gradients and from
the same starts. Both take turns in this process, so a machine's speed cancels; the largest
amount by which the loop finds a better value is printed too. Run it with an idle core:

    OMP_NUM_THREADS=1 python benchmarks/iokr.py
"""

import argparse

import numpy as np
from scipy.optimize import minimize
from sklearn.metrics.pairwise import rbf_kernel
from timing import median_times

from ofer import InputOutputKernelRegressor


def compare(n_queries, n_samples, n_targets, repetitions):
    """Print both times, their ratio, and the largest gap between the values found."""
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
    name = f"{n_queries} queries, {n_samples} samples, {n_targets} targets"
    print(f"{name:42} {mine:7.3f} s {theirs:7.3f} s  ratio {theirs / mine:5.1f}  gap {gap:.0e}")


def main():
    """Run all comparisons."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repetitions", type=int, default=5)
    repetitions = parser.parse_args().repetitions
    print(f"{'predict, against a loop':42} {'ofer':>9} {'loop':>9}")
    for n_targets in (1, 5, 50):
        compare(500, 300, n_targets, repetitions)


if __name__ == "__main__":
    main()
