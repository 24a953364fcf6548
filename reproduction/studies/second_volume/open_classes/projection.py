"""A projection on what weak labels leave open, which never does harm in penalised squared loss."""

from typing import NamedTuple

import numpy as np

from ofer.embeddings import project_simplex
from reproduction.studies.second_volume.open_classes.ridges import within

__all__ = ["Compared", "compare"]

N_STEPS = 300


class Compared(NamedTuple):
    """Fits with one ridge parameter: "labelled only", "projection" and "restrict and refit"."""

    loss: dict[str, float]
    """Penalised squared loss of each, at the true classes of labelled and weak samples."""
    accuracy: dict[str, float]
    """Accuracy of each on the test samples, in percent."""
    distance: float
    """Squared distance of projection and labelled fit, which the guarantee takes off the loss."""


def compare(problem, ridge):
    """Fit the labelled samples alone, the projection, and the best open classes.

    The projection is nearest to the labelled fit, among the fits whose weak targets are
    probabilities of the open classes. Its loss at the true classes is at most that of the labelled
    fit less their squared distance (Krijthe and Loog, Machine Learning 106, 2017).
    """
    n, K = problem.n, problem.kernel(problem.X, slice(None))
    system, still_open = problem.system(slice(None)), problem.still_open[problem.n :]
    alpha, known = ridge * system.mean_eigenvalue, problem.indicators[problem.y[:n]]
    alone = problem.system(slice(n)).solve(known, alpha).predict(K[:, :n])[n:]

    def fit(weak_targets):
        return system.solve(np.vstack([known, weak_targets]), alpha)

    def penalised_squares(missed, coef):
        return float(np.square(missed).sum() + alpha * np.sum(coef * (K @ coef)))

    q = alone
    for _ in range(N_STEPS):
        moved = np.where(still_open, q + alone - fit(q).predict(K)[n:], -np.inf)
        # What lies two below the highest has no share.
        q = project_simplex(np.maximum(moved, moved.max(axis=1, keepdims=True) - 2.0))
    guessed = problem.indicators[within(still_open, alone)]
    # The labelled fit is the fit to its own predictions.
    weak = {"labelled only": alone, "projection": q, "restrict and refit": guessed}
    fits = {name: fit(targets) for name, targets in weak.items()}
    truth, queries = problem.indicators[problem.y], problem.kernel(problem.X_test, slice(None))
    before, after = fits["labelled only"], fits["projection"]
    return Compared(
        {name: penalised_squares(truth - one.predict(K), one.coef) for name, one in fits.items()},
        {
            name: 100.0 * np.mean(one.predict(queries).argmax(axis=1) == problem.y_test)
            for name, one in fits.items()
        },
        penalised_squares(after.predict(K) - before.predict(K), after.coef - before.coef),
    )
