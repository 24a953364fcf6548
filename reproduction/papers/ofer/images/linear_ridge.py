"""Linear ridge regression for many outputs, choices and sample sizes at once."""

from typing import NamedTuple

import numpy as np


class RidgeFit(NamedTuple):
    """A fitted ridge."""

    coef: np.ndarray
    """Of shape (n_features, n_targets)."""
    intercept: np.ndarray
    """Of shape (n_targets,)."""

    def predict(self, X):
        """Predict the targets, (n_queries, n_targets)."""
        return X @ self.coef + self.intercept


class LinearRidge:
    r"""Ridge regressions on one weighted set of inputs.

    The same fits as those of `ofer.KernelRidgeCV` with the linear kernel, for any outputs after
    one decomposition. That is of the smaller of the two Gram matrices: with thousands of weak
    samples, the one of the features.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Inputs.
    sample_weight : ndarray of shape (n,), default=None
        Positive weights; None is ones.
    fit_intercept : bool, default=True
        Whether there is an intercept, not penalised.

    Attributes
    ----------
    scale : float
        Mean eigenvalue of the centred, weighted kernel matrix, the unit of ridges.

    Notes
    -----
    With the centred inputs :math:`\tilde X = Z V^\top`, scaled by the roots of the weights, the
    leverage of a sample is :math:`w_i / \sum w + \sum_j Z_{ij}^2 / (\omega_j + \alpha)`, and its
    leave-one-out residual is the residual divided by one minus the leverage.
    O(n d min(n, d)), and O(n min(n, d)) for a target and ridge.
    """

    def __init__(self, X, sample_weight=None, *, fit_intercept=True):
        n = len(X)
        self._weights = np.ones(n) if sample_weight is None else sample_weight
        self._root = np.sqrt(self._weights)[:, None]
        self._centre = self._weights / self._weights.sum() if fit_intercept else np.zeros(n)
        self._mean = self._centre @ X
        A = self._root * (X - self._mean)
        if A.shape[0] < A.shape[1]:
            values, U = np.linalg.eigh(A @ A.T)
            kept = values > 1e-10 * values[-1]
            self._values, U = values[kept], U[:, kept]
            self._Z = U * np.sqrt(self._values)
            self._V = A.T @ (U / np.sqrt(self._values))
        else:
            self._values, self._V = np.linalg.eigh(A.T @ A)
            self._Z = A @ self._V
        self._squared = np.square(self._Z)
        self.scale = float(self._values.sum() / (n - fit_intercept))

    def path(self, Y, alphas):
        """Leave-one-out predictions for one ridge after the other.

        Parameters
        ----------
        Y : ndarray of shape (n, n_targets)
            Targets.
        alphas : sequence of float
            Ridges, in units of `scale`.

        Yields
        ------
        ndarray of shape (n, n_targets)
        """
        centred = self._root * (Y - self._centre @ Y)
        projected = self._Z.T @ centred
        for alpha in alphas:
            inverse = 1.0 / (self._values + alpha * self.scale)
            residuals = centred - self._Z @ (inverse[:, None] * projected)
            leverage = self._centre + self._squared @ inverse
            yield Y - residuals / (self._root * (1.0 - leverage)[:, None])

    def fit(self, Y, alpha):
        """Fit with one ridge.

        Parameters
        ----------
        Y : ndarray of shape (n, n_targets)
            Targets.
        alpha : float
            The ridge, in units of `scale`.

        Returns
        -------
        RidgeFit
        """
        mean = self._centre @ Y
        projected = self._Z.T @ (self._root * (Y - mean))
        coef = self._V @ (projected / (self._values + alpha * self.scale)[:, None])
        return RidgeFit(coef, mean - self._mean @ coef)
