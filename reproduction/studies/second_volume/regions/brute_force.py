"""Regions of ridge regression by a fit for each sample and each output, without closed forms."""

import numpy as np
from sklearn.base import clone
from sklearn.metrics.pairwise import rbf_kernel

from ofer import KernelRidgeCV

__all__ = ["jackknife_plus_by_refits", "p_values_by_refits"]


def jackknife_plus_by_refits(ridge, X, Y, queries, level=0.9):
    """Jackknife+ intervals of each output, from a fit without each of the samples."""
    n, ends = len(X), []
    for i in range(n):
        rows = np.delete(np.arange(n), i)
        fit = clone(ridge).fit(X[rows], Y[rows])
        missed = np.abs(Y[i] - fit.predict(X[[i]]))
        ends.append([fit.predict(queries) - missed, fit.predict(queries) + missed])
    ordered, rank = np.sort(ends, axis=0), int(np.ceil(level * (n + 1)))
    return np.stack([ordered[n - rank, 0], ordered[rank - 1, 1]], axis=-1)


def p_values_by_refits(X, Y, query, outputs, alphas, gamma):
    """Full conformal p-values of outputs; each of them chooses the ridge parameter anew."""
    p_values = []
    for output in outputs:
        X_all, Y_all = np.vstack([X, query]), np.vstack([Y, output])
        fits = [_studentised(X_all, Y_all, alpha, gamma) for alpha in alphas]
        lengths = min(fits, key=lambda fit: fit[1])[0]
        p_values.append(np.mean(lengths >= lengths[-1] * (1 - 1e-9)))
    return np.array(p_values)


def _studentised(X, Y, alpha, gamma):
    """Squared lengths of the studentised residuals, and the leave-one-out error."""
    n = len(X)
    border = np.ones((n + 1, n + 1))
    border[:n, :n] = rbf_kernel(X, gamma=gamma) + alpha * np.eye(n)
    border[n, n] = 0.0
    G, lost = np.linalg.inv(border)[:n, :n], []
    for i in range(n):
        rows = np.delete(np.arange(n), i)
        fit = KernelRidgeCV([alpha], kernel="rbf", gamma=gamma).fit(X[rows], Y[rows])
        lost.append(Y[i] - fit.predict(X[[i]])[0])
    t = np.array(lost) * np.sqrt(np.diag(G))[:, None]
    lengths = np.einsum("ij,ij->i", t, np.linalg.solve(Y.T @ G @ Y, t.T).T)
    return lengths, (np.square(lost) / Y.var(axis=0)).sum()
