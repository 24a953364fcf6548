"""Kernel ridge regression with an intercept and exact leave-one-out selection."""

import warnings
from collections.abc import Callable, Mapping
from copy import copy
from functools import partial
from itertools import pairwise
from numbers import Real
from typing import ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin, clone
from sklearn.metrics import get_scorer_names
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import check_array, check_consistent_length
from sklearn.utils.validation import check_is_fitted

from ofer.blocks import BlockRegressor, stack_blocks
from ofer.ridge.input_kernel import INPUT_KERNEL_CONSTRAINTS, InputKernel, same_inputs
from ofer.ridge.kernel_system import KernelSystem, candidate_alphas, scored_alphas
from ofer.ridge.missing import SystemsByPattern
from ofer.utils.absent import cover_absent, indexable, present
from ofer.utils.estimators import WarnsOnce
from ofer.utils.fitting import fit_context
from ofer.utils.products import quiet
from ofer.utils.scoring import AnyOutputsMixin, residual_scorer
from ofer.utils.sklearn_private import Interval, StrOptions, check_y
from ofer.utils.typing import KernelLike, Matrix, MatrixLike, ScoringLike
from ofer.utils.validation import (
    check_alphas,
    check_even,
    check_range,
    check_values,
    check_weights,
    fill_missing,
)

MANY_COPIES = 0.1  # from this share of copies on, leave-one-out misleads


class Trial(NamedTuple):
    """A kernel, with the ridge parameters that were tried for blocks of targets."""

    kernel: InputKernel
    tried: dict[str, tuple[NDArray, NDArray]]  # ridge parameters by block, and their scores
    score: float  # the best of each block, averaged over all targets


@quiet
class KernelRidgeCV(
    WarnsOnce, AnyOutputsMixin, MultiOutputMixin, RegressorMixin, BlockRegressor, BaseEstimator
):
    r"""Kernel ridge regression that chooses its ridge parameter, and its kernel, by leave-one-out.

    Minimises, over functions :math:`f` of the kernel's RKHS and an unpenalised intercept :math:`b`,

    .. math:: \sum_i w_i \| y_i - f(x_i) - b \|^2 + \alpha \| f \|^2 ,

    which is the learning step (13) of [1]_ with :math:`\alpha = 2 \ell \lambda_0`. One
    eigendecomposition of the (centred) kernel matrix serves every value of :math:`\alpha` and
    gives the leave-one-out residuals exactly: they equal those of n separate fits, each
    with its own intercept. ``KernelRidgeCV(gamma="loo")`` chooses the kernel by them, too, with one
    decomposition for each; put a `StandardScaler` before it.

    Parameters
    ----------
    alphas : array-like of shape (n_alphas,), "fixed" or None, default=None
        Positive candidates for the ridge parameter :math:`\alpha`. None takes 25 values,
        logarithmically spaced from 1e-4 to 1e4 times the mean eigenvalue of the (centred, weighted)
        kernel matrix, so that scaling the kernel changes nothing. If the best one is at an end and
        the score still rises there by 1 %, the grid is extended as far as roundoff allows, unless a
        tenth of the samples are copies of others. "fixed" takes these 25 for any targets.
    kernel : str or callable, default="linear"
        A name known to `sklearn.metrics.pairwise.pairwise_kernels`, "precomputed", or a
        function of two arrays, ``kernel(X, Z, **kernel_params)``, that returns the whole matrix
        of shape (len(X), len(Z)).
    gamma : float, array-like, {"loo", "mean", "median"} or None, default="mean"
        Width parameter of the rbf, laplacian, polynomial, sigmoid and chi2 kernels: a number,
        several to choose from by leave-one-out, or a rule. "loo" chooses from six widths. For rbf
        they go from 1/4 to 8 median distances of the inputs, and the linear kernel is a seventh
        candidate; ``kernel="linear"`` means the same. For other kernels gamma goes from 16 to 1/64
        times that of "mean". "mean" is one over the mean squared distance of two samples, twice the
        sum of the columns' variances (rbf); in the units of other kernels, one over the sum of the
        columns' standard deviations (laplacian), variances over means (chi2), or mean squares.
        "median", for rbf alone, is `ofer.kernels.median_gamma` of X, which some samples far away do
        not move. None is scikit-learn's default for standardised inputs, 1 / n_features; for chi2
        1.
    degree : float, default=3
        Degree of the polynomial kernel.
    coef0 : float, default=1
        Constant of the polynomial and sigmoid kernels.
    kernel_params : dict, default=None
        Keyword arguments of a callable kernel.
    fit_intercept : bool, default=True
        Whether to fit the intercept. The paper's m-KRR has none.
    alpha_per_target : bool, default=False
        Whether each target has its own ridge parameter.
    scoring : str or callable, default=None
        A scikit-learn scorer for the leave-one-out predictions. None is minus the mean squared
        error in units of each target's variance, so that no unit of a target changes the choice:
        0 is perfect, -1 the level of the mean. Weights of samples enter this and
        "neg_mean_squared_error", and no other.

    Attributes
    ----------
    alpha_ : float or ndarray of shape (n_targets,)
        The chosen ridge parameter.
    alphas_ : ndarray of shape (n_alphas,)
        The candidates.
    loo_scores_ : ndarray of shape (n_alphas,) or (n_alphas, n_targets)
        Leave-one-out score of each candidate (greater is better).
    best_score_ : float or ndarray of shape (n_targets,)
        Score of the chosen ridge parameter.
    loo_residuals_ : ndarray of shape (n_samples,) or (n_samples, n_targets)
        Training targets minus their leave-one-out predictions with the chosen ridge parameter,
        without their group if there are groups; NaN for samples of weight zero and for missing
        targets.
    dual_coef_ : ndarray of shape (n_samples,) or (n_samples, n_targets)
        Weights of the training samples in the kernel expansion.
    intercept_ : float or ndarray of shape (n_targets,)
        The intercept, 0 when there is none.
    kernel_ : str or callable
        The kernel used: `kernel`, or the chosen one.
    gamma_ : float or None
        The width used.
    cv_results_ : dict of ndarray of shape (n_kernels,)
        The choice of the kernel: "kernel" and "gamma" of each candidate, NaN where there is no
        width; "alpha", the best ridge parameter with it, or one for each target; and its
        leave-one-out "score", the mean over all targets, those of other blocks included.
    coef_ : ndarray of shape (n_features,) or (n_targets, n_features), or None
        Coefficients of the inputs, for the linear kernel, but of sparse inputs with many features.
    X_fit_ : ndarray or sparse matrix of shape (n_samples, n_features), or None
        A copy of the training inputs; None for a precomputed kernel, or where there is `coef_`.
    n_features_in_ : int
        Number of input features.

    See Also
    --------
    KernelSystem : The solver, for any targets.
    sklearn.kernel_ridge.KernelRidge : One ridge parameter, no intercept.
    sklearn.linear_model.RidgeCV : The linear case.

    Notes
    -----
    Fitting takes O(w (n^3 + n^2 (d + m q))) time for n samples, d features, m targets, q ridge
    parameters and w kernels, one of which is linear and nearly free if d < n, and O(n^2) memory;
    predicting for t inputs takes O(t n (k + m)), where k is the cost of one kernel value.
    A sample of weight two is one sample: it is left out as a whole, as is a group: for k samples
    that takes O(k^2 n) time for each ridge parameter. Samples with equal inputs but different
    outputs are no copies: if inputs are categories, other queries have them too, and leave-one-out
    is right. The linear
    kernel of dense inputs, or of sparse ones with d < n features, takes O(n d min(n, d)) time.
    With missing targets, each set of samples for which some are observed has its own decomposition.

    *The choice of the kernel* has seen all samples, as that of the ridge parameter has: its score
    is a little better than that of new samples. Where the kernel is chosen, the warnings of the
    candidates are not given.

    The default score sees all targets alike. On eleven multi-target sets in their own units, ten
    splits each, the mean relative error is .666 (rbf) and .723 (linear); with
    ``scoring="neg_mean_squared_error"``, which sees large targets more, .670 and .732, with a ridge
    parameter for each target .667 and .725.

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
    >>> Y = np.hstack([np.sin(X), 5 + np.cos(X)]) + 0.01 * rng.normal(size=(60, 2))
    >>> model = KernelRidgeCV(kernel="rbf", gamma=0.5).fit(X, Y)
    >>> bool(model.score(X, Y) > 0.999)
    True
    >>> model.intercept_.shape
    (2,)
    """

    abilities = frozenset({"sample_weight", "leave_one_out", "groups"})

    _parameter_constraints: ClassVar = {
        **INPUT_KERNEL_CONSTRAINTS,
        "gamma": [*INPUT_KERNEL_CONSTRAINTS["gamma"], StrOptions({"loo"}), "array-like"],
        "alphas": ["array-like", StrOptions({"fixed"}), None],
        "degree": [Interval(Real, 0, None, closed="left")],
        "coef0": [Interval(Real, None, None, closed="neither")],
        "alpha_per_target": ["boolean"],
        "scoring": [StrOptions(set(get_scorer_names())), callable, None],
    }

    def __init__(
        self,
        alphas: ArrayLike | str | None = None,
        *,
        kernel: KernelLike = "linear",
        gamma: float | ArrayLike | str | None = "mean",
        degree: float = 3,
        coef0: float = 1,
        kernel_params: dict | None = None,
        fit_intercept: bool = True,
        alpha_per_target: bool = False,
        scoring: ScoringLike = None,
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

    @fit_context(prefer_skip_nested_validation=True)
    def fit(
        self,
        X: MatrixLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
    ) -> Self:
        """Choose the ridge parameter and fit the model.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Training inputs; the kernel matrix (n_samples, n_samples) when ``kernel="precomputed"``.
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            Training targets. With two axes, entries may be missing (NaN), but not a whole row: each
            target is then regressed on the samples that it is observed for.
        sample_weight : float or array-like of shape (n_samples,), default=None
            Weights, not negative. Samples of weight zero count as absent.
        groups : array-like of shape (n_samples,), default=None
            Labels of groups, such as copies, or measurements of one subject. Leave-one-out leaves
            out a whole group; None is one sample at a time.

        Returns
        -------
        self : KernelRidgeCV

        Raises
        ------
        MemoryError
            If the n x n matrices would not fit in the memory that is free.

        Warns
        -----
        UserWarning
            If the chosen ridge is an end of given alphas and the score still rises by 1 % there; if
            the kernel gives all samples the same values, or sees each sample alone, or is not
            positive semi-definite; if the ridge parameter is below the roundoff of the kernel; or
            if a tenth of the samples are copies of others and there are no groups.
        """
        weights, X, y, groups = cover_absent(sample_weight, X, y, groups, pairwise=self._pairwise)
        return self._fit_all(lambda: self, X, {"y": y}, groups, weights)["y"]

    @fit_context(prefer_skip_nested_validation=True)
    def fit_blocks(
        self,
        X: MatrixLike,
        blocks: Mapping[str, ArrayLike],
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
    ) -> dict[str, Self]:
        """Fit one regressor for each block of targets; all share one decomposition.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Training inputs, as in `fit`.
        blocks : dict of array-like of shape (n_samples,) or (n_samples, n_targets)
            Training targets by the name of their block.
        sample_weight : float or array-like of shape (n_samples,), default=None
            Weights, as in `fit`.
        groups : array-like of shape (n_samples,), default=None
            Labels of groups, as in `fit`.

        Returns
        -------
        dict of KernelRidgeCV
            By block, what ``clone(self).fit(X, block, sample_weight)`` would be; but if there are
            several kernels to choose from, all blocks get the one that is the best for them
            together.

        Examples
        --------
        >>> from ofer import KernelRidgeCV
        >>> X, blocks = [[0.0], [1.0], [2.0]], {"a": [0.0, 1.0, 2.0], "b": [[3.0], [1.0], [1.0]]}
        >>> fitted = KernelRidgeCV([1e-9]).fit_blocks(X, blocks)
        >>> fitted["a"].predict_blocks([[3.0]], fitted)["a"].round(6)
        array([3.])
        """
        weights, X, groups, *targets = cover_absent(
            sample_weight, X, groups, *blocks.values(), pairwise=self._pairwise
        )
        shared, blocks = clone(self), dict(zip(blocks, targets, strict=True))
        # The copies share its memory of warnings.
        return shared._fit_all(partial(copy, shared), X, blocks, groups, weights)

    def predict(self, X: MatrixLike) -> NDArray:
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
        return self.predict_blocks(X, {"y": self})["y"]

    def predict_blocks(self, X: MatrixLike, fitted: Mapping[str, Self]) -> dict[str, NDArray]:
        check_is_fitted(self)
        if not all(same_inputs(one.X_fit_, self.X_fit_) for one in fitted.values()):
            raise ValueError("fitted must be what one call of fit_blocks returned; got others.")
        kernel = self._fitted_kernel
        X = kernel.check_inputs(self, X, reset=False)
        parts = [
            [K @ (one.dual_coef_ if one.coef_ is None else one.coef_.T) for one in fitted.values()]
            for K in kernel.batches(X, self.X_fit_)
        ]
        columns = zip(fitted.items(), zip(*parts, strict=True), strict=True)
        return {name: np.concatenate(part) + one.intercept_ for (name, one), part in columns}

    def smoother(
        self, X: MatrixLike, fitted: Mapping[str, Self], sample_weight: ArrayLike | None = None
    ) -> Callable[[MatrixLike], dict[str, NDArray]]:
        """Smoother matrix: weights of the training targets in each prediction.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The training inputs, as in `fit`.
        fitted : dict of KernelRidgeCV
            What `fit_blocks` returned for them, or some of it, this regressor among them.
        sample_weight : float or array-like of shape (n_samples,), default=None
            The weights that it was given.

        Returns
        -------
        callable
            A function of queries (n_queries, n_features) that returns, by block, an array of shape
            (n_queries, n_samples, n_targets), or (n_queries, n_samples, 1) where one ridge serves
            all targets. Another decomposition, O(n^3) time and n^2 numbers, serves all ridges.

        Raises
        ------
        ValueError
            If targets were missing.

        Examples
        --------
        >>> from ofer import KernelRidgeCV
        >>> X, y = [[0.0], [1.0], [2.0]], [0.0, 1.0, 3.0]
        >>> model = KernelRidgeCV([0.1]).fit(X, y)
        >>> W = model.smoother(X, {"y": model})([[3.0]])["y"][:, :, 0]
        >>> bool(abs(W @ y - model.predict([[3.0]])) < 1e-12)
        True
        """
        seen = present(check_weights(sample_weight, X))
        if any(np.isnan(one.loo_residuals_[seen]).any() for one in fitted.values()):
            raise ValueError("fitted must have complete targets for a smoother; some are missing.")
        alphas = np.unique(np.concatenate([np.ravel(one.alpha_) for one in fitted.values()]))
        return partial(self._smooth, self.kernel_system(X, sample_weight, alphas), alphas, fitted)

    @fit_context(prefer_skip_nested_validation=True)
    def loo_predictions(
        self,
        X: MatrixLike,
        y: ArrayLike,
        *,
        alphas: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
    ) -> NDArray:
        """Leave-one-out predictions of the training targets, for each ridge parameter of a path.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Training inputs, as in `fit`.
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            Training targets.
        alphas : array-like of shape (n_alphas,), default=None
            Ridges; None takes the estimator's own candidates, of the default ones 25.
        sample_weight : float or array-like of shape (n_samples,), default=None
            Weights, positive here.
        groups : array-like of shape (n_samples,), default=None
            Labels of groups, as in `fit`.

        Returns
        -------
        ndarray of shape (n_alphas, n_samples) or (n_alphas, n_samples, n_targets)
            Entry (a, i) is the prediction for sample i of the model fitted without it, or without
            its group.

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
        weights = check_weights(sample_weight, X)
        if not (weights is None or weights.all()):
            raise ValueError("sample_weight must be positive for leave-one-out predictions.")
        X, kernel = probe._one_kernel(X, weights)
        y = probe._check_targets(X, y)
        system = probe._systems(kernel, X, weights).of(y.reshape(len(y), -1))
        paths = system.loo_residuals(y, candidate_alphas(system, probe.alphas), groups)
        return np.stack([y - residuals for residuals in paths])

    def kernel_system(
        self, X: MatrixLike, sample_weight: ArrayLike | None = None, alphas: ArrayLike | None = None
    ) -> KernelSystem:
        """Decompose the kernel matrix of the training inputs, before or after a fit.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The training inputs, as in `fit`.
        sample_weight : float or array-like of shape (n_samples,), default=None
            Their weights.
        alphas : array-like of shape (n_alphas,), default=None
            Ridge parameters that will be used; a single one takes less time. None is any.

        Returns
        -------
        KernelSystem
            O(n^3) time, or O(n d min(n, d)) for features.
        """
        check_alphas(alphas)
        weights, X = cover_absent(sample_weight, X, pairwise=self._pairwise)
        if "gamma_" in vars(self):
            kernel = self._fitted_kernel
            X = kernel.check_inputs(self, X, reset=False)
        else:
            X, kernel = self._one_kernel(X, weights)
        return kernel.system(X, alphas, weights, self.fit_intercept)

    @property
    def _pairwise(self) -> bool:
        return self.kernel == "precomputed"

    def _kernel(self, gamma: float | ArrayLike | str | None) -> InputKernel:
        """The input kernel with a width, or what says how it is found."""
        return InputKernel(self.kernel, gamma, self.degree, self.coef0, self.kernel_params)

    @property
    def _fitted_kernel(self) -> InputKernel:
        return self._kernel(self.gamma_)._replace(kernel=self.kernel_)

    def _one_kernel(self, X, weights):
        """What `prepare_inputs` returns, with the only kernel."""
        X, kernels = prepare_inputs(clone(self), X, weights)
        if len(kernels) > 1:
            raise ValueError(
                "gamma must stand for one width where nothing is fitted that could choose; got "
                f"{self.gamma!r}. After a fit take kernel_ and gamma_."
            )
        return X, kernels[0]

    def _smooth(self, system, alphas, fitted, queries):
        """Weights of the training targets in predictions of the queries, by block."""
        kernel = self._fitted_kernel
        rows = kernel.matrix(kernel.check_inputs(self, queries, reset=False), self.X_fit_)
        weights = dict(zip(alphas, system.smoothers(rows, alphas), strict=True))
        return {
            name: np.stack([weights[alpha] for alpha in np.atleast_1d(one.alpha_)], axis=2)
            for name, one in fitted.items()
        }

    def _check_targets(self, X: Matrix, y: ArrayLike) -> NDArray:
        """Targets of checked inputs, float64, NaN where missing."""
        if y is None:
            raise ValueError("KernelRidgeCV requires y to be passed, but the target y is None.")
        y, missing = fill_missing(check_values("y", y, missing=True))
        y = np.asarray(check_y(y, multi_output=True, y_numeric=True, estimator=self), np.float64)
        check_consistent_length(X, y)
        check_range("y", y)
        return y if missing is None else np.where(missing, np.nan, y)

    def _alphas_to_try(self, X, y, groups, weights, n_kernels):
        """The candidates `alphas`; the default ones do not go on where samples are copies.

        Leave-one-out would see copies of what it leaves out, and the least ridge would look best.
        """
        choices = 2 if self.alphas is None else len(self.alphas) * n_kernels
        share = 0.0 if choices == 1 or groups is not None else share_of_copies(X, y, weights)
        if share < MANY_COPIES:
            return self.alphas
        self._warn_once(
            f"{share:.0%} of the samples are copies of others, in X and y, which leave-one-out "
            "sees when it leaves out one: too small a ridge, or too narrow a kernel, looks best. "
            "Give groups= to fit, with one label for all copies, or each sample once, with "
            "sample_weight."
        )
        return "fixed" if self.alphas is None else self.alphas

    def _systems(self, kernel, X, weights, n_matrices=3):
        """Decompositions of the kernel, one for each set of samples with observed targets."""
        options = partial(kernel.system, X, self.alphas, n_matrices=n_matrices)
        return SystemsByPattern(partial(options, fit_intercept=self.fit_intercept), weights)

    def _fit_all(self, make, X, blocks, groups, weights):
        """Fit what `make` makes for each block of targets, all under the best kernel."""
        X, kernels = prepare_inputs(self, X, weights)
        blocks = {name: self._check_targets(X, y) for name, y in blocks.items()}
        alphas = self._alphas_to_try(X, stack_blocks(blocks), groups, weights, len(kernels))
        rows, several = {name: y.reshape(len(y), -1) for name, y in blocks.items()}, kernels[1:]
        trials, systems = list[Trial](), None
        for kernel in kernels:
            with warnings.catch_warnings():
                if several:  # a bad kernel is one that is not chosen
                    warnings.simplefilter("ignore", UserWarning)
                found, tried = self._systems(kernel, X, weights, 4 if several else 3), {}
                for name, Y in rows.items():
                    ridges, (scores,) = score_ridges(self, found.of(Y), [Y], alphas, groups)
                    tried[name] = ridges, scores
            means = [scores.max(axis=0).mean() for _, scores in tried.values()]
            score = np.average(means, weights=[Y.shape[1] for Y in rows.values()])
            if systems is None or score > max(one.score for one in trials):
                best, systems = len(trials), found
            trials.append(Trial(kernel, tried, score))
        return {
            name: make()._solve(name, y, X, groups, trials, best, systems)
            for name, y in blocks.items()
        }

    def _solve(self, name, y, X, groups, trials, best, systems):
        """Solve for a block of targets, under the best kernel, and set all attributes."""
        Y, shape = y.reshape(len(y), -1), y.shape[1:]
        system, (kernel, tried, _) = systems.of(Y), trials[best]
        self.alphas_, scores = tried[name]
        if self.alphas is not None:
            self._warn_of_grid_end(self.alphas_, scores)
        # A single ridge, or that of a single target, is a number and no array.
        per_target = shape if self.alpha_per_target else ()
        chosen = [ridges[of.argmax(axis=0)] for ridges, of in (one.tried[name] for one in trials)]
        self.kernel_, self.gamma_ = kernel.kernel, kernel.gamma
        self.cv_results_ = {
            "kernel": np.array([one.kernel.kernel for one in trials]),
            "gamma": np.array([one.kernel.gamma for one in trials], dtype=float),
            "alpha": np.array(chosen).reshape(-1, *per_target),
            "score": np.array([one.score for one in trials]),
        }
        self.loo_scores_ = scores.reshape(-1, *per_target)
        self.alpha_ = _numbers(chosen[best], per_target)
        self.best_score_ = _numbers(scores.max(axis=0), per_target)
        (residuals,) = system.loo_residuals(Y, [self.alpha_], groups)
        self.loo_residuals_ = residuals.reshape(-1, *shape)
        coef, intercept = system.solve(Y, self.alpha_)
        self.intercept_ = _numbers(intercept, shape)
        self.coef_, self.X_fit_ = None, None if self._pairwise else X
        if kernel.has_features(X):
            self.coef_, self.X_fit_ = coef.T.reshape(*shape, -1), None
            missed = np.nan_to_num(Y - (X @ coef + intercept))
            coef = system.samples.weights[:, None] * missed / self.alpha_
        self.dual_coef_ = coef.reshape(-1, *shape)
        return self


@fit_context(prefer_skip_nested_validation=True)
def prepare_inputs(ridge, X, weights=None):
    """A checked copy of training inputs, and the kernels that a `KernelRidgeCV` chooses from.

    The first step of a fit, also for who solves in its place. It sets what scikit-learn's
    `validate_data` sets, and nothing else.
    """
    check_alphas(ridge.alphas)
    if np.ndim(ridge.gamma):
        check_alphas(ridge.gamma, "gamma")
    kernel = ridge._kernel(ridge.gamma)
    X = kernel.check_inputs(ridge, X, ensure_min_samples=2)
    return X, kernel.candidates(X, weights)


def score_ridges(ridge, system, blocks, alphas, groups):
    """Ridge parameters that are tried for a list of blocks of targets, and scores of each block.

    These are (n_alphas, 1), or have one column a target if each has its own ridge.
    """
    targets, (weights, rows, *_) = np.hstack(blocks), system.samples
    options = weights[rows], ridge.alpha_per_target
    scores = [residual_scorer(ridge.scoring, block[rows], *options) for block in blocks]
    ends = np.cumsum([block.shape[1] for block in blocks])[:-1]

    def score_all(tried):
        paths = system.loo_residuals(targets, tried, groups)
        cuts = (zip(scores, np.split(missed[rows], ends, axis=1), strict=True) for missed in paths)
        return [np.hstack([score(block) for score, block in pairs]) for pairs in cuts]

    tried, all_scores = scored_alphas(system, alphas, score_all)
    cuts = ends if ridge.alpha_per_target else np.arange(1, len(blocks))
    return tried, np.split(all_scores, cuts, axis=1)


def _numbers(values: NDArray, shape: tuple[int, ...]) -> NDArray | float:
    """An array of this shape, or a float for ()."""
    return np.reshape(values, shape) if shape else float(np.squeeze(values))


def share_of_copies(X: Matrix, y: NDArray, weights: NDArray | None = None) -> float:
    """Share of the samples of positive weight that repeat another one, in inputs and outputs.

    It is 0 where equal inputs also have different outputs, for a tenth as many samples: those are
    categories and outputs of few values, and no copies.
    """
    rows = present(weights)
    X, y = X[rows], y[rows]
    if sparse.issparse(X):
        X = X.tocsr(copy=True)
        X.eliminate_zeros()
        cuts = list(pairwise(X.indptr))
        inputs = [hash(X.indices[a:b].tobytes() + X.data[a:b].tobytes()) for a, b in cuts]
    else:
        inputs = [hash(row.tobytes()) for row in X]  # hashes need no second X in memory
    samples = [(x, hash(row.tobytes())) for x, row in zip(inputs, y, strict=True)]
    different = len(set(samples))
    repeated, ambiguous = len(samples) - different, different - len(set(inputs))
    return repeated / len(samples) if repeated > 10 * ambiguous else 0.0


def scaled_ridge(gamma: str = "loo") -> Pipeline:
    """`KernelRidgeCV` behind a scaler, without which the widest column alone would set the width.

    The default regressor of other classes.
    """
    # Kernels of distances need no means, and sparse inputs keep their zeros.
    scaler, ridge = Float64Scaler(with_mean=False), KernelRidgeCV(kernel="rbf", gamma=gamma)
    return Pipeline([("standardscaler", scaler), ("kernelridgecv", ridge)])


class Float64Scaler(StandardScaler):
    """scikit-learn's scaler, in float64: it works in the type of its inputs."""

    def partial_fit(self, X, y=None, sample_weight=None):
        """Add samples to means and deviations."""
        return super().partial_fit(self._whole(X), y, sample_weight)

    def transform(self, X, copy=None):
        """Inputs in units of their deviations."""
        return super().transform(self._whole(X), copy)

    def _whole(self, X):
        options = {"dtype": np.float64, "ensure_all_finite": "allow-nan", "estimator": self}
        check_even("X", X)
        return check_array(indexable(X), accept_sparse=("csr", "csc"), input_name="X", **options)
