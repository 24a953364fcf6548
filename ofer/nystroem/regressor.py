"""Kernel ridge regression on any number of samples, from sums over batches of them."""

from collections.abc import Callable, Mapping
from copy import copy
from functools import partial
from itertools import pairwise
from numbers import Integral, Real
from typing import ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin, clone
from sklearn.exceptions import NotFittedError
from sklearn.metrics.pairwise import PAIRWISE_KERNEL_FUNCTIONS
from sklearn.utils import check_array, check_random_state, gen_batches
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, validate_data

from ofer.blocks import Ability, BlockRegressor, stack_blocks
from ofer.nystroem._centres import CentreKernel, draw_centres
from ofer.nystroem._sums import CentreSums, warn_if_indefinite
from ofer.ridge.input_kernel import (
    INPUT_KERNEL_CONSTRAINTS,
    SEMIDEFINITE,
    InputKernel,
    same_inputs,
    warn_if_blind,
)
from ofer.utils.absent import all_absent, cover_absent, indexable, present
from ofer.utils.estimators import WarnsOnce
from ofer.utils.fitting import fit_context
from ofer.utils.products import quiet
from ofer.utils.scoring import AnyOutputsMixin
from ofer.utils.sklearn_private import Interval, StrOptions
from ofer.utils.typing import KernelLike, MatrixLike, Seed
from ofer.utils.validation import (
    check_alphas,
    check_columns,
    check_entries,
    check_even,
    check_order,
    check_range,
    check_values,
    columns_of,
)
from ofer.utils.warning import warn


class _Solution(NamedTuple):
    alpha_: float
    alphas_: NDArray
    dual_coef_: NDArray
    intercept_: NDArray | float
    scores: NDArray | None  # generalised cross-validation gives them; None if nobody has asked


class _Solved:
    """An attribute of the solution."""

    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, model, owner=None):
        return self if model is None else getattr(model._solve(), self.name)


def _needs_selection(selection, methods):
    """For `available_if`: whether a selection allows methods; the error says what they need."""

    def check(model):
        if model.selection not in ("auto", selection):
            raise AttributeError(
                f"selection must be 'auto' or {selection!r} for {methods}; got {model.selection!r}."
            )
        return True

    return check


_sees_samples_once = _needs_selection("gcv", "partial_fit and merge, which see a sample once")
_sees_samples_again = _needs_selection("loo", "a smoother, which sees samples again")


@quiet
class NystroemRidgeCV(
    WarnsOnce, AnyOutputsMixin, MultiOutputMixin, RegressorMixin, BlockRegressor, BaseEstimator
):
    r"""Nyström kernel ridge regression for any number of samples, in constant memory.

    Minimises the objective of `KernelRidgeCV`,

    .. math:: \sum_i w_i \| y_i - f(x_i) - b \|^2 + \alpha \| f \|^2 ,

    over functions :math:`f = \sum_{j=1}^m c_j k(\cdot, z_j)` of m centres :math:`z_j`, the Nyström
    approximation [1]_. It needs only sums of products of kernel values and targets. One pass over
    the samples makes them, batch after batch (`partial_fit`), on any number of machines (`merge`,
    `ofer.distributed.fit`). Then one eigendecomposition of m x m numbers gives the generalised
    cross-validation error of every ridge parameter. `fit` has all samples, and goes through them a
    second time for exact leave-one-out errors.

    Parameters
    ----------
    alphas : array-like of shape (n_alphas,), default=None
        Positive candidates for the ridge parameter :math:`\alpha`. None takes 25 values,
        logarithmically spaced from 1e-4 to 1e4 times the mean eigenvalue of the (centred, weighted)
        approximate kernel matrix.
    kernel : str or callable, default="rbf"
        As in `KernelRidgeCV`, except for "precomputed".
    gamma : float, {"mean", "median"} or None, default="mean"
        As in `KernelRidgeCV`. A rule uses the samples from which centres are drawn, or the given
        centres, so that all models with these can be merged.
    degree : float, default=3
        Degree of the polynomial kernel.
    coef0 : float, default=1
        Constant of the polynomial and sigmoid kernels.
    kernel_params : dict, default=None
        Keyword arguments of a callable kernel.
    n_components : int, default=1000
        Number of centres to draw, for all blocks; copies are dropped. All samples, if fewer.
    components : array-like of shape (m, n_features), default=None
        The centres, instead of drawn ones. Models can be merged if they have the same.
    selection : {"auto", "loo", "gcv"}, default="auto"
        How to choose the ridge parameter. Exact leave-one-out ("loo") needs `fit`, which then goes
        through the samples twice more. Generalised cross-validation ("gcv") needs only the sums,
        but is not safe with few more samples than centres. "auto" is "loo" in `fit`, and "gcv"
        after `partial_fit` and `merge`, which see a sample once.
    fit_intercept : bool, default=True
        Whether to fit an intercept, which is not penalised.
    batch_size : int, default=1000
        Number of rows whose kernel values are in memory together, in 8 (m + p) bytes each.
    random_state : int, RandomState instance or None, default=None
        Draws the centres.

    Attributes
    ----------
    components_ : ndarray or sparse matrix of shape (m, n_features)
        The centres.
    alpha_ : float
        The chosen ridge parameter.
    alphas_ : ndarray of shape (n_alphas,)
        The candidates.
    gcv_scores_ : ndarray of shape (n_alphas,)
        Minus the generalised cross-validation error of each, an estimate of the mean squared error
        of predictions in units of each target's variance, averaged over the targets.
    loo_scores_ : ndarray of shape (n_alphas,), or None
        Minus the mean squared leave-one-out error of each, in the same units; None where
        generalised cross-validation chooses.
    loo_residuals_ : ndarray of shape (n_samples,) or (n_samples, n_targets), or None
        Training targets minus their leave-one-out predictions with the chosen ridge parameter, NaN
        for samples of weight zero; None where generalised cross-validation chooses.
    dual_coef_ : ndarray of shape (m,) or (m, n_targets)
        Weights c of the centres.
    intercept_ : float or ndarray of shape (n_targets,)
        The intercept, 0 when there is none.
    gamma_ : float or None
        The width used.
    n_samples_seen_ : int
        Number of samples, without those of weight zero.
    n_features_in_ : int
        Number of input features.

    See Also
    --------
    KernelRidgeCV : The same with all samples as centres, in memory.
    ofer.distributed.fit : Fits it to batches on several machines.
    sklearn.kernel_approximation.Nystroem : The features, in memory.

    Notes
    -----
    For p targets a sample costs about :math:`(m + p)^2` floating-point operations and m kernel
    values, and choosing among q ridge parameters O(m^3 + q m p). Memory is O((m + p)^2) for any
    number of samples. Inputs of any floating-point type are summed in float64.

    The first batch fixes the origins of the sums, so that an intercept costs no digits. Two
    divisions of the same samples into batches give the same model up to roundoff, if the centres
    are the same: `fit` draws them from all samples, `partial_fit` from the first batch. The
    solution leaves out directions of the centres' kernel matrix that the roundoff of the sums
    hides: usually none, and at most those whose eigenvalue is below 1.5e-8 times the largest.

    Generalised cross-validation counts each degree of freedom 1.1 times, as is usual for smoothing
    splines [2]_: with a factor of 1 it may choose a fit that interpolates. It treats a sample of
    weight two as one sample, as leave-one-out does in `KernelRidgeCV`. Exact leave-one-out needs
    the leverage of each sample, hence the chosen directions, which are known only after the pass.
    So only `fit` offers it. The centres stay, even if the left-out sample is one of them.

    References
    ----------
    .. [1] Rudi, Camoriano, Rosasco, "Less is more: Nyström computational regularization", NeurIPS
       2015.
    .. [2] Kim, Gu, "Smoothing spline Gaussian regression: more scalable computation via efficient
       approximation", Journal of the Royal Statistical Society B 66 (2004).

    Examples
    --------
    >>> import numpy as np
    >>> from ofer import NystroemRidgeCV
    >>> rng = np.random.default_rng(0)
    >>> model = NystroemRidgeCV(gamma=0.5, n_components=20, random_state=0)
    >>> for _ in range(10):  # batches of a stream
    ...     X = rng.uniform(-3, 3, size=(1000, 1))
    ...     Y = np.hstack([np.sin(X), 5 + np.cos(X)]) + 0.1 * rng.normal(size=(1000, 2))
    ...     model = model.partial_fit(X, Y)
    >>> model.predict([[1.0]]).round(1)
    array([[0.8, 5.5]])
    >>> model.n_samples_seen_
    10000
    """

    components_: MatrixLike
    gamma_: float | None
    loo_scores_: NDArray | None
    _sums: CentreSums
    _y_shape: tuple[int, ...]
    _n_drawn_from: int  # samples, from which centres were drawn
    _solution: _Solution | None  # None until it is asked for
    _fit_intercept: bool  # of the first batch, as the kernel, which `_centres` has
    _alphas: NDArray | None  # of the last batch: set_params changes no fitted model
    _kernel_is_known = False  # whether its warnings were given with earlier samples

    alpha_ = _Solved()
    alphas_ = _Solved()
    dual_coef_ = _Solved()
    intercept_ = _Solved()

    _parameter_constraints: ClassVar = {
        **INPUT_KERNEL_CONSTRAINTS,
        "kernel": [StrOptions(set(PAIRWISE_KERNEL_FUNCTIONS)), callable],
        "degree": [Interval(Real, 0, None, closed="left")],
        "coef0": [Interval(Real, None, None, closed="neither")],
        "n_components": [Interval(Integral, 1, None, closed="left")],
        "components": ["array-like", "sparse matrix", None],
        "selection": [StrOptions({"auto", "loo", "gcv"})],
        "batch_size": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        alphas: ArrayLike | None = None,
        *,
        kernel: KernelLike = "rbf",
        gamma: float | str | None = "mean",
        degree: float = 3,
        coef0: float = 1,
        kernel_params: dict | None = None,
        n_components: int = 1000,
        components: MatrixLike | None = None,
        selection: str = "auto",
        fit_intercept: bool = True,
        batch_size: int = 1000,
        random_state: Seed = None,
    ):
        self.alphas = alphas
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.n_components = n_components
        self.components = components
        self.selection = selection
        self.fit_intercept = fit_intercept
        self.batch_size = batch_size
        self.random_state = random_state

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    @property
    def abilities(self) -> frozenset[Ability]:  # type: ignore[override]
        """Abilities as a `BlockRegressor`; leave-one-out needs a second pass over the samples."""
        abilities: set[Ability] = {"sample_weight"}
        if self.selection != "loo":
            abilities |= {"partial_fit", "merge"}
        if self.selection != "gcv":
            abilities |= {"leave_one_out"}
        return frozenset(abilities)

    @property
    def gcv_scores_(self) -> NDArray:
        """Minus the generalised cross-validation error of each candidate."""
        solution = self._solve()
        return self._decompose()[2] if solution.scores is None else solution.scores

    @property
    def n_samples_seen_(self) -> int:
        """Number of samples, without those of weight zero."""
        check_is_fitted(self)
        return self._sums.n_samples

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: MatrixLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Draw centres from the samples, fit to all samples, and choose the ridge parameter.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Training inputs. They are neither copied nor kept.
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            Training targets.
        sample_weight : float or array-like of shape (n_samples,), default=None
            Weights, not negative. Samples of weight zero count as absent.

        Returns
        -------
        self : NystroemRidgeCV

        Warns
        -----
        UserWarning
            If the chosen ridge parameter is an end of the grid and the score still rises by 1 %
            there, or the kernel gives all samples the same values, sees each sample alone, or is
            not positive semi-definite for the centres.
        """
        X, y, weights = self._validate(X, y, sample_weight, reset=True)
        self._fix_centres(X, y, weights)._add(X, y, weights)
        return self._finish(X, y, weights)

    @fit_context(prefer_skip_nested_validation=True)
    def fit_blocks(
        self, X: MatrixLike, blocks: Mapping[str, ArrayLike], sample_weight: ArrayLike | None = None
    ) -> dict[str, Self]:
        whole = clone(self)
        X, Y, weights = whole._validate(X, stack_blocks(blocks), sample_weight, reset=True)
        fitted = whole._fix_centres(X, Y, weights)._add(X, Y, weights)._split(blocks)
        return {
            name: one._finish(X, Y[:, cut].reshape(len(Y), *one._y_shape), weights)
            for (name, one), cut in zip(fitted.items(), _columns(blocks), strict=True)
        }

    @available_if(_sees_samples_once)
    @quiet
    @fit_context(prefer_skip_nested_validation=True)
    def partial_fit(
        self, X: MatrixLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Add a batch of samples; the first one gives the centres.

        The first one also fixes kernel and `fit_intercept`, the last one `alphas`. The next request
        for the ridge parameter or a prediction chooses it, in O(m^3).

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Inputs.
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            Targets.
        sample_weight : float or array-like of shape (n_samples,), default=None
            Weights, as in `fit`.

        Returns
        -------
        self : NystroemRidgeCV
        """
        if all_absent(sample_weight, X):
            return self
        first = "components_" not in vars(self)
        X, y, weights = self._validate(X, y, sample_weight, reset=first)
        if first:
            self._fix_centres(X, y, weights)
        elif self._n_drawn_from < self.n_components and self._sums.n_samples:
            warn(
                f"the first batch had {self._n_drawn_from} samples for n_components="
                f"{self.n_components} centres, which stay {self.components_.shape[0]} whatever "
                "follows. Give a larger first batch, or components."
            )
            self._n_drawn_from = self.n_components  # so the warning comes once
        if y.shape[1:] != self._y_shape:
            raise ValueError(
                f"y must have rows of shape {self._y_shape}, as in the first batch; "
                f"got {y.shape[1:]}."
            )
        return self._add(X, y, weights)

    @available_if(_sees_samples_once)
    @quiet
    @fit_context(prefer_skip_nested_validation=True)
    def partial_fit_blocks(
        self,
        fitted: Mapping[str, Self],
        X: MatrixLike,
        blocks: Mapping[str, ArrayLike],
        sample_weight: ArrayLike | None = None,
    ) -> dict[str, Self]:
        """Add samples to what `fit_blocks` or this method has returned, in one pass.

        Parameters
        ----------
        fitted : dict of NystroemRidgeCV
            By block, not changed; empty for the first samples.
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Inputs.
        blocks : dict of array-like of shape (n_samples,) or (n_samples, n_targets)
            Their targets by the name of their block.
        sample_weight : float or array-like of shape (n_samples,), default=None
            Their weights.

        Returns
        -------
        dict of NystroemRidgeCV
            By block.
        """
        whole = clone(self)
        if fitted:
            first = next(iter(fitted.values()))
            whole.set_params(components=first.components_, gamma=first.gamma_)
            whole._kernel_is_known = True
        whole.partial_fit(X, stack_blocks(blocks), sample_weight)
        if "components_" not in vars(whole):  # the batch had no sample
            return dict(fitted)
        added = whole._split(blocks)
        if not fitted:
            return added
        return {name: copy(fitted[name]).merge(one) for name, one in added.items()}

    @available_if(_sees_samples_once)
    @quiet
    @fit_context(prefer_skip_nested_validation=True)
    def merge(self, other: "NystroemRidgeCV") -> Self:
        """Add the samples that another model has seen.

        Parameters
        ----------
        other : NystroemRidgeCV
            Fitted, with the same centres and kernel and as many targets. Not changed.

        Returns
        -------
        self : NystroemRidgeCV

        Examples
        --------
        >>> from ofer import NystroemRidgeCV
        >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0.0, 1.0, 2.0, 3.0]
        >>> whole = NystroemRidgeCV([1e-3], components=X).fit(X, y)
        >>> left, right = (NystroemRidgeCV([1e-3], components=X) for _ in range(2))
        >>> merged = left.partial_fit(X[:2], y[:2]).merge(right.partial_fit(X[2:], y[2:]))
        >>> bool(abs(merged.predict(X) - whole.predict(X)).max() < 1e-12)
        True
        """
        check_is_fitted(self)
        check_is_fitted(other)
        alike = same_inputs(self.components_, other.components_)
        if not alike or not self._centres.kernel.same_as(other._centres.kernel):
            raise ValueError(
                "other must have the same components_ and kernel; got others. Give both models "
                "the same components, or begin both by without_samples() of one."
            )
        check_columns("other", other._sums.origin[None], len(self._sums.origin), "as of this model")
        self._sums = self._sums.merged(other._sums)
        self._solution = self.loo_scores_ = self.loo_residuals_ = None
        return self

    @available_if(_sees_samples_once)
    @quiet
    def without_samples(self) -> Self:
        """Copy with the same centres and width that has seen no sample.

        Returns
        -------
        NystroemRidgeCV
            To be given samples by `partial_fit`, and merged with others that began like it.
        """
        check_is_fitted(self)
        twin = copy(self)
        twin._sums = self._sums.empty()
        twin._solution = twin.loo_scores_ = twin.loo_residuals_ = None
        return twin

    def predict(self, X: MatrixLike) -> NDArray:
        """Predict the targets.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features)
            Inputs.

        Returns
        -------
        ndarray of shape (n_queries,) or (n_queries, n_targets)
        """
        return self.predict_blocks(X, {"y": self})["y"]

    def predict_blocks(self, X: MatrixLike, fitted: Mapping[str, Self]) -> dict[str, NDArray]:
        X = self._check_queries(X)
        if not all(same_inputs(one.components_, self.components_) for one in fitted.values()):
            raise ValueError("fitted must have the centres of this regressor; got others.")
        solved = {name: (one.dual_coef_, one.intercept_) for name, one in fitted.items()}
        n = X.shape[0]
        predicted = {name: np.empty((n, *coef.shape[1:])) for name, (coef, _) in solved.items()}
        for rows, values in self._values(X):
            for name, (coef, intercept) in solved.items():
                predicted[name][rows] = values @ coef + intercept
        return predicted

    @available_if(_sees_samples_again)
    @quiet
    def smoother(
        self, X: MatrixLike, fitted: Mapping[str, Self], sample_weight: ArrayLike | None = None
    ) -> Callable[[MatrixLike], dict[str, NDArray]]:
        """Weights of the training targets in predictions, unless ``selection="gcv"``.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The training inputs, as in `fit`.
        fitted : dict of NystroemRidgeCV
            What `fit_blocks` returned for them, or some of it, this regressor among them.
        sample_weight : float or array-like of shape (n_samples,), default=None
            The weights that it was given.

        Returns
        -------
        callable
            A function of queries (n_queries, n_features) that returns, by block, an array of shape
            (n_queries, n_samples, 1). O(n m) memory for m centres.
        """
        path, _, _ = self._decompose()
        weights, X = cover_absent(1.0 if sample_weight is None else sample_weight, X)
        X = self._check_queries(X)
        seen = weights[:, None] * self._features(path, X)
        constant = path.fit_intercept / path.total * weights
        return partial(self._smooth, path, seen, constant, fitted)

    def _smooth(self, path, seen, constant, fitted, queries):
        """Weights of the training targets in predictions of the queries, by block."""
        asked = self._features(path, queries)
        return {
            name: ((asked / (path.eigenvalues + one.alpha_)) @ seen.T + constant)[:, :, None]
            for name, one in fitted.items()
        }

    def _features(self, path, X):
        """Features (n, r) of inputs, whose sums of squares are the path's eigenvalues."""
        batches = self._values(self._check_queries(X))
        return np.vstack([path.features(values) for _, values in batches])

    def _kernel(self, gamma):
        """The input kernel with a width, or a rule for it."""
        return InputKernel(self.kernel, gamma, self.degree, self.coef0, self.kernel_params)

    def _options(self):
        """Options of the check of inputs: no copy, and a function sees their own type."""
        return {"accept_sparse": "csr", "dtype": [np.float64, np.float32]}

    def _validate(self, X, y, sample_weight, reset):
        check_alphas(self.alphas)
        if reset:
            self._columns = columns_of(y)
        check_order("y", y, self._columns)
        weights, X, y = cover_absent(sample_weight, X, y)
        check_even("X", X)
        y = check_values("y", y)
        options = self._options() | {"multi_output": True, "y_numeric": True, "reset": reset}
        X, y = validate_data(self, X, y, ensure_min_samples=2 if reset else 1, **options)
        check_range("X", X)
        y = y.astype(np.float64, copy=False)
        check_range("y", y)
        return X, y, weights

    def _check_queries(self, X):
        check_is_fitted(self)
        check_even("X", X)
        X = validate_data(self, indexable(X), **self._options(), reset=False)
        check_range("X", X)
        return X

    def _fix_centres(self, X, y, weights):
        """Fix width, centres and origins by the samples of positive weight."""
        rows = present(weights)
        seen, self._n_drawn_from = X[rows], self.n_components
        if self.components is None:
            self._n_drawn_from = seen.shape[0]
            self.gamma_ = self._kernel(self.gamma).width(X, weights)
            rng = check_random_state(self.random_state)
            centres = draw_centres(seen, self.n_components, rng)
        else:
            check_entries("components", self.components)
            options = self._options() | {"input_name": "components"}
            centres = check_array(indexable(self.components), **options)
            check_columns("components", centres, X.shape[1], "the features of X")
            self.gamma_ = self._kernel(self.gamma).width(centres)
        # Copies: the caller may change theirs. A function sees the inputs' own type.
        self.components_ = centres.copy() if callable(self.kernel) else centres.astype(np.float64)
        self._centres = CentreKernel(self._kernel(self.gamma_), self.components_)
        self._y_shape, Y, gram = y.shape[1:], y.reshape(len(y), -1), self._centres.gram()
        if not self._kernel_is_known:
            warn_if_blind(gram)
            if self.kernel not in SEMIDEFINITE:
                warn_if_indefinite(gram)
        self._fit_intercept = self.fit_intercept
        if self._fit_intercept:
            origins = gram.mean(axis=0), np.median(Y[rows], axis=0)
        else:
            origins = np.zeros(self.components_.shape[0]), np.zeros(Y.shape[1])
        self._sums = CentreSums(*origins)
        return self

    def _add(self, X, y, weights):
        """Sum over samples."""
        roots = None if weights is None else np.sqrt(weights)
        data = X, y.reshape(len(y), -1), roots
        self._sums = self._sums.with_samples(self._centres, *data, self.batch_size)
        self._alphas = None if self.alphas is None else np.array(self.alphas, dtype=np.float64)
        self._solution = self.loo_scores_ = self.loo_residuals_ = None
        return self

    def _split(self, blocks):
        """A model for each block of the targets that this one has seen together."""
        fitted = {}
        for (name, block), cut in zip(blocks.items(), _columns(blocks), strict=True):
            fitted[name] = model = copy(self)
            model._sums, model._y_shape = self._sums.take(cut), np.shape(block)[1:]
        return fitted

    def _values(self, X):
        """Slices of the rows of X, and the kernel values of each, in memory that is used again."""
        values = np.empty((min(X.shape[0], self.batch_size), self.components_.shape[0]))
        for rows in gen_batches(X.shape[0], self.batch_size):
            batch = values[: rows.stop - rows.start]
            self._centres.into(X[rows], batch)
            yield rows, batch

    def _decompose(self):
        """Path of solutions, candidates, and their scores by generalised cross-validation."""
        path = self._sums.decompose(self._centres.gram(), self._fit_intercept, self._alphas)
        alphas = path.default_alphas() if self._alphas is None else self._alphas.copy()
        return path, alphas, -path.gcv(alphas)

    def _choose(self, path, alphas, gcv_scores, scores):
        """Keep the solution of the best score."""
        alpha = float(alphas[scores.argmax()])
        self._keep(alpha, alphas, path.solve(alpha), gcv_scores)

    def _keep(self, alpha, alphas, solved, scores=None):
        coef, intercept = solved
        if not self._y_shape:
            coef, intercept = coef[:, 0], float(intercept[0])
        self._solution = _Solution(alpha, alphas, coef, intercept, scores)

    @quiet  # also when an attribute is asked for
    def _solve(self):
        """The solution; by generalised cross-validation, if there is none."""
        check_is_fitted(self)
        if not self._sums.n_samples:
            raise NotFittedError(
                f"This {type(self).__name__} has seen no sample. Give it some by partial_fit or "
                "merge before it predicts."
            )
        if self._solution is None and self._alphas is not None and len(self._alphas) == 1:
            (alpha,) = alphas = self._alphas.copy()
            solved = self._sums.solve(self._centres.gram(), alpha, self._fit_intercept)
            if solved is not None:
                self._keep(float(alpha), alphas, solved)
        if self._solution is None:
            path, alphas, scores = self._decompose()
            self._choose(path, alphas, scores, scores)
            spent = float(path.degrees_of_freedom([self.alpha_])[0])
            if 2.0 * spent > path.n_samples > 0 and len(alphas) > 1:
                self._warn_once(
                    f"alphas should have larger values only: {spent:.0f} degrees of freedom for "
                    f"{path.n_samples} samples, with the ridge {self.alpha_:.3g}, are more than "
                    "generalised cross-validation can judge. fit, with all samples, chooses by "
                    "leave-one-out; more samples or fewer n_components help, too."
                )
            else:
                self._warn_of_grid_end(alphas, scores)
        return self._solution

    def _finish(self, X, y, weights):
        """Solve, by leave-one-out unless that is not wanted."""
        if self.selection == "gcv":
            self._solve()
            return self
        path, alphas, gcv_scores = self._decompose()
        Y = np.asarray(y, dtype=np.float64).reshape(X.shape[0], -1)
        weights = np.ones(len(Y)) if weights is None else weights
        scores, residuals = np.zeros(len(alphas)), np.empty(Y.shape)
        for rows, missed in self._loo_residuals(path, X, Y, weights, alphas):
            errors = np.square(np.nan_to_num(missed, copy=False) / path.units).mean(axis=2)
            scores -= errors @ weights[rows] / weights.sum()
        self._choose(path, alphas, gcv_scores, scores)
        self._warn_of_grid_end(alphas, scores)
        self.loo_scores_ = scores
        for rows, (missed,) in self._loo_residuals(path, X, Y, weights, [self.alpha_]):
            residuals[rows] = missed
        self.loo_residuals_ = residuals.reshape(np.shape(y))
        return self

    def _loo_residuals(self, path, X, Y, weights, alphas):
        """Slices of the rows, and their leave-one-out residuals (n_alphas, k, p)."""
        for rows, values in self._values(X):
            yield rows, path.loo_residuals(values, Y[rows], weights[rows], alphas)


def _columns(blocks):
    """Slices of the columns of blocks that stand side by side."""
    stops = np.cumsum(
        [np.shape(block)[1] if np.ndim(block) > 1 else 1 for block in blocks.values()]
    )
    return [slice(start, stop) for start, stop in pairwise([0, *stops])]
