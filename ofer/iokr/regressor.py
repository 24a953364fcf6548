"""Input output kernel regression: ridge regression into an output kernel's feature space."""

from collections.abc import Mapping
from copy import deepcopy
from numbers import Real
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin, clone
from sklearn.utils import check_consistent_length
from sklearn.utils.validation import check_is_fitted

from ofer.blocks import BlockRegressor
from ofer.iokr._output_space import (
    check_candidates,
    check_output_gram,
    check_preimage,
    climb,
    nearest,
    self_similarities,
    warn_if_indefinite,
)
from ofer.kernels import median_gamma
from ofer.ridge.input_kernel import INPUT_KERNEL_CONSTRAINTS, InputKernel, named_kernel
from ofer.ridge.kernel_system import KernelSolution, candidate_alphas
from ofer.ridge.leave_one_out import squared_loo_errors
from ofer.utils.absent import cover_absent, stand_ins, take_columns
from ofer.utils.estimators import WarnsOnce
from ofer.utils.fitting import fit_context
from ofer.utils.medians import column_medians
from ofer.utils.products import quiet
from ofer.utils.scoring import AnyOutputsMixin, as_rows, target_units
from ofer.utils.sklearn_private import Interval, StrOptions, safe_indexing
from ofer.utils.typing import KernelLike, ListLike, MatrixLike
from ofer.utils.validation import (
    as_numbers,
    check_alphas,
    check_kernel_values,
    check_order,
    check_range,
    check_spread,
    check_values,
    columns_of,
    warn_of_scales,
)


@quiet
class InputOutputKernelRegressor(
    WarnsOnce, AnyOutputsMixin, MultiOutputMixin, RegressorMixin, BlockRegressor, BaseEstimator
):
    r"""Input output kernel regression (IOKR): kernel ridge regression to outputs with a kernel.

    With :math:`\psi` the feature map of the output kernel :math:`k_y`, input output kernel
    regression [1]_ minimises

    .. math:: \sum_i \| \psi(y_i) - h(x_i) \|^2 + \alpha \| h \|^2 ,

    whose solution is :math:`h(x) = \sum_i a_i(x) \psi(y_i)` with
    :math:`a(x) = (K + \alpha I)^{-1} k(x)`; an unpenalised intercept, a vector of the feature
    space, keeps this form. A prediction is the output whose feature vector is nearest to
    :math:`h(x)`,

    .. math:: \hat y(x) = \arg\min_y \; k_y(y, y) - 2 \sum_i a_i(x) k_y(y_i, y) ,

    among candidates or, for vectors, among all vectors. Without the first term, kernels that are
    not normalised would favour long outputs.

    Parameters
    ----------
    alphas : array-like of shape (n_alphas,), default=None
        Positive candidates for the ridge parameter :math:`\alpha`. None takes those of
        `KernelRidgeCV`.
    kernel : str or callable, default="linear"
        Input kernel: a name known to `sklearn.metrics.pairwise.pairwise_kernels`, "precomputed",
        or a function ``kernel(X, Z, **kernel_params)`` that returns the whole matrix.
    gamma : float, {"mean", "median"} or None, default="mean"
        Width parameter of named input kernels, as in `KernelRidgeCV`.
    kernel_params : dict, default=None
        Keyword arguments of a callable input kernel.
    fit_intercept : bool, default=True
        Whether to fit an intercept; [1]_ fits none.
    output_kernel : {"rbf", "linear", "precomputed"} or callable, default="rbf"
        Output kernel. A callable ``output_kernel(Y, Z, **output_kernel_params)`` returns the
        whole matrix, as the kernels of `ofer.kernels` do, and makes outputs of any kind possible:
        arrays of any number of axes, or lists. With "precomputed", `fit` takes the Gram matrix of
        the training outputs in place of the outputs, and predictions are their indices.
    output_gamma : float, default=None
        Width parameter of the rbf output kernel, ``exp(-output_gamma * squared_distance)``. None
        takes `ofer.kernels.median_gamma` of the outputs.
    output_kernel_params : dict, default=None
        Keyword arguments of a callable output kernel.
    preimage : {"candidates", "gradient"}, default="candidates"
        How predictions are decoded: the best of a set of candidates, or the best vector, which
        needs a named output kernel. The latter is the kernel ridge prediction for the linear
        kernel, and for the rbf kernel the local optimum that limited-memory BFGS finds from the
        best training output.

    Attributes
    ----------
    alpha_ : float
        The chosen ridge parameter.
    alphas_ : ndarray of shape (n_alphas,)
        The candidates.
    loo_scores_ : ndarray of shape (n_alphas,)
        Minus the mean squared leave-one-out error in the output feature space; for the linear
        output kernel in units of each target's variance, as in `KernelRidgeCV`. None is positive,
        unless the output kernel is not positive semi-definite. With one ridge parameter it is
        computed on demand, like everything that predictions do not need.
    best_score_ : float
        Score of the chosen ridge parameter.
    dual_coef_ : ndarray of shape (n_samples, n_samples), or None
        The matrix :math:`G` of :math:`a(x) = G k(x) + c`; without an intercept, :math:`(K + \alpha
        I)^{-1}`. None if `coef_` replaces it.
    coef_ : ndarray of shape (n_samples, n_features), or None
        The matrix :math:`B` of :math:`a(x) = B x + c`; see `KernelRidgeCV`.
    intercept_ : ndarray of shape (n_samples,)
        The weights :math:`c` of the training outputs in the intercept; zeros when there is none.
    output_gamma_ : float or None
        The width used by the rbf output kernel.
    output_gram_ : ndarray of shape (n_samples, n_samples)
        The output kernel's matrix on the training outputs; for a named kernel, computed on demand.
    y_fit_ : array or list of length n_samples, or None
        A copy of the training outputs; None for a precomputed output kernel.
    gamma_ : float or None
        The width used by the input kernel.
    X_fit_ : ndarray or sparse matrix of shape (n_samples, n_features), or None
        A copy of the training inputs; None for a precomputed kernel, or where there is `coef_`.
    n_features_in_ : int
        Number of input features.

    Warns
    -----
    UserWarning
        If the matrix of an output kernel is not positive semi-definite, the standard deviations of
        the outputs differ by more than 1e3, or the chosen ridge parameter is an end of the grid and
        the score still rises by 1 % there.

    See Also
    --------
    KernelRidgeCV : Ridge regression of the outputs themselves.
    OutputFisherRegressor : Outputs in a finite-dimensional embedding with a closed-form inverse.

    Notes
    -----
    Fitting takes O(n^3) time for all ridge parameters of four decades, much less for one, and
    O(n^2) memory.
    Decoding t inputs among m different candidates takes the smaller of O((n + t) n m) and O((n + m)
    n t) time, and O(n m) memory. Gradient pre-images take O(t n d) time per iteration for d
    targets. `score` needs arrays.

    The leave-one-out error is exact, and needs Gram matrices only: with :math:`G` as in
    `dual_coef_` and :math:`L` the output Gram matrix,

    .. math:: \| \psi(y_i) - h_{-i}(x_i) \|^2 = \frac{(G L G)_{ii}}{G_{ii}^2} .

    This needs a positive semi-definite output kernel. With another one, such as
    `ofer.kernels.dtw_kernel`, squared errors and distances may be negative, the smallest mean may
    not belong to the best ridge parameter, and `fit` warns. Then give one in `alphas`, chosen by
    folds.

    References
    ----------
    .. [1] Brouard, Szafranski, d'Alché-Buc, "Input output kernel regression: supervised and
       semi-supervised structured output prediction with operator-valued kernels", Journal of
       Machine Learning Research 17 (2016), section 3.

    Examples
    --------
    >>> import numpy as np
    >>> from ofer import InputOutputKernelRegressor
    >>> x = np.linspace(0, 6, 40)[:, None]
    >>> circle = np.column_stack([np.cos(x), np.sin(x)])
    >>> model = InputOutputKernelRegressor([1e-5], kernel="rbf", preimage="gradient").fit(x, circle)
    >>> model.predict([[1.5]]).round(2)
    array([[0.07, 0.99]])

    Outputs may be series of unequal lengths. Predictions are then among those of the training
    set, here ramps that end at x:

    >>> from ofer.kernels import global_alignment_kernel
    >>> ramps = [np.linspace(0, end, 3 + i % 3) for i, end in enumerate(x[:, 0])]
    >>> model = InputOutputKernelRegressor(
    ...     kernel="rbf",
    ...     output_kernel=global_alignment_kernel,
    ...     output_kernel_params={"bandwidth": 1.0},
    ... ).fit(x, ramps)
    >>> [ramp.round(1) for ramp in model.predict([[1.1], [4.8]])]
    [array([0. , 0.4, 0.7, 1.1]), array([0. , 1.6, 3.2, 4.8])]
    """

    abilities = frozenset({"sample_weight"})
    _loo_scores: NDArray | None  # this and the next are None until they are asked for
    _solution: KernelSolution | None

    _parameter_constraints: ClassVar = {
        **INPUT_KERNEL_CONSTRAINTS,
        "output_kernel": [StrOptions({"rbf", "linear", "precomputed"}), callable],
        "output_gamma": [Interval(Real, 0, None, closed="neither"), None],
        "output_kernel_params": [dict, None],
        "preimage": [StrOptions({"candidates", "gradient"})],
    }

    def __init__(
        self,
        alphas: ArrayLike | None = None,
        *,
        kernel: KernelLike = "linear",
        gamma: float | str | None = "mean",
        kernel_params: dict | None = None,
        fit_intercept: bool = True,
        output_kernel: KernelLike = "rbf",
        output_gamma: float | None = None,
        output_kernel_params: dict | None = None,
        preimage: str = "candidates",
    ):
        self.alphas = alphas
        self.kernel = kernel
        self.gamma = gamma
        self.kernel_params = kernel_params
        self.fit_intercept = fit_intercept
        self.output_kernel = output_kernel
        self.output_gamma = output_gamma
        self.output_kernel_params = output_kernel_params
        self.preimage = preimage

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags

    @property
    def loo_scores_(self) -> NDArray:
        """Minus the mean squared leave-one-out error of each ridge parameter; see the class."""
        check_is_fitted(self)
        if self._loo_scores is None:
            self._loo_scores = self._score_ridges()
        return self._loo_scores

    @property
    def best_score_(self) -> float:
        """Score of the chosen ridge parameter."""
        return float(self.loo_scores_.max())

    @property
    def dual_coef_(self) -> NDArray | None:
        """The matrix G of ``a(x) = G k(x) + c``, or None."""
        return self._expansion().coef if self._system.span is None else None

    @property
    def coef_(self) -> NDArray | None:
        """The matrix B of ``a(x) = B x + c``, or None."""
        return None if self._system.span is None else self._expansion().coef.T

    @property
    def intercept_(self) -> NDArray:
        """The weights c of the training outputs in the intercept."""
        return self._expansion().intercept

    @property
    def output_gram_(self) -> NDArray:
        """The output kernel's matrix on the training outputs."""
        check_is_fitted(self)
        return self.output_kernel_matrix(self.y_fit_) if self._gram is None else self._gram

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: MatrixLike, y: ListLike, sample_weight: ArrayLike | None = None) -> Self:
        """Choose the ridge parameter and fit the model.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Training inputs; the kernel matrix (n_samples, n_samples) when ``kernel="precomputed"``.
        y : array-like of shape (n_samples,), (n_samples, ...), or as `output_kernel` takes
            Training outputs, or their Gram matrix when ``output_kernel="precomputed"``.
        sample_weight : float or array-like of shape (n_samples,), default=None
            Weights, not negative. Integers are repetitions, of which leave-one-out leaves out all.
            Samples of weight zero are no candidates, and have no part in `output_gamma_`.

        Returns
        -------
        self : InputOutputKernelRegressor
        """
        X, y, weights = self._validate(X, y, sample_weight)
        return self._fit_to(self._decompose(X, weights), X, y, weights)

    def fit_blocks(
        self, X: MatrixLike, blocks: Mapping[str, ListLike], sample_weight: ArrayLike | None = None
    ) -> dict[str, Self]:
        shared, system = clone(self), None  # the clones below share its memory of warnings
        fitted = {name: clone(shared) for name in blocks}
        for name, regressor in fitted.items():
            inputs, outputs, weights = regressor._validate(X, blocks[name], sample_weight)
            if system is None:
                X_fit, system = inputs, regressor._decompose(inputs, weights)
            regressor._fit_to(system, X_fit, outputs, weights)
        return fitted

    def _decompose(self, X, weights):
        kernel = self._kernel(self.gamma_)
        return kernel.system(X, self.alphas, weights, self.fit_intercept, n_matrices=5)

    def _fit_to(self, system, X, y, weights):
        """Choose the ridge parameter, given the decomposed inputs; with one there is no choice."""
        self._system, self._solution, self._loo_scores = system, None, None
        self._fit_output_kernel(y, weights)
        self.alphas_ = candidate_alphas(system, self.alphas)
        best = self.loo_scores_.argmax() if len(self.alphas_) > 1 else 0
        self.alpha_ = float(self.alphas_[best])
        if len(self.alphas_) > 1:
            self._warn_of_grid_end(self.alphas_, self.loo_scores_)
        needless = self.kernel == "precomputed" or self._kernel(self.gamma_).has_features(X)
        self.X_fit_ = None if needless else X
        return self

    def predict(self, X: MatrixLike, candidates: ListLike | None = None) -> NDArray | list:
        """Predict the outputs.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features)
            Inputs, or kernel values (n_queries, n_samples) with the training inputs when
            ``kernel="precomputed"``.
        candidates : like `y` in `fit`, of any length, default=None
            Outputs to choose from, for ``preimage="candidates"`` only; None takes the training
            outputs, as it must be for a precomputed output kernel.

        Returns
        -------
        ndarray of shape (n_queries,) or (n_queries, n_targets), or selected candidates
            Outputs of the kind of `y`; of a precomputed output kernel, their indices.
        """
        check_is_fitted(self)
        check_preimage(self.preimage, self.output_kernel, candidates)
        choices = None if candidates is not None else self._choices
        if self.preimage == "candidates":
            scores = self._score_batches(X, candidates, choices)
            chosen = np.concatenate([batch.argmax(axis=1) for batch in scores])
            chosen = chosen if choices is None else choices[chosen]
            if self.y_fit_ is None:
                return chosen
            return safe_indexing(self.y_fit_ if candidates is None else candidates, chosen)
        Y, origin = self.y_fit_.reshape(len(self.y_fit_), -1), self._origin
        outputs = []
        gram, squared_norms = self._of_training(choices)
        for K in self._query(X)[1]:
            weights = self._system.smoother(K, self.alpha_)
            if self.output_kernel == "linear":
                outputs.append(origin + weights @ (Y - origin))
            else:
                starts = Y[choices[nearest(weights, gram, squared_norms)]]
                outputs.append(climb(weights, Y, starts, self.output_gamma_))
        return np.concatenate(outputs).reshape(-1, *self.y_fit_.shape[1:])

    def predict_blocks(self, X: MatrixLike, fitted: Mapping[str, Self]) -> dict[str, NDArray]:
        return {name: np.asarray(one.predict(X)) for name, one in fitted.items()}

    def score_candidates(self, X: MatrixLike, candidates: ListLike | None = None) -> NDArray:
        r"""Compare candidate outputs with the prediction in the output feature space.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features)
            Inputs, as in `predict`.
        candidates : like `y` in `fit`, of any length, default=None
            Outputs to compare, as in `predict`.

        Returns
        -------
        ndarray of shape (n_queries, n_candidates)
            The values :math:`2 \sum_i a_i(x) k_y(y_i, y) - k_y(y, y)`: minus the squared distance
            of a candidate to :math:`h(x)`, up to a number that all candidates of a row share.
        """
        return np.concatenate(list(self._score_batches(X, candidates)))

    def output_kernel_matrix(self, Y: ListLike, Z: ListLike | None = None) -> NDArray:
        """Output kernel between two sets of outputs, with the fitted width.

        With an intercept the linear kernel is around the median of the training outputs.

        Parameters
        ----------
        Y, Z : like `y` in `fit`, of any length
            Outputs; None in place of Z is Y.

        Returns
        -------
        ndarray of shape (n_y, n_z), float64
        """
        Z = Y if Z is None else Z
        if callable(self.output_kernel):
            K = self.output_kernel(Y, Z, **(self.output_kernel_params or {}))
            return check_kernel_values("output_kernel", K, (len(Y), len(Z)))
        options = {"ensure_2d": False, "allow_nd": True}
        rows = (as_numbers(name, A, **options) for name, A in (("Y", Y), ("Z", Z)))
        Y, Z = (A.reshape(len(A), -1) for A in rows)
        if self.output_kernel == "linear":
            return (Y - self._origin) @ (Z - self._origin).T
        return named_kernel("rbf", Y, Z, gamma=self.output_gamma_)

    def _score_batches(self, X, candidates, choices=None):
        """Scores of the candidates for the queries, in batches of these."""
        check_is_fitted(self)
        if candidates is None:
            gram, squared_norms = self._of_training(choices)
        else:
            check_order("candidates", candidates, self._columns)
            candidates = check_candidates(candidates, self.output_kernel, self.y_fit_)
            gram = self.output_kernel_matrix(self.y_fit_, candidates)
            squared_norms = self_similarities(self.output_kernel_matrix, candidates)
        X, batches = self._query(X)
        # It is quicker to regress few kernel values, and to weigh many.
        if gram.shape[1] < X.shape[0]:
            solution = self._system.solve(gram, self.alpha_)
            products = (solution.predict(K) for K in batches)
        else:
            products = (self._system.smoother(K, self.alpha_) @ gram for K in batches)
        for product in products:
            product *= 2.0
            product -= squared_norms
            yield product

    def _kernel(self, gamma):
        """The input kernel with a width, or a rule for it."""
        return InputKernel(self.kernel, gamma, kernel_params=self.kernel_params)

    def _query(self, X):
        """Checked inputs, and batches of what the decomposition is of."""
        kernel = self._kernel(self.gamma_)
        X = kernel.check_inputs(self, X, reset=False)
        return X, kernel.batches(X, self.X_fit_)

    def _validate(self, X, y, sample_weight):
        """Check parameters and data."""
        self._validate_params()
        check_alphas(self.alphas)
        check_preimage(self.preimage, self.output_kernel)
        self._columns = columns_of(y)
        weights, X, y = cover_absent(sample_weight, X, y, pairwise=self.kernel == "precomputed")
        if self.output_kernel == "precomputed" and (places := stand_ins(weights)) is not None:
            y = take_columns(y, places)
        kernel, options = self._kernel(self.gamma), {"ensure_min_samples": 2}
        if callable(self.output_kernel):
            if y is None:
                raise ValueError("y must hold outputs; got None.")
            X = kernel.check_inputs(self, X, **options)
            check_consistent_length(X, y)
            self.gamma_ = kernel.width(X, weights)
            return X, deepcopy(y), weights
        y = check_values("y", y)
        options |= {"multi_output": True, "y_numeric": True}
        X, rows = kernel.check_inputs(self, X, y=as_rows(y), **options)
        self.gamma_ = kernel.width(X, weights)
        y = np.array(rows, dtype=np.float64).reshape(np.asarray(y).shape)
        check_range("y", y)
        if self.output_kernel == "precomputed":
            check_output_gram(y)
        return X, y, weights

    def _of_training(self, choices=None):
        """Kernel (n_samples, n_choices) with the training outputs to choose among, and their norms.

        An absent sample is no candidate: it is too far away.
        """
        if choices is None:
            return self.output_gram_, self._squared_norms
        if self._gram is not None:
            return self._gram[:, choices], self._squared_norms[choices]
        gram = self.output_kernel_matrix(self.y_fit_[choices], self.y_fit_)
        return gram.T, self._squared_norms[choices]

    def _fit_output_kernel(self, y, weights):
        """Store the outputs, and those of them that differ."""
        self.y_fit_ = None if self.output_kernel == "precomputed" else y
        self.output_gamma_ = self.output_gamma if self.output_kernel == "rbf" else None
        present = np.arange(len(y)) if weights is None else np.flatnonzero(weights > 0)
        self._gram, self._choices = None, present
        if self.output_kernel in ("rbf", "linear"):
            rows = y.reshape(len(y), -1)
            # Where weights sum to one, products may be around any origin; digits ask for this one.
            medians = column_medians(rows, weights) if self.fit_intercept else 0.0
            self._origin = np.broadcast_to(medians, rows.shape[1])
            warn_of_scales(rows[present], "the output kernel")
            if self.output_kernel == "rbf" and self.output_gamma is None:
                check_spread("y", rows[present])
                self.output_gamma_ = median_gamma(
                    rows[present], sample_weight=None if weights is None else weights[present]
                )
            self._choices = present[_first_of_equals(rows[present])]
            norms = np.ones(len(y))
            if self.output_kernel == "linear":
                norms = np.square(rows - self._origin).sum(axis=1)
        else:
            precomputed = self.output_kernel == "precomputed"
            self._gram = y if precomputed else self.output_kernel_matrix(y)
            warn_if_indefinite(self._gram)
            norms = np.diag(self._gram)
        self._squared_norms = norms if weights is None else np.where(weights > 0, norms, np.inf)

    def _expansion(self):
        if self._solution is None:
            self._solution = self._system.expansion(self.alpha_)
        return self._solution

    def _score_ridges(self):
        if self.output_kernel == "linear":
            Y = self.y_fit_.reshape(len(self.y_fit_), -1) - self._origin
            units = target_units(Y, self._system.samples.weights)
            missed = self._system.loo_residuals(Y, self.alphas_)
            errors = (np.square(residuals / units).mean(axis=1) for residuals in missed)
        else:
            errors = squared_loo_errors(self._system, self.output_gram_, self.alphas_)
        weights, rows, *_ = self._system.samples
        return -np.array([weights[rows] @ e[rows] / weights.sum() for e in errors])


def _first_of_equals(rows):
    """Places of the rows that no earlier one equals, in order."""
    exact = np.ascontiguousarray(rows + 0.0)  # this leaves one zero
    keys = exact.view(np.dtype((np.void, exact.itemsize * exact.shape[1]))).ravel()
    return np.sort(np.unique(keys, return_index=True)[1])  # rows as bytes sort ten times faster
