"""Kernel ridge regression with an intercept and exact leave-one-out selection."""

from typing import NamedTuple

import numpy as np
from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin, clone
from sklearn.metrics import check_scoring
from sklearn.metrics.pairwise import PAIRWISE_KERNEL_FUNCTIONS, pairwise_kernels
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from ofer._spectrum import Spectrum, decompose
from ofer._validation import check_gram_memory

__all__ = ["KernelRidgeCV"]


class KernelRidgeCV(MultiOutputMixin, RegressorMixin, BaseEstimator):
    r"""Multi-output kernel ridge regression, its ridge chosen by exact leave-one-out.

    Minimises, over functions :math:`f` of the kernel's RKHS and an unpenalised intercept
    :math:`b`,

    .. math:: \sum_i w_i \| y_i - f(x_i) - b \|^2 + \alpha \| f \|^2 ,

    which is the learning step (13) of [1]_ with :math:`\alpha = 2 \ell \lambda_0`. One
    eigendecomposition of the (centred) kernel matrix serves every value of :math:`\alpha` and
    gives the leave-one-out residuals exactly: they equal those of n separate fits, each
    with its own intercept.

    Parameters
    ----------
    alphas : array-like of shape (n_alphas,), default=None
        Positive candidates for the ridge :math:`\alpha`. None takes 25 values, logarithmically
        spaced from 1e-4 to 1e4 times the mean eigenvalue of the (centred, weighted) kernel
        matrix, so that scaling the kernel changes nothing.
    kernel : str or callable, default="linear"
        A name known to `sklearn.metrics.pairwise.pairwise_kernels`, "precomputed", or a
        function of two arrays, ``kernel(X, Z, **kernel_params)``, that returns the whole matrix
        of shape (len(X), len(Z)).
    gamma : float, default=None
        Width parameter of the rbf, laplacian, polynomial, sigmoid and chi2 kernels.
    degree : float, default=3
        Degree of the polynomial kernel.
    coef0 : float, default=1
        Constant of the polynomial and sigmoid kernels.
    kernel_params : dict, default=None
        Keyword arguments of a callable kernel.
    fit_intercept : bool, default=True
        Whether to fit the intercept. The paper's m-KRR has none.
    alpha_per_target : bool, default=False
        Whether each target has its own ridge.
    scoring : str or callable, default=None
        A scikit-learn scorer for the leave-one-out predictions; None is the negative mean
        squared error. Weights of samples enter only the default.

    Attributes
    ----------
    alpha_ : float or ndarray of shape (n_targets,)
        The chosen ridge.
    alphas_ : ndarray of shape (n_alphas,)
        The candidates.
    loo_scores_ : ndarray of shape (n_alphas,) or (n_alphas, n_targets)
        Leave-one-out score of each candidate (greater is better).
    best_score_ : float or ndarray of shape (n_targets,)
        Score of the chosen ridge.
    loo_residuals_ : ndarray of shape (n_samples,) or (n_samples, n_targets)
        Training targets minus their leave-one-out predictions with the chosen ridge; NaN for
        samples of weight zero.
    dual_coef_ : ndarray of shape (n_samples,) or (n_samples, n_targets)
        Weights of the training samples in the kernel expansion.
    intercept_ : float or ndarray of shape (n_targets,)
        The intercept, 0 when there is none.
    X_fit_ : ndarray or sparse matrix of shape (n_samples, n_features), or None
        The training inputs; None for a precomputed kernel.
    n_features_in_ : int
        Number of input features.

    See Also
    --------
    sklearn.kernel_ridge.KernelRidge : One ridge, no intercept.
    sklearn.linear_model.RidgeCV : The linear case.

    Notes
    -----
    Fitting takes O(n^3 + n^2 m q) time for n samples, m targets and q candidates, and O(n^2)
    memory; predicting for t inputs takes O(t n (k + m)), where k is the cost of one kernel value.
    A sample of weight two is one sample: it is left out as a whole.

    References
    ----------
    .. [1] Djerrab, Garcia, Sangnier, d'Alché-Buc, "Output Fisher embedding regression",
       Machine Learning 107 (2018), equation (13).

    Examples
    --------
    >>> import numpy as np
    >>> from ofer import KernelRidgeCV
    >>> rng = np.random.default_rng(0)
    >>> X = rng.uniform(-3, 3, size=(60, 1))
    >>> Y = np.column_stack([np.sin(X[:, 0]), 5 + np.cos(X[:, 0])])
    >>> model = KernelRidgeCV(kernel="rbf", gamma=0.5).fit(X, Y)
    >>> bool(model.score(X, Y) > 0.999)
    True
    >>> model.intercept_.shape
    (2,)
    """

    def __init__(
        self,
        alphas=None,
        *,
        kernel="linear",
        gamma=None,
        degree=3,
        coef0=1,
        kernel_params=None,
        fit_intercept=True,
        alpha_per_target=False,
        scoring=None,
    ):
        self.alphas = alphas
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.fit_intercept = fit_intercept
        self.alpha_per_target = alpha_per_target
        self.scoring = scoring

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags

    def fit(self, X, y, sample_weight=None):
        """Choose the ridge and fit the model.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Training inputs, or the kernel matrix (n_samples, n_samples) when
            ``kernel="precomputed"``.
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            Training targets.
        sample_weight : float or array-like of shape (n_samples,), default=None
            Weights, not negative. Samples of weight zero are as good as absent.

        Returns
        -------
        self : KernelRidgeCV
            The fitted estimator.

        Raises
        ------
        ValueError
            If a parameter, the data or the weights are out of their range.
        MemoryError
            If the n x n matrices would not fit in this machine's memory.
        """
        X, y = self._validate(X, y)
        system = self._prepare(X, sample_weight)
        self._fit_system(system, y.reshape(len(y), -1))
        if y.ndim == 1:
            self._ravel()
        return self

    def predict(self, X):
        """Predict the targets.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features)
            Inputs, or kernel values (n_queries, n_samples) with the training inputs when
            ``kernel="precomputed"``.

        Returns
        -------
        ndarray of shape (n_queries,) or (n_queries, n_targets)
        """
        check_is_fitted(self)
        X = validate_data(
            self, X, reset=False, accept_sparse=("csr", "csc"), dtype=self._input_dtype()
        )
        return self._kernel(X, self.X_fit_) @ self.dual_coef_ + self.intercept_

    def loo_predictions(self, X, y, *, alphas=None, sample_weight=None):
        """Leave-one-out predictions of the training targets for a whole path of ridges.

        The model is not changed and need not be fitted; memory is that of the result.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Training inputs, as in `fit`.
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            Training targets.
        alphas : array-like of shape (n_alphas,), default=None
            Ridges; None takes the estimator's own candidates.
        sample_weight : float or array-like of shape (n_samples,), default=None
            Weights, positive here.

        Returns
        -------
        ndarray of shape (n_alphas, n_samples) or (n_alphas, n_samples, n_targets)
            Entry (a, i) is the prediction for sample i of the model fitted without it.

        Examples
        --------
        >>> import numpy as np
        >>> from ofer import KernelRidgeCV
        >>> X, y = np.arange(4.0)[:, None], np.array([0.0, 1.0, 2.0, 3.0])
        >>> KernelRidgeCV().loo_predictions(X, y, alphas=[1e-9]).round(6)
        array([[0., 1., 2., 3.]])
        """
        probe = clone(self)
        if alphas is not None:
            probe.set_params(alphas=alphas)
        X, y = probe._validate(X, y)
        system = probe._prepare(X, sample_weight)
        if len(system.rows) < len(y):
            raise ValueError("sample_weight must be positive for leave-one-out predictions.")
        Y = y.reshape(len(y), -1)
        spectrum = system.spectrum
        path = spectrum.loo_residuals(spectrum.project(Y), probe._candidates(spectrum))
        predictions = np.stack([Y - residuals for residuals in path])
        return predictions.reshape(len(predictions), *y.shape)

    def _input_dtype(self):
        """Named kernels work in float64; a callable sees the inputs' own type (packed bits)."""
        return "numeric" if callable(self.kernel) else np.float64

    def _validate(self, X, y):
        """Check parameters and data."""
        known = isinstance(self.kernel, str) and (
            self.kernel in PAIRWISE_KERNEL_FUNCTIONS or self.kernel == "precomputed"
        )
        if not (known or callable(self.kernel)):
            names = ", ".join(sorted(PAIRWISE_KERNEL_FUNCTIONS))
            raise ValueError(
                f"kernel must be 'precomputed', a callable or one of {names}; got {self.kernel!r}."
            )
        if self.alphas is not None:
            alphas = np.asarray(self.alphas)
            if alphas.ndim != 1 or alphas.size == 0 or alphas.dtype.kind not in "fiu":
                raise ValueError(f"alphas must be a non-empty 1-D array; got {self.alphas!r}.")
            if not (np.isfinite(alphas).all() and (alphas > 0).all()):
                raise ValueError(f"alphas must be positive and finite; got {self.alphas!r}.")
        X, y = validate_data(
            self,
            X,
            y,
            accept_sparse=("csr", "csc"),
            dtype=self._input_dtype(),
            multi_output=True,
            y_numeric=True,
            ensure_min_samples=2,
        )
        check_gram_memory(X.shape[0])
        if self.kernel == "precomputed":
            if X.shape[0] != X.shape[1]:
                raise ValueError(
                    "X must be a square kernel matrix when kernel='precomputed'; "
                    f"got shape {X.shape}."
                )
            if not np.allclose(X, X.T, rtol=1e-7, atol=1e-10 * np.abs(X).max()):
                raise ValueError("X must be a symmetric kernel matrix when kernel='precomputed'.")
        return X, np.asarray(y, dtype=np.float64)

    def _kernel(self, X, Z):
        """Kernel matrix between two sets of inputs, float64."""
        if self.kernel == "precomputed":
            K = X
        elif callable(self.kernel):
            K = self.kernel(X, Z, **(self.kernel_params or {}))
        else:
            params = {"gamma": self.gamma, "degree": self.degree, "coef0": self.coef0}
            K = pairwise_kernels(X, Z, metric=self.kernel, filter_params=True, **params)
        K = K.toarray() if hasattr(K, "toarray") else np.asarray(K)
        return K.astype(np.float64, copy=False)

    def _prepare(self, X, sample_weight):
        """Kernel matrix and its decomposition: all that does not depend on the targets."""
        weights = _check_sample_weight(sample_weight, X, dtype=np.float64)
        if (weights < 0).any():
            raise ValueError(f"sample_weight must not be negative; got {weights.min()}.")
        rows = np.flatnonzero(weights)
        if len(rows) < 2:
            raise ValueError(
                f"sample_weight must be positive for at least 2 samples; got {len(rows)}."
            )
        K = self._kernel(X, X)
        if not np.isfinite(K).all():
            raise ValueError(
                f"kernel {self.kernel!r} returned values that are not finite, on finite inputs; "
                "check its parameters."
            )
        kept = K if len(rows) == len(weights) else K[np.ix_(rows, rows)]
        spectrum = decompose(kept, weights[rows], self.fit_intercept)
        return _System(X, K, rows, spectrum)

    def _candidates(self, spectrum):
        """Ridges to try."""
        if self.alphas is not None:
            return np.asarray(self.alphas, dtype=np.float64)
        mean = spectrum.values.mean()
        return (mean if mean > 0 else 1.0) * np.logspace(-4, 4, 25)

    def _scores(self, residuals, Y, root_weights):
        """Leave-one-out score of one ridge: a number, or one a target."""
        if self.scoring is None:
            weights = np.square(root_weights)
            errors = weights @ np.square(residuals) / weights.sum()
            return -errors if self.alpha_per_target else -errors.mean()
        scorer = check_scoring(_Identity(), scoring=self.scoring)
        if not self.alpha_per_target:
            return scorer(_Identity(), Y - residuals, Y)
        return np.array(
            [scorer(_Identity(), y - r, y) for y, r in zip(Y.T, residuals.T, strict=True)]
        )

    def _fit_system(self, system, Y):
        """Choose the ridge for these targets and store the solution."""
        spectrum = system.spectrum
        kept = Y[system.rows]
        projected = spectrum.project(kept)
        self.alphas_ = self._candidates(spectrum)
        self.loo_scores_ = np.array(
            [
                self._scores(residuals, kept, spectrum.root_weights)
                for residuals in spectrum.loo_residuals(projected, self.alphas_)
            ]
        )
        best = self.loo_scores_.argmax(axis=0)
        self.alpha_ = self.alphas_[best]
        self.best_score_ = self.loo_scores_.max(axis=0)
        self.loo_residuals_ = np.full_like(Y, np.nan)
        chosen = np.broadcast_to(self.alpha_, Y.shape[1])
        for alpha in np.unique(chosen):
            targets = chosen == alpha
            (residuals,) = spectrum.loo_residuals(projected[:, targets], np.array([alpha]))
            self.loo_residuals_[np.ix_(system.rows, targets)] = residuals
        self.dual_coef_ = np.zeros_like(Y)
        self.dual_coef_[system.rows] = spectrum.dual(projected, self.alpha_)
        self.intercept_ = np.zeros(Y.shape[1])
        if self.fit_intercept:
            fitted = system.K[system.rows] @ self.dual_coef_
            weights = np.square(spectrum.root_weights)
            self.intercept_ = weights @ (kept - fitted) / weights.sum()
        self.X_fit_ = None if self.kernel == "precomputed" else system.X
        if not self.alpha_per_target:
            self.alpha_, self.best_score_ = float(self.alpha_), float(self.best_score_)
        return self

    def _ravel(self):
        """Take the target axis off the fitted attributes of a one-dimensional target."""
        self.loo_residuals_ = self.loo_residuals_[:, 0]
        self.dual_coef_ = self.dual_coef_[:, 0]
        self.intercept_ = float(self.intercept_[0])
        if self.alpha_per_target:
            self.alpha_, self.best_score_ = float(self.alpha_[0]), float(self.best_score_[0])
            self.loo_scores_ = self.loo_scores_[:, 0]


class _System(NamedTuple):
    """What targets that see the same samples share."""

    X: np.ndarray
    K: np.ndarray
    rows: np.ndarray  # samples of positive weight
    spectrum: Spectrum


class _Identity(RegressorMixin, BaseEstimator):
    """A regressor whose inputs are its predictions, so that any scorer can judge them."""

    def fit(self, X, y):
        """Do nothing."""
        return self

    def predict(self, X):
        """Return the inputs."""
        return X
