"""Centres of a Nyström approximation: which ones, and kernel values with them."""

import numpy as np
from scipy import sparse
from sklearn.utils.random import sample_without_replacement

from ofer.kernels._distances import GaussianCentres


class CentreKernel:
    """Kernel values of inputs with the centres, written into a given array.

    Those of the Gaussian kernel are one matrix product and one exponential, without a temporary
    array of their size.
    """

    def __init__(self, kernel, centres):
        self.kernel, self.centres, self.gaussian = kernel, centres, None
        if kernel.kernel == "rbf":
            gamma = 1.0 / centres.shape[1] if kernel.gamma is None else kernel.gamma
            self.gaussian = GaussianCentres(centres, gamma)

    def into(self, X, out):
        """Write the values for the rows of X (k, d) into `out` (k, m)."""
        if not callable(self.kernel.kernel):  # a function sees the inputs' own type
            X = X.astype(np.float64, copy=False)
        if self.gaussian is None:
            out[...] = self.kernel.matrix(X, self.centres)
        else:
            self.gaussian.into(X, out)

    def gram(self):
        """Kernel matrix of the centres (m, m)."""
        return self.kernel.matrix(self.centres, self.centres)


def draw_centres(X, n_centres, rng):
    """Different rows of X (n, d), all if there are no more than `n_centres`."""
    n = X.shape[0]
    if n > n_centres:
        X = X[np.sort(sample_without_replacement(n, n_centres, random_state=rng))]
    return X if sparse.issparse(X) else X[np.sort(np.unique(X, axis=0, return_index=True)[1])]
