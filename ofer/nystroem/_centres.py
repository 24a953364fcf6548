"""Centres of a Nyström approximation: which ones, and kernel values with them."""

import numpy as np
from scipy import sparse
from scipy.linalg import cho_factor, solve_triangular
from sklearn.utils.random import sample_without_replacement

from ofer.ridge.decomposition import row_blocks

__all__ = ["CentreKernel", "draw_centres"]

POOL = 10  # rows among which leverages choose, for each centre


class CentreKernel:
    """Kernel values of inputs with the centres, written into a given array.

    Those of the Gaussian kernel of dense inputs are one matrix product and one exponential,
    without a temporary array of their size.
    """

    def __init__(self, kernel, centres):
        self.kernel, self.centres = kernel, centres
        self.gaussian = kernel.kernel == "rbf" and not sparse.issparse(centres)
        if self.gaussian:  # -gamma |x - z|^2 = (2 gamma x, -gamma |x|^2, 1) (z, 1, -gamma |z|^2)
            self.gamma = 1.0 / centres.shape[1] if kernel.gamma is None else kernel.gamma
            self.origin = centres.mean(axis=0)  # far from which products have few digits
            z = centres - self.origin
            norms = -self.gamma * np.einsum("ij,ij->i", z, z)
            self.right = np.vstack([2.0 * self.gamma * z.T, np.ones(len(z)), norms])

    def into(self, X, out):
        """Write the values for the rows of X (k, d) into `out` (k, m)."""
        if not self.gaussian or sparse.issparse(X):
            if not callable(self.kernel.kernel):  # a function sees the inputs' own type
                X = X.astype(np.float64, copy=False)
            out[...] = self.kernel.matrix(X, self.centres)
            return
        left = np.ones((X.shape[0], X.shape[1] + 2))
        x = np.subtract(X, self.origin, out=left[:, :-2])
        left[:, -2] = -self.gamma * np.einsum("ij,ij->i", x, x)
        np.matmul(left, self.right, out=out)
        np.minimum(out, 0.0, out=out)  # roundoff, where inputs are far away
        np.exp(out, out=out)

    def gram(self):
        """Kernel matrix of the centres (m, m)."""
        return self.kernel.matrix(self.centres, self.centres)


def draw_centres(X, kernel, n_centres, sampling, rng):
    """Different rows of X (n, d), all if there are no more than `n_centres`.

    See `NystroemRidgeCV`.
    """
    centres = _draw(X, kernel, n_centres, sampling, rng)
    if sparse.issparse(centres):
        return centres
    return centres[np.sort(np.unique(centres, axis=0, return_index=True)[1])]


def _draw(X, kernel, n_centres, sampling, rng):
    n = X.shape[0]
    if n <= n_centres:
        return X
    if sampling == "uniform":
        return X[np.sort(sample_without_replacement(n, n_centres, random_state=rng))]
    pool = X[sample_without_replacement(n, min(n, POOL * n_centres), random_state=rng)]
    scores = _leverages(pool, CentreKernel(kernel, pool[:n_centres]))
    chosen = rng.choice(len(scores), n_centres, replace=False, p=scores / scores.sum())
    return pool[np.sort(chosen)]


def _leverages(X, pilot):
    """Ridge leverage scores of rows, up to a factor, with respect to the centres of `pilot`.

    ``k(x, x) - k_x' (K + c I)^-1 k_x`` with the hundredth part of the mean eigenvalue as c.
    """
    gram = pilot.gram()
    gram[np.diag_indices_from(gram)] += 0.01 * np.trace(gram) / len(gram)
    lower, _ = cho_factor(gram, lower=True)
    scores = np.empty(X.shape[0])
    values = np.empty((X.shape[0], len(gram)))
    pilot.into(X, values)
    for rows in row_blocks(len(scores), len(gram)):
        own = np.diag(pilot.kernel.matrix(X[rows], X[rows]))
        half = solve_triangular(lower, values[rows].T, lower=True)
        scores[rows] = own - np.square(half).sum(axis=0)
    return np.maximum(scores, np.finfo(float).eps * scores.max())
