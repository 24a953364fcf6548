"""Sketches of a kernel between outputs: few features whose products are nearly its values."""

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.utils import check_random_state

__all__ = ["ProjectedOutputs"]


def sparsified_sketch(n_rows, n_samples, n_nonzero, random_state=None):
    """Draw a p-sparsified Gaussian sketch."""
    rng = check_random_state(random_state)
    p = n_nonzero / n_samples
    kept = rng.uniform(size=(n_rows, n_samples)) < p
    return sparse.csr_matrix(kept * rng.normal(size=kept.shape) / np.sqrt(n_rows * p))


class ProjectedOutputs(TransformerMixin, BaseEstimator):
    r"""Outputs in the span of random combinations of the training outputs.

    With the Gaussian kernel matrix K of the training outputs and a sketch R, the features of an
    output y are :math:`(R K R^\top)^{-1/2} R k(y)`: their products are the kernel between the
    projections on the span of the rows of :math:`R \psi`.
    """

    def __init__(self, gamma, n_components, n_nonzero=None, random_state=None):
        self.gamma = gamma
        self.n_components = n_components
        self.n_nonzero = n_nonzero
        self.random_state = random_state

    def fit(self, Y, y=None):
        """Draw the sketch for training outputs (n, d)."""
        n_nonzero = len(Y) if self.n_nonzero is None else self.n_nonzero
        sketch = sparsified_sketch(self.n_components, len(Y), n_nonzero, self.random_state)
        used = np.flatnonzero(sketch.getnnz(axis=0))
        self.outputs_, self.sketch_ = Y[used], sketch[:, used]
        gram = rbf_kernel(self.outputs_, gamma=self.gamma)
        values, vectors = np.linalg.eigh(self.sketch_ @ (self.sketch_ @ gram).T)
        kept = values > 1e-14 * values[-1]
        self.root_ = vectors[:, kept] / np.sqrt(values[kept])
        return self

    def transform(self, Y):
        """Features (n, r) of outputs (n, d), r at most `n_components`."""
        return (self.sketch_ @ rbf_kernel(self.outputs_, Y, gamma=self.gamma)).T @ self.root_
