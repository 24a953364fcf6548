"""Prediction regions by full conformal prediction, in closed form for kernel ridge regression."""

from numbers import Real
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin, clone
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import GridSearchCV, ParameterGrid
from sklearn.pipeline import Pipeline
from sklearn.utils import gen_batches
from sklearn.utils.validation import check_is_fitted

from ofer.blocks import fit_weighted
from ofer.kernel_ridge import KernelRidgeCV, prepare_inputs, scaled_ridge
from ofer.regions._conformal import AtQueries, Block, Boxes, Ellipsoids, Solved
from ofer.regions._shapes import check_complete, column_means, rank_of
from ofer.ridge.input_kernel import WITH_WIDTH
from ofer.ridge.kernel_system import candidate_alphas
from ofer.utils.absent import cover_absent, look_at, present, stack_rows, take
from ofer.utils.estimators import DefaultParts, FixedByFit, part_of
from ofer.utils.fitting import fit_context
from ofer.utils.memory import BATCH
from ofer.utils.pipelines import Transformers
from ofer.utils.products import quiet
from ofer.utils.scoring import AnyOutputsMixin, target_units
from ofer.utils.sklearn_private import (
    HasMethods,
    Interval,
    StrOptions,
    num_samples,
    safe_indexing,
)
from ofer.utils.typing import MatrixLike
from ofer.utils.validation import check_even, check_order, check_values, columns_of

REFUSED = {
    "kernel": ("precomputed", "a region needs the kernel of a query with itself"),
    "alpha_per_target": (True, "the outputs share one ridge parameter"),
}


@quiet
class FullConformalRegressor(
    FixedByFit, DefaultParts, AnyOutputsMixin, MultiOutputMixin, RegressorMixin, BaseEstimator
):
    r"""Prediction regions of kernel ridge regression by full conformal prediction, for vectors.

    A point y is put in the place of the unknown output of a query x. Ridge regression is fitted to
    all n + 1 samples, and each of them gets a score, the length of its studentised leave-one-out
    residual. The region has every y whose score is not among the largest: fewer than
    :math:`(1 - \alpha)(n + 1)` samples have smaller ones [1]_. No fit is repeated: what an output
    y changes in all n + 1 scores is known in closed form from one decomposition.

    For kernel, width, ridge parameter and units fixed beforehand, chosen on other samples, or
    chosen alike from all n + 1, the region holds the output with a probability of at least
    :math:`1 - \alpha`, whatever the distribution, on average over samples and queries.

    Parameters
    ----------
    estimator : KernelRidgeCV, pipeline that ends in one, or GridSearchCV of either, default=None
        The regression; None is ``KernelRidgeCV(gamma="loo")`` behind a `StandardScaler`. With
        several candidates for the kernel or the ridge parameter, or in a grid, `selection` says
        how one is chosen.
    confidence_level : float, default=0.9
        The level :math:`1 - \alpha`, between 0 and 1. It may be changed after `fit`.
    shape : {"box", "ellipsoid"}, default="box"
        The score of several outputs: the largest coordinate of the residual in units of their root
        mean squares, or its length in the metric of the residuals' covariance. An ellipsoid has
        less volume, but `predict_interval` is then the box around it, which holds far more outputs
        than the level says. Take it for `contains`, `p_values` and `volume`.
    simultaneous : bool, default=True
        Whether the level is that of all coordinates (steps of a series) together. If not, each
        coordinate is a problem of its own, with an interval; ``shape="box"`` then.
    selection : {"fixed", "inside"}, default="fixed"
        "fixed" takes the estimator with its one candidate. Of several candidates it takes the one
        that is best on `X_tune` or, without these, on all samples. "inside" chooses for each y
        among all candidates by the leave-one-out error of all n + 1 samples.

    Attributes
    ----------
    estimator_ : estimator
        Fitted to all samples; with `selection` "inside", that of the least leave-one-out error.
    reservations_ : list of str
        What keeps the level from being proved: choices that the samples have seen and the query
        has not. Empty if there are none.
    n_features_in_ : int
        Number of input features.

    See Also
    --------
    JackknifePlus : Regions of any regressor, and of embeddings.
    CrossConformalClassifier : Sets of classes.

    Notes
    -----
    *Closed form.* With the leading block G of the inverse of
    :math:`\bigl(\begin{smallmatrix} K + \alpha W^{-1} & 1 \\ 1^\top & 0 \end{smallmatrix}\bigr)`,
    :math:`c = G Y`, the weights :math:`w_i(x)` of the samples in a prediction, and s the variance
    of a new output (`KernelSystem.predictive_variance`), an error :math:`e = y - f(x)` gives

    .. math:: c_i^+ = c_i - \frac{w_i e}{s}, \quad c_{n+1}^+ = \frac e s, \quad
              G_{ii}^+ = G_{ii} + \frac{w_i^2}{s}, \quad Q^+ = Y^\top G Y + \frac{e e^\top}{s} .

    The studentised residuals are :math:`t_i = c_i^+ / \sqrt{G_{ii}^+}`, and the score of an
    ellipsoid is :math:`t_i^\top (Q^+)^{-1} t_i`. It treats all n + 1 samples alike, and so do
    the others.

    *Jackknife+ form.* For one output, sample i finds y odd if

    .. math:: |y - f_{-i}(x)| > \rho_i |y_i - f_{-i}(x_i)|, \quad \rho_i^2 = s G_{ii} + w_i^2 .

    So this is the jackknife+ with residuals times :math:`\rho_i`: the level is
    :math:`1 - \alpha`, where the jackknife+ has :math:`1 - 2 \alpha`. The identity for one output
    is implicit in the kernel ridge regression prediction machine [2]_.

    *What is proved* asks that nothing was chosen from the samples alone. A kernel or a ridge
    parameter chosen once from all samples, as at the defaults, a width by a rule, transformers
    fitted to the inputs: each is named in `reservations_`. With 20 or 30 samples a ridge parameter
    chosen once costs about two hundredths of the coverage, with 100 less than half a hundredth.
    Transformers may cost more: word directions of training texts alone cost twelve. With `X_tune`
    all of these are chosen on other samples, and the level is proved. So it is with "inside", for
    which the candidates must be numbers fixed beforehand, such as
    ``KernelRidgeCV([0.1, 1], kernel="rbf", gamma=[0.1, 1])``. Weights have to be part of samples; a
    query has weight one. The probability is an average over queries: for some it is lower.

    *Groups.* Copies, measurements of one subject, or fixes of one storm are more alike than a query
    of another group is to any of them: then fewer outputs are inside than the level says. Take
    `JackknifePlus` with ``fit(X, y, groups=groups)``.

    *Regions.* `contains` and `p_values` are exact. The region of an ellipsoid is star-shaped
    around the prediction. `predict_interval` has, for each coordinate, the interval that holds it,
    exact for one output; with "inside", the hull of those of all candidates that can be chosen
    somewhere in their own.

    *Few samples.* With :math:`n < 1 / \alpha - 1` regions are infinite. An ellipsoid for D outputs
    needs D + 2 samples.

    *Costs.* The decomposition, O(n^3), one for each width; then O(n (r + D)) for a query and a
    ridge parameter with rank r. An ellipsoid's volume takes 256 rays, O(n) for each.

    References
    ----------
    .. [1] Vovk, Gammerman, Shafer, "Algorithmic Learning in a Random World", 2nd edition, 2022,
       chapter 2.
    .. [2] Burnaev, Nazarov, "Conformalized kernel ridge regression", ICMLA 2016.

    Examples
    --------
    >>> import numpy as np
    >>> from ofer import FullConformalRegressor, KernelRidgeCV
    >>> rng = np.random.default_rng(0)
    >>> X = rng.uniform(-3, 3, size=(200, 1))
    >>> Y = np.hstack([np.sin(X), np.cos(X)]) + 0.1 * rng.normal(size=(200, 2))
    >>> ridge = KernelRidgeCV([0.1], kernel="rbf", gamma=0.5)
    >>> model = FullConformalRegressor(ridge, confidence_level=0.8).fit(X[:100], Y[:100])
    >>> model.reservations_
    []
    >>> model.predict_interval([[0.0]]).round(2)
    array([[[-0.18,  0.17],
            [ 0.84,  1.18]]])
    >>> float(model.contains(X[100:], Y[100:]).mean())
    0.83
    """

    _parameter_constraints: ClassVar = {
        "estimator": [HasMethods(["fit", "predict"]), None],
        "confidence_level": [Interval(Real, 0, 1, closed="neither")],
        "shape": [StrOptions({"box", "ellipsoid"})],
        "simultaneous": ["boolean"],
        "selection": [StrOptions({"fixed", "inside"})],
    }

    _default_parts: ClassVar = {"estimator": scaled_ridge}
    _input_part = "estimator"
    _fixed_by_fit = "shape", "simultaneous", "selection"

    def __init__(
        self,
        estimator: BaseEstimator | None = None,
        *,
        confidence_level: float = 0.9,
        shape: str = "box",
        simultaneous: bool = True,
        selection: str = "fixed",
    ):
        self.estimator = estimator
        self.confidence_level = confidence_level
        self.shape = shape
        self.simultaneous = simultaneous
        self.selection = selection

    @fit_context(prefer_skip_nested_validation=False)
    def fit(
        self,
        X: MatrixLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        *,
        groups: None = None,
        X_tune: MatrixLike | None = None,
        y_tune: ArrayLike | None = None,
    ) -> Self:
        """Decompose the kernel of the samples.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Inputs, as the regression takes them; no kernel matrix.
        y : array-like of shape (n_samples,), (n_samples, d) or (n_samples, T, p)
            Outputs, all of them observed (no NaN).
        sample_weight : float or array-like of shape (n_samples,), default=None
            Weights, not negative. Samples of weight zero have no part.
        groups : None
            Not taken: with samples in groups, a query of another group is not one more of them.
            `JackknifePlus` takes groups.
        X_tune, y_tune : array-like, default=None
            Samples of the same kind. Transformers, width and ridge parameter are fitted to these;
            then they join the others in the fit, and are not ranked. Not with `selection`
            "inside".

        Returns
        -------
        self : FullConformalRegressor
        """
        estimator, inside = part_of(self, "estimator"), self.selection == "inside"
        if groups is not None:
            raise ValueError(
                "groups must be None: full conformal prediction needs queries that are like the "
                "samples, and those of other groups are not. Take JackknifePlus, whose fit has "
                "groups."
            )
        if self.shape == "ellipsoid" and not self.simultaneous:
            raise ValueError("simultaneous must be True for shape='ellipsoid'; got False.")
        tuning = {"X_tune": X_tune, "y_tune": y_tune}
        tuned = [name for name, samples in tuning.items() if samples is not None]
        if len(tuned) == 1 or (tuned and inside):
            raise ValueError(
                "X_tune and y_tune must be given both or not at all, and not with "
                f"selection='inside'; got {' and '.join(tuned)} with "
                f"selection={self.selection!r}."
            )
        grid = _grid(estimator, inside)
        weights, X, y = cover_absent(1.0 if sample_weight is None else sample_weight, X, y)
        X, Y, self._output_shape = self._check_samples(X, y, reset=True)
        n_tune = 0
        if not weights.all():
            kept = present(weights)
            X, Y, weights = take(X, kept), Y[kept], weights[kept]
        self.reservations_ = _reservations(grid, weights, inside, bool(tuned))
        if tuned:
            check_even("X_tune", X_tune)
            check_values("y_tune", y_tune, advice="regions are of complete outputs.")
            X_tune, Y_tune, _ = self._check_samples(X_tune, y_tune, reset=False)
            estimator, n_tune = self._chosen_on(estimator, X_tune, Y_tune), len(Y_tune)
            X, Y = stack_rows([X_tune, X]), np.vstack([Y_tune, Y])
            weights = np.concatenate([np.ones(n_tune), weights])
        elif not inside:
            estimator = self._chosen_on(estimator, X, Y, None if (weights == 1).all() else weights)
        candidates = grid if inside else [estimator]
        self._settings = [s for one in candidates for s in settings_of(one, X, Y, weights)]
        best = min(self._settings, key=lambda setting: setting.errors.min()).best()
        self.estimator_ = fit_weighted(best, X, self._as_given(Y), weights)
        self._rank(Y, weights, slice(n_tune, None))
        self._keep_parameters()
        return self

    def predict(self, X: MatrixLike) -> NDArray:
        """Predict the outputs, by `estimator_`.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features)
            Inputs.

        Returns
        -------
        ndarray of shape (n_queries,), (n_queries, d) or (n_queries, T, p)
        """
        check_is_fitted(self)
        return self.estimator_.predict(look_at(self, X)).reshape(-1, *self._output_shape)

    def p_values(self, X: MatrixLike, y: ArrayLike) -> NDArray:
        """Shares of the n + 1 samples that are at least as odd as an output, itself included.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features)
            Inputs.
        y : array-like of shape (n_queries,), (n_queries, d) or (n_queries, T, p)
            Outputs.

        Returns
        -------
        ndarray of shape (n_queries,)
            Between 1 / (n + 1) and 1; of the shape of y, coordinate by coordinate, without
            `simultaneous`. The p-value of the true output is at most a number with no more than
            that probability.
        """
        odd = self._count_odd(X, y)
        return (self._n_ranked + 1 - odd) / (self._n_ranked + 1)

    def contains(self, X: MatrixLike, y: ArrayLike) -> NDArray:
        """Whether outputs are inside the regions of inputs, exactly.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features)
            Inputs.
        y : array-like of shape (n_queries,), (n_queries, d) or (n_queries, T, p)
            Outputs.

        Returns
        -------
        ndarray of bool of shape (n_queries,)
            Of the shape of y, coordinate by coordinate, without `simultaneous`.
        """
        odd = self._count_odd(X, y)
        return odd < rank_of(self.confidence_level, self._n_ranked)

    def predict_interval(self, X: MatrixLike) -> NDArray:
        """Ends of an interval for each coordinate, which hold the region.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features)
            Inputs.

        Returns
        -------
        ndarray of shape (n_queries, 2), (n_queries, d, 2) or (n_queries, T, p, 2)
            The lower end, then the upper one.
        """
        ends = []
        for _, at in self._queries(X):
            parts = [np.stack(block.ends(at, self.confidence_level), 2) for block in self._blocks]
            ends.append(np.concatenate(parts, axis=1) + self._mean[:, None])
        return np.vstack(ends).reshape(-1, *self._output_shape, 2)

    def volume(self, X: MatrixLike) -> NDArray:
        """Volumes of the regions, in the units of the outputs; lengths for one output.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features)
            Inputs.

        Returns
        -------
        ndarray of shape (n_queries,)
            Of an ellipsoid's region by rays, within a few percent, also with one coordinate at a
            time; else that of the box of `predict_interval`. Infinite for fewer samples than the
            level asks for.
        """
        logs = [
            sum(block.log_volumes(at, self.confidence_level) for block in self._blocks)
            for _, at in self._queries(X)
        ]
        return np.exp(np.concatenate(logs))

    def _chosen_on(self, estimator, X, Y, weights=None):
        """The estimator with what it chooses on these samples, and transformers fitted to them."""
        fitted = fit_weighted(estimator, X, self._as_given(Y), weights)
        fitted = fitted.best_estimator_ if isinstance(fitted, GridSearchCV) else fitted
        ridge = Transformers(fitted).last
        chosen = {"alphas": [ridge.alpha_], "kernel": ridge.kernel_, "gamma": ridge.gamma_}
        fixed = clone(ridge).set_params(**chosen)
        if not isinstance(fitted, Pipeline):
            return fixed
        frozen = [(name, FrozenEstimator(step)) for name, step in fitted.steps[:-1]]
        return Pipeline([*frozen, (fitted.steps[-1][0], fixed)])

    def _as_given(self, Y):
        """Rows (n, D) as outputs that a regression takes."""
        return Y if self._output_shape else Y[:, 0]

    def _check_samples(self, X, y, *, reset):
        """Inputs as they are, outputs (n, D) and their shape."""
        look_at(self, X, *([y] if reset else []))
        shape, least = (None, 2) if reset else (self._output_shape, 1)
        if reset:
            self._columns = columns_of(y)
        check_order("y", y, self._columns)
        y = check_complete(X, y, shape, ensure_min_samples=least)
        return X, y.reshape(len(y), -1), y.shape[1:]

    def _rank(self, Y, weights, ranked):
        """Prepare the scores of the samples `ranked`, for all settings and ridge parameters."""
        self._mean = column_means(Y, weights)
        self._n_ranked, d = len(Y[ranked]), Y.shape[1]
        together = self.simultaneous or d == 1
        if self.shape == "ellipsoid" and d > len(Y) - 2:
            raise ValueError(
                f"shape must be 'box' for {d} outputs and {len(Y)} samples; got 'ellipsoid', which "
                "needs two samples more than outputs."
            )
        shape = Ellipsoids if self.shape == "ellipsoid" or not together or d == 1 else Boxes
        in_units = self._settings[0].ridge.scoring is None
        solved = [one for setting in self._settings for one in setting.solve()]
        self._blocks = [
            Block(columns, solved, Y - self._mean, weights, ranked, shape, in_units)
            for columns in ([slice(d)] if together else [slice(k, k + 1) for k in range(d)])
        ]

    def _count_odd(self, X, y):
        """How many samples find outputs odd: (n_queries,), or of the shape of y."""
        self._check_parameters()
        X, Y, _ = self._check_samples(X, y, reset=False)
        Y = Y - self._mean
        odd = [
            np.stack([block.odd(Y[rows], at) for block in self._blocks], axis=1)
            for rows, at in self._queries(X)
        ]
        shape = () if self.simultaneous else self._output_shape
        return np.vstack(odd).reshape(len(Y), *shape)

    def _queries(self, X):
        """Batches of queries: slices, and a tuple of `AtQueries` under each ridge regression."""
        self._check_parameters()
        X = look_at(self, X)
        numbers = self._n_ranked * sum(len(one.alphas) + len(self._mean) for one in self._settings)
        for rows in gen_batches(num_samples(X), max(1, BATCH // numbers)):
            queries = safe_indexing(X, rows)
            yield rows, [one for s in self._settings for one in s.at(queries, self._mean)]


class Setting:
    """Training samples under one kernel, behind transformers, with some ridge parameters."""

    def __init__(self, estimator, before, ridge, X, kernel, Y, weights):
        self.estimator, self._before, self.ridge = estimator, before, ridge
        self._X, self._kernel = X, kernel
        options = self.ridge.alphas, weights, self.ridge.fit_intercept
        self._system = self._kernel.system(self._X, *options)
        self.alphas = candidate_alphas(self._system, self.ridge.alphas)
        self._base = column_means(Y, weights) if self.ridge.fit_intercept else 0.0
        self._targets = Y - self._base
        units = target_units(Y, weights) if self.ridge.scoring is None else 1.0
        missed = self._system.loo_residuals(self._targets, self.alphas)
        self.errors = np.array([weights @ np.square(part / units).sum(axis=1) for part in missed])

    def best(self):
        """The estimator with this kernel, and the ridge of the least leave-one-out error."""
        kernel, alphas = self._kernel, [self.alphas[self.errors.argmin()]]
        twin = clone(self.estimator)
        ridge = Transformers(twin).last
        ridge.set_params(alphas=alphas, kernel=kernel.kernel, gamma=kernel.gamma)
        return twin

    def solve(self):
        """Each ridge regression of all samples."""
        for alpha in self.alphas:
            coef, diagonal = self._system.dual(self._targets, alpha)
            yield Solved(coef, diagonal, self._targets.T @ coef)

    def at(self, X, mean):
        """Each ridge regression at queries, with predictions around a mean."""
        X = self._kernel.check_inputs(self.ridge, self._before.transform(X), reset=False)
        features = self._kernel.has_features(self._X)
        rows = self._kernel.matrix(X, None if features else self._X)
        diagonal = None if features else self._kernel.diagonal(X)
        for W, variances in self._system.predictive(rows, diagonal, self.alphas):
            yield AtQueries(W, W @ self._targets + (self._base - mean), variances)


def settings_of(estimator, X, Y, weights):
    """A setting for each kernel that a ridge regression, behind transformers, chooses from."""
    before, X = Transformers(estimator).fit(X, Y, weights)
    ridge = clone(before.last)
    X, kernels = prepare_inputs(ridge, X, weights)
    return [Setting(estimator, before, ridge, X, kernel, Y, weights) for kernel in kernels]


def _grid(estimator, inside):
    """The regressions to choose among, checked: those of a search, or the estimator."""
    grid = [estimator]
    if isinstance(estimator, GridSearchCV):
        settings = ParameterGrid(estimator.param_grid)
        grid = [clone(estimator.estimator).set_params(**candidate) for candidate in settings]
    for candidate in grid:
        ridge = Transformers(candidate).last
        if not isinstance(ridge, KernelRidgeCV):
            raise ValueError(
                "estimator must be a KernelRidgeCV, a pipeline that ends in one, or a "
                f"GridSearchCV of either; got {estimator!r}."
            )
        for name, (value, why) in REFUSED.items():
            if getattr(ridge, name) == value:
                raise ValueError(f"{name} of the estimator must not be {value!r}: {why}.")
        if inside and ridge.scoring not in (None, "neg_mean_squared_error"):
            raise ValueError(
                "scoring of the estimator must be None or 'neg_mean_squared_error' for "
                f"selection='inside'; got {ridge.scoring!r}."
            )
    return grid


def _reservations(grid, weights, inside, tuned):
    """What the samples have seen and a query has not, in words, each once."""
    reasons = []
    if (weights != 1).any():
        reasons.append("a query has weight one, and samples have others")
    for estimator in () if tuned else grid:
        ridge = Transformers(estimator).last
        by_loo = isinstance(ridge.gamma, str) and ridge.gamma == "loo"
        if (np.ndim(ridge.gamma) or by_loo) and not inside:
            reasons.append("the kernel was chosen once from all samples")
        if by_loo or (isinstance(ridge.gamma, str) and ridge.kernel in WITH_WIDTH):
            reasons.append(f"the width follows the inputs of the samples (gamma={ridge.gamma!r})")
        if ridge.alphas is None or isinstance(ridge.alphas, str):
            reasons.append(f"the ridge parameters follow the samples (alphas={ridge.alphas!r})")
        elif not inside and len(ridge.alphas) > 1:
            reasons.append("the ridge parameter was chosen once from all samples")
        if not inside and len(grid) > 1:
            reasons.append("the grid was searched once, on all samples")
        for step in Transformers(estimator).fitted_to_samples():
            reasons.append(f"{type(step).__name__} was fitted to the samples without the query")
    return list(dict.fromkeys(reasons))
