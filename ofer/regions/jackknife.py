"""Prediction regions for vectors and series by the jackknife+, without refits where possible."""

from numbers import Real
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from ofer.kernel_ridge import scaled_ridge
from ofer.regions._fits import Training, fit_without_each
from ofer.regions._shapes import SHAPES, check_complete, without_roundoff
from ofer.utils.absent import cover_absent, look_at
from ofer.utils.estimators import DefaultParts, FixedByFit, part_of
from ofer.utils.fitting import fit_context
from ofer.utils.products import quiet
from ofer.utils.scoring import AnyOutputsMixin
from ofer.utils.sklearn_private import HasMethods, Interval, StrOptions
from ofer.utils.typing import MatrixLike
from ofer.utils.validation import check_groups, check_order, columns_of


@quiet
class JackknifePlus(
    FixedByFit, DefaultParts, AnyOutputsMixin, MultiOutputMixin, RegressorMixin, BaseEstimator
):
    r"""Jackknife+ prediction intervals and regions of any regressor, for vectors and series.

    With :math:`f_{-i}` the fit without sample i and :math:`r_i = y_i - f_{-i}(x_i)`, the interval
    for one output is [1]_

    .. math:: [\, -q \{ |r_i| - f_{-i}(x) \},\; q \{ |r_i| + f_{-i}(x) \} \,],

    where q is the :math:`\lceil (1 - \alpha)(n + 1) \rceil`-th smallest of n values. If training
    samples and query are exchangeable, and each fit chooses nothing with the sample that it leaves
    out, it holds the output with a probability of at least :math:`1 - 2 \alpha`, in practice about
    :math:`1 - \alpha`. No fit is repeated for kernel ridge regression, whose weights
    :math:`w_i(x)` of the samples in a prediction give

    .. math:: f_{-i}(x) = f(x) - w_i(x)\, r_i ,

    because leaving a sample out equals replacing its output by the prediction without it.

    Parameters
    ----------
    estimator : regressor, default=None
        A block regressor with leave-one-out, such as `KernelRidgeCV` or `NystroemRidgeCV` (None is
        ``KernelRidgeCV(gamma="loo")``, which chooses its kernel, behind a `StandardScaler`); or
        `OutputFisherRegressor` with such a regressor, for which this is done block by block, and
        all leave-one-out embeddings are decoded; or a pipeline that ends in either, exact given the
        fitted transformers. An `OutputFisherRegressorCV` searches once and then uses its
        `best_estimator_`, unless `strict`. Any other regressor is fitted n times.
    confidence_level : float, default=0.9
        The level :math:`1 - \alpha`, between 0 and 1. It may be changed after `fit`.
    shape : {"box", "ellipsoid"}, default="box"
        An interval for each coordinate of the output, or an ellipsoid around the prediction.
    simultaneous : bool, default=True
        Whether the level holds for all coordinates (steps of a series) together. If not, it holds
        for each interval alone; an ellipsoid is always for all.
    strict : bool, default=False
        Whether everything is refitted without each sample, in n fits.

    Attributes
    ----------
    estimator_ : regressor
        Fitted to all samples; of an `OutputFisherRegressorCV` its `best_estimator_`.
    loo_residuals_ : ndarray of the shape of y
        Outputs minus the predictions of the fits without them; NaN for samples of weight zero.
    n_features_in_ : int
        Number of input features.

    See Also
    --------
    FullConformalRegressor : Regions of kernel ridge regression, smaller, with a stronger proof.
    CrossConformalClassifier : Sets of classes, by the same fits.
    KernelSystem.smoother : The weights of the samples in a prediction.

    Notes
    -----
    *Several outputs.* A box has :math:`s_{-ik}(x) \max_l |r_{il}| / s_{-il}(x_i)` in the place of
    :math:`|r_i|` for coordinate k: the score of a point is the largest of its coordinates in units
    :math:`s_{-i}`, root mean squares of the other samples' leave-one-out residuals. The score of
    an ellipsoid is the distance :math:`\| L^{-1} r_i \|` in the metric of their
    covariance :math:`L L^\top` (correlations shrunk, Ledoit and Wolf), and its radius
    :math:`q \{ \| L^{-1} r_i \| + \| L^{-1} (f_{-i}(x) - f(x)) \| \}`. Both hold every y for which
    fewer than :math:`(1 - \alpha)(n + 1)` of the fits score the pair (x, y) higher than their own
    sample. An ellipsoid is a little larger, since a fit's metric is without its sample: the term
    of sample i is times the most that its absence makes of the metric.

    *Mixtures.* Each component has mean squares, or a covariance, of its own, weighted by the
    predicted memberships; those of x give its units, so that regions are small where the predicted
    cluster is tight.

    *What is proved.* The theorem asks that each of the n fits is made without its sample
    altogether. This holds for refitted regressors and one output, and for `KernelRidgeCV` with one
    width and one ridge parameter. A kernel or ridge parameter chosen once, a width that follows the
    inputs, a pipeline's transformers, an output model, the centres of `NystroemRidgeCV` and the
    choice of an `OutputFisherRegressorCV` have seen all samples, and so have the units of several
    outputs, which are made of all residuals. Then there is no theorem; on small samples the
    coverage may be a little below the level. ``strict=True`` refits everything but the units. For
    `KernelRidgeCV`, `FullConformalRegressor` has smaller regions, and a proof of :math:`1 - \alpha`
    in which the ridge parameter may be chosen.

    *Few samples.* With :math:`n < 1 / \alpha - 1` the rank exceeds n and regions are infinite: so
    few samples show no error that is rare enough.

    *Weights.* A weight that is drawn with its sample does no harm. Regions still hold for queries
    from the distribution of the *samples*, unweighted. Weights that correct for another
    distribution need weighted quantiles, which this class does not have. A sample that stands for
    two counts once; one of weight zero has no part.

    *Weak samples* are in every fit and never left out. The guarantee holds given these, however
    they were drawn, if labelled samples and queries are exchangeable.

    *Costs.* One more decomposition, O(n^3), of which n x n numbers are kept (n x m for m centres),
    and O(n (n q + d)) for a query with d outputs and q chosen ridge parameters, in batches of 8 MB;
    a decoding of n embeddings per query for an `OutputFisherRegressor`.

    References
    ----------
    .. [1] Barber, Candès, Ramdas, Tibshirani, "Predictive inference with the jackknife+",
       Annals of Statistics 49 (2021), theorem 1.

    Examples
    --------
    >>> import numpy as np
    >>> from ofer import JackknifePlus, KernelRidgeCV
    >>> rng = np.random.default_rng(0)
    >>> X = rng.uniform(-3, 3, size=(200, 1))
    >>> Y = np.hstack([np.sin(X), np.cos(X)]) + 0.1 * rng.normal(size=(200, 2))
    >>> model = JackknifePlus(KernelRidgeCV(kernel="rbf"), confidence_level=0.8)
    >>> model = model.fit(X[:100], Y[:100])
    >>> model.predict_interval([[0.0]]).round(2)
    array([[[-0.17,  0.18],
            [ 0.85,  1.16]]])
    >>> float(model.contains(X[100:], Y[100:]).mean())
    0.83
    """

    _parameter_constraints: ClassVar = {
        "estimator": [HasMethods(["fit", "predict"]), None],
        "confidence_level": [Interval(Real, 0, 1, closed="neither")],
        "shape": [StrOptions({"box", "ellipsoid"})],
        "simultaneous": ["boolean"],
        "strict": ["boolean"],
    }

    _default_parts: ClassVar = {"estimator": scaled_ridge}
    _input_part = "estimator"
    _fixed_by_fit = "shape", "simultaneous", "strict"

    def __init__(
        self,
        estimator: BaseEstimator | None = None,
        *,
        confidence_level: float = 0.9,
        shape: str = "box",
        simultaneous: bool = True,
        strict: bool = False,
    ):
        self.estimator = estimator
        self.confidence_level = confidence_level
        self.shape = shape
        self.simultaneous = simultaneous
        self.strict = strict

    @fit_context(prefer_skip_nested_validation=False)
    def fit(
        self,
        X: MatrixLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        **fit_params: object,
    ) -> Self:
        """Fit the regressor, to all samples and without each sample.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Inputs, as the regressor takes them.
        y : array-like of shape (n_samples,), (n_samples, d) or (n_samples, T, p)
            Outputs, all of them observed (no NaN).
        sample_weight : float or array-like of shape (n_samples,), default=None
            Weights, not negative, for a regressor that takes them; in a pipeline they reach the
            last step, and transformers that take them.
        groups : array-like of shape (n_samples,), default=None
            Labels of groups of samples, such as copies, or measurements of one subject. Each fit
            is without a whole group, and regions are then for queries of other groups. A regressor
            that takes groups, as `KernelRidgeCV` does, is not refitted unless `strict`.
        **fit_params : dict
            Further arguments for the `fit` of an `OutputFisherRegressor`, such as
            ``weak=Memberships(...)``; not with ``strict=True``.

        Returns
        -------
        self : JackknifePlus
        """
        if self.shape == "ellipsoid" and not self.simultaneous:
            raise ValueError("simultaneous must be True for shape='ellipsoid'; got False.")
        estimator = part_of(self, "estimator")
        weights, X, y, groups = cover_absent(
            sample_weight, X, y, groups, pairwise=get_tags(self).input_tags.pairwise
        )
        look_at(self, X, y)
        self._columns = columns_of(y)
        outputs = check_complete(X, y, ensure_min_samples=2)
        folds = np.arange(len(outputs)) if weights is None else np.flatnonzero(weights)
        samples = Training(X, outputs, weights, folds, check_groups(groups, X))
        self._fits = fit_without_each(estimator, samples, strict=self.strict, options=fit_params)
        self.estimator_ = self._fits.model
        self.loo_residuals_ = np.full(outputs.shape, np.nan)
        rows = outputs[folds].reshape(len(folds), -1)
        missed = rows - self._fits.predictions
        self.loo_residuals_[folds] = missed.reshape(-1, *outputs.shape[1:])
        memberships = self._fits.memberships
        memberships = np.ones((len(folds), 1)) if memberships is None else memberships
        scored = without_roundoff(missed, rows)
        self._shape = SHAPES[self.shape, self.simultaneous](scored, memberships)
        self._keep_parameters()
        return self

    def predict(self, X: MatrixLike) -> NDArray:
        """Predict the outputs, by the regressor fitted to all samples.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features)
            Inputs, as the regressor takes them.

        Returns
        -------
        ndarray of shape (n_queries,), (n_queries, d) or (n_queries, T, p)
        """
        check_is_fitted(self)
        shape = self.loo_residuals_.shape[1:]
        return np.reshape(self.estimator_.predict(look_at(self, X)), (-1, *shape))

    def predict_interval(self, X: MatrixLike) -> NDArray:
        """Predict an interval for each coordinate; for an ellipsoid, the box around it.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features)
            Inputs, as the regressor takes them.

        Returns
        -------
        ndarray of shape (n_queries, 2), (n_queries, d, 2) or (n_queries, T, p, 2)
            The lower end, then the upper one. The prediction may lie outside, though it rarely
            does: the intervals are around those of the fits without a sample.
        """
        ends = [np.stack([region.lower, region.upper], axis=2) for _, region in self._regions(X)]
        return np.vstack(ends).reshape(-1, *self.loo_residuals_.shape[1:], 2)

    def contains(self, X: MatrixLike, y: ArrayLike) -> NDArray:
        """Tell whether outputs are inside the prediction regions of their inputs.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features)
            Inputs, as the regressor takes them.
        y : array-like of shape (n_queries,), (n_queries, d) or (n_queries, T, p)
            Outputs; the ends of an interval are inside.

        Returns
        -------
        ndarray of bool of shape (n_queries,)
            Of the shape of y, coordinate by coordinate, without `simultaneous`.
        """
        self._check_parameters()
        check_order("y", y, self._columns)
        y = check_complete(X, y, self.loo_residuals_.shape[1:])
        Y = y.reshape(len(y), -1)
        inside = np.concatenate([region.contain(Y[rows]) for rows, region in self._regions(X)])
        if not self.simultaneous:
            return inside.reshape(y.shape)
        return inside if inside.ndim == 1 else np.all(inside, axis=1)

    def volume(self, X: MatrixLike) -> NDArray:
        """Volumes of the prediction regions, in the units of the outputs; for one output, lengths.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features)
            Inputs, as the regressor takes them.

        Returns
        -------
        ndarray of shape (n_queries,)
            Infinite for fewer samples than the level asks for. Without `simultaneous` that of the
            product of the intervals.
        """
        return np.exp(np.concatenate([region.log_volumes() for _, region in self._regions(X)]))

    def _regions(self, X):
        """Regions of queries, batch by batch, with the slices of the queries."""
        self._check_parameters()
        predicted = self.estimator_.predict(X := look_at(self, X))
        centre = np.reshape(predicted, (len(predicted), -1))
        memberships = self._fits.membership_at(X)
        memberships = np.ones((len(centre), 1)) if memberships is None else memberships
        for rows, predictions in self._fits.predict_at(X):
            around = centre[rows], memberships[rows]
            yield rows, self._shape.regions(predictions, *around, self.confidence_level)
