"""Centres of a Nyström approximation: which ones, and kernel values with them."""

import numpy as np
from scipy import sparse
from sklearn.utils.random import sample_without_replacement


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


def draw_centres(X, n_centres, rng):
    """Different rows of X (n, d), all if there are no more than `n_centres`."""
    n = X.shape[0]
    if n > n_centres:
        X = X[np.sort(sample_without_replacement(n, n_centres, random_state=rng))]
    return X if sparse.issparse(X) else X[np.sort(np.unique(X, axis=0, return_index=True)[1])]
