"""Output Fisher embedding regression that chooses its output model and its kernel."""

import warnings
from collections.abc import Sequence
from copy import deepcopy
from functools import partial
from itertools import product
from numbers import Integral, Real
from time import perf_counter
from typing import ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin, clone
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import BaseCrossValidator, KFold
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import check_consistent_length, get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from ofer.blocks import LeaveOneOut
from ofer.embeddings import GaussianMixtureEmbedding
from ofer.embeddings.base import OutputModel, as_output_model, fit_output_model
from ofer.kernel_ridge import KernelRidgeCV, prepare_inputs, scaled_ridge, score_ridges
from ofer.regression import OutputFisherRegressor
from ofer.utils.absent import cover_absent, look_at, of_order_one, present
from ofer.utils.estimators import DefaultParts, part_of
from ofer.utils.fitting import fit_context
from ofer.utils.pipelines import Transformers
from ofer.utils.products import quiet
from ofer.utils.scoring import AnyOutputsMixin, as_rows
from ofer.utils.sklearn_private import HasMethods, Interval, safe_split
from ofer.utils.typing import KernelLike, MatrixLike
from ofer.utils.validation import (
    as_targets,
    check_alphas,
    check_groups,
    check_outputs,
    check_range,
    check_real,
)
from ofer.utils.warning import warn

PARTS = 5  # so many blocks of rows show whether neighbours predict each other
SEARCH_TOL = 0.03  # candidates' EM stops on gains of 1e-3, as scikit-learn's does


class Trial(NamedTuple):
    """A candidate, the ridge parameter of its mean block, and its squared leave-one-out errors."""

    n_components: int
    covariance_type: str | None
    kernel: KernelLike
    gamma: float | None
    alpha: float
    errors: NDArray  # (n_samples,)


@quiet
class OutputFisherRegressorCV(
    DefaultParts, LeaveOneOut, AnyOutputsMixin, MultiOutputMixin, RegressorMixin, BaseEstimator
):
    r"""Output Fisher embedding regression (OFER) that chooses its components and its kernel.

    Start with this estimator if outputs are vectors, curves or short series. With one component the
    method [1]_ is kernel ridge regression with an intercept. The search uses more components only
    if they clearly help, which is rare for outputs without clusters.

    The search divides outputs by their standard deviations, so units do not change the choice. It
    compares the squared errors of decoded leave-one-out predictions. It keeps the best combination
    with the fewest components, unless the best of all gains more than `n_standard_errors` of the
    paired differences between their errors, sample by sample: the rule of [2]_ with paired
    differences.

    Parameters
    ----------
    embedding : transformer, default=None
        Output model with the common parameters of all candidates, such as `scaling`, `decoder` and
        `random_state`; None is a `GaussianMixtureEmbedding` with ``random_state=0``. The search
        sets `n_components` and `covariance_type` of an output model, or of the last step of a
        pipeline, that has them; with `GaussianEmbedding` it chooses the kernel alone.
    regressor : KernelRidgeCV or Pipeline, default=None
        Regressor with the common parameters of all candidates, such as `kernel` and `alphas`, or a
        pipeline that ends in one; a pipeline may begin with a `ColumnTransformer` for frames with
        categories. None is one with the rbf kernel behind a `StandardScaler`, as of
        `OutputFisherRegressor`: without the scaler the widest column alone would set the width. The
        search sets `gamma`, and with default `gammas` the kernel.
    n_components : int or sequence of int, default=(1, 2, 3, 4, 6, 8)
        Candidates for the number of components. The search skips numbers above that of different
        outputs.
    covariance_types : sequence of str, default=("spherical",)
        Candidates for the form of the covariances. One component is tried with the first alone.
    gammas : sequence of float, default=None
        Candidates for the kernel's width parameter. None takes, in the place of the rbf kernel,
        the seven kernels of ``KernelRidgeCV(gamma="loo")``: the linear one, and those of widths
        from 1/4 to 8 times the median distance of the inputs, as the steps before the kernel leave
        them. For any other kernel it takes the regressor's own `gamma`.
    cv : int, cross-validation splitter or None, default=5
        Folds for the output model, in which each sample is left out once; see the notes. None
        lets the model see all outputs. An integer keeps the samples of a group together.
    n_standard_errors : float, default=2.0
        Gain, in standard errors, that more than the fewest components must reach. 0 takes the
        candidate of least error.
    verbose : bool or int, default=False
        Whether to print each candidate with its error and the seconds since the search began.

    Attributes
    ----------
    best_estimator_ : OutputFisherRegressor
        Fitted to all samples, with the chosen parameters; its embedding is a pipeline of a
        `StandardScaler` of outputs and the mixture. It predicts in the outputs' own units.
    best_params_ : dict
        The chosen "n_components", "covariance_type", "kernel" and "gamma"; 1 and None for an output
        model without components, or without forms of covariances.
    best_error_ : float
        Mean squared leave-one-out error of the choice, of outputs in their standard deviations.
    cv_results_ : dict of ndarray of shape (n_candidates,)
        "n_components", "covariance_type", "kernel" and "gamma" of each candidate, NaN where `gamma`
        is None; "alpha", the ridge parameter chosen for its mean block; its leave-one-out "error",
        as `best_error_`, and the "standard_error" of that; the "gain", by how much it is less than
        that of the best candidate with the fewest components, and the paired "gain_standard_error".
    n_features_in_ : int
        Number of input features.

    See Also
    --------
    OutputFisherRegressor : The estimator for given parameters.

    Notes
    -----
    *What is exact.* Given an output model, leave-one-out is exact for each ridge parameter: no
    regression has seen the left-out sample. Three things have seen all samples: the scaler of
    outputs, the steps of a pipeline before the kernel, and the choice of each block's ridge
    parameter, which is the best for the output model of all outputs.

    An output model that has seen all outputs knows the left-out one, too. On a benchmark set of
    39 outputs, four components with full covariances so seemed to gain 12 % on average over five
    splits; with models that had not seen the output they lost 8 %. So each output is predicted in
    the embedding of a model fitted to the other folds: its regressions learn the embeddings of
    *all* other outputs under that model. This costs fits of the output model, but no decomposition.
    A model of fewer outputs is worse, so the error is cautious. EM stops
    earlier for candidates than for the final fit.

    *Weights* enter the scalers, the mixtures, the ridge regressions and the means of errors. A
    sample of weight zero is absent. Integers are repetitions, and leave-one-out leaves out all of
    them; but a fold has a sample once, and the standard errors count it once.

    *Inputs.* On thirteen small tables in their own units the default scaler raises the mean R2 from
    .39 to .42, most where columns have very different units. Digits, whose pixels share one unit,
    lose 3 % by it: use ``KernelRidgeCV(kernel="rbf")`` for such columns.

    *Missing outputs* have no part in errors; the exact decoder takes their mean blocks as zero.
    Outputs that miss the same samples share decompositions, others do not: ten outputs with one
    percent of their entries missing take six times as long as complete ones.

    *Neighbours.* Where rows are neighbours in time, leave-one-out promises what no new stretch of
    rows will give. A warning says so if blocks of rows are predicted four times worse than as many
    drawn ones; then give `groups`. Only the linear kernel follows a trend beyond the training
    inputs, and with groups the search can see that. Where rows are drawn, the widest Gaussian
    kernel is all but linear: of eleven benchmark sets one gained, eight percent.

    *Series* are vectors of T p numbers. State spaces are no candidates: where the first part of a
    curve predicts the rest (ArrowHead, GunPoint), leave-one-out says that a `StateSpaceEmbedding`
    of two states has an R2 of .55 and .90, and the search .66 and .94; tests agree to .04.

    *Cost.* For n samples, d outputs, w kernels, q ridge parameters, c candidates with C components
    and f folds: one decomposition for each kernel, O(w n^3), of which the linear one is nearly free
    if inputs have fewer columns than rows; O(w c (q + f) n^2 (C + d)) for the
    predictions; c (f + 1) fits of mixtures, once for all kernels; and the final fit. O(n^2 + n c f
    (C + d)) memory. With 1000 samples and 5 outputs it takes twice the time of the six ridge
    regressions alone. Seconds at the defaults, for 10 inputs and 5 outputs, on one core of a
    server's processor, once: 0.2 for n = 100, 0.5 for 500, 1.9 for 1000, 8.9 for 2000, 67 for 4000.

    References
    ----------
    .. [1] Djerrab, Garcia, Sangnier, d'Alché-Buc, "Output Fisher embedding regression",
       Machine Learning 107 (2018), section 4.2.
    .. [2] Breiman, Friedman, Olshen, Stone, "Classification and regression trees", Wadsworth
       (1984), section 3.4.3: the simplest model within a standard error of the best.

    Examples
    --------
    >>> import numpy as np
    >>> from ofer import GaussianMixtureEmbedding, OutputFisherRegressorCV
    >>> rng = np.random.default_rng(0)
    >>> X = rng.uniform(-1, 1, size=(60, 2))
    >>> Y = np.sin(3 * X) + 0.5 * rng.normal(size=(60, 2))  # no clusters
    >>> model = OutputFisherRegressorCV(
    ...     GaussianMixtureEmbedding(random_state=0), n_components=(1, 2)
    ... ).fit(X, Y)
    >>> model.best_params_["n_components"]
    1
    >>> model.cv_results_["error"].shape  # two output models, seven kernels
    (14,)
    """

    _parameter_constraints: ClassVar = {
        "embedding": [HasMethods(["fit", "transform", "inverse_transform"]), None],
        "regressor": [KernelRidgeCV, Pipeline, None],
        "n_components": ["array-like", Integral],
        "covariance_types": ["array-like"],
        "gammas": ["array-like", None],
        "cv": [Interval(Integral, 2, None, closed="left"), HasMethods(["split"]), None],
        "n_standard_errors": [Interval(Real, 0, None, closed="left")],
        "verbose": ["verbose"],
    }

    _default_parts: ClassVar = {
        "embedding": partial(GaussianMixtureEmbedding, random_state=0),
        "regressor": scaled_ridge,
    }
    _input_part = "regressor"

    def __init__(
        self,
        embedding: BaseEstimator | None = None,
        regressor: BaseEstimator | None = None,
        *,
        n_components: int | Sequence[int] = (1, 2, 3, 4, 6, 8),
        covariance_types: Sequence[str] = ("spherical",),
        gammas: ArrayLike | None = None,
        cv: int | BaseCrossValidator | None = 5,
        n_standard_errors: float = 2.0,
        verbose: bool | int = False,
    ):
        self.embedding = embedding
        self.regressor = regressor
        self.n_components = n_components
        self.covariance_types = covariance_types
        self.gammas = gammas
        self.cv = cv
        self.n_standard_errors = n_standard_errors
        self.verbose = verbose

    @fit_context(prefer_skip_nested_validation=False)
    def fit(
        self,
        X: MatrixLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
    ) -> Self:
        """Choose the parameters and fit the estimator to all samples.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Inputs; with a precomputed kernel the matrix (n_samples, n_samples).
        y : array-like of shape (n_samples,), (n_samples, d) or (n_samples, T, p)
            Outputs; entries may be missing (NaN), as in `OutputFisherRegressor`, and have no part
            in errors. Curves and series are vectors of T p numbers for the search.
        sample_weight : float or array-like of shape (n_samples,), default=None
            Weights, not negative; see the notes.
        groups : array-like of shape (n_samples,), default=None
            Labels of groups of samples, such as copies, or measurements of one subject.
            Leave-one-out and the folds leave out a whole group. A splitter in `cv` has the labels,
            too.

        Returns
        -------
        self : OutputFisherRegressorCV

        Warns
        -----
        UserWarning
            If neighbouring rows predict each other, and there are no groups.
        """
        weights, X, y, groups = cover_absent(
            sample_weight, X, y, groups, pairwise=get_tags(self).input_tags.pairwise
        )
        look_at(self, X, y)
        embedding = part_of(self, "embedding")
        if isinstance(_last(embedding), FrozenEstimator):
            raise ValueError(
                "embedding must be fitted by the search, to outputs in units of their standard "
                "deviations; got one that is frozen."
            )
        rows = as_rows(y) if getattr(y, "ndim", 2) > 2 else y  # in which entries may be missing
        series, y = y, as_rows(check_outputs(rows, as_output_model(embedding)))
        self._output_shape = np.asarray(series).shape[1:]
        check_range("y", y)
        check_consistent_length(X, y)
        groups = check_groups(groups, X)
        n_seen = len(y) if weights is None else np.count_nonzero(weights)
        if self.cv is not None and n_seen < 3:
            raise ValueError(
                "y must have at least 3 samples, so that each fold leaves two to fit an output "
                f"model to; got {n_seen}. With cv=None two are enough."
            )
        before = Transformers(part_of(self, "regressor"))
        if not isinstance(before.last, KernelRidgeCV):
            raise ValueError(
                "regressor must be a KernelRidgeCV, or a pipeline that ends in one; "
                f"got {self.regressor!r}."
            )
        with warnings.catch_warnings():  # a bad candidate is one that is not chosen
            warnings.simplefilter("ignore", UserWarning)
            rows = y.reshape(len(y), -1)
            trials, best, neighbours = self._search(before, X, rows, weights, groups)
        if neighbours is not None:
            alone, blocks, drawn = neighbours
            warn(
                "neighbouring rows predict each other: leave-one-out promises a mean squared error "
                f"of {alone:.2g}, but without {PARTS} blocks of rows it is {blocks:.2g}, and "
                f"without as many drawn ones {drawn:.2g}. If rows are neighbours in time or "
                "space, give groups, one label for each stretch of rows. If they are only sorted, "
                "shuffle them."
            )
        *name, kernel, gamma, _, _ = trials[best]
        self.best_params_ = dict(zip(Trial._fields, (*name, kernel, gamma), strict=False))
        self.best_error_ = float(self.cv_results_["error"][best])
        embedding = make_pipeline(StandardScaler(), self._embedding(*name))
        regressor = before.ending_in(clone(before.last).set_params(kernel=kernel, gamma=gamma))
        model = OutputFisherRegressor(embedding, regressor, block_wise=True)  # so it was judged
        self.best_estimator_ = model.fit(X, y, weights, groups=groups)
        return self

    def predict(self, X: MatrixLike) -> NDArray:
        """Predict the output with the chosen parameters.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features)
            Inputs; with a precomputed kernel its values with the training inputs.

        Returns
        -------
        ndarray of shape (n_queries,), (n_queries, d) or (n_queries, T, p)
        """
        check_is_fitted(self)
        return self.best_estimator_.predict(X).reshape(-1, *self._output_shape)

    @available_if(lambda search: as_output_model(part_of(search, "embedding")).has_membership)
    @quiet
    def predict_membership(self, X: MatrixLike) -> NDArray:
        """Predict the responsibilities of the chosen mixture's components.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features)
            Inputs, as in `predict`.

        Returns
        -------
        ndarray of shape (n_queries, C)
        """
        check_is_fitted(self)
        return self.best_estimator_.predict_membership(X)

    def loo_predict(self) -> NDArray:
        """Leave-one-out predictions of the outputs of all samples.

        The output model, scalers and parameters are the chosen ones, which have seen all samples.

        Returns
        -------
        ndarray of shape (n_samples,), (n_samples, d) or (n_samples, T, p)
        """
        check_is_fitted(self)
        return self.best_estimator_.loo_predict().reshape(-1, *self._output_shape)

    def predict_left_out(self, Y: NDArray) -> NDArray:
        predicted = self.loo_predict()
        return predicted.reshape(as_targets(Y, predicted.shape).shape)

    def _search(self, before, X, Y, weights, groups):
        """The trials, the place of the chosen one, and what `_errors_of_neighbours` says."""
        start = perf_counter()
        if weights is not None and not weights.all():  # a weight of zero means no sample
            kept = present(weights)
            X, Y = safe_split(self, X, Y, kept)
            weights, groups = weights[kept], None if groups is None else groups[kept]
        _, X = before.fit(X, Y, weights)
        Y = np.asarray(StandardScaler().fit(Y, sample_weight=of_order_one(weights)).transform(Y))
        ridge = deepcopy(before.last)  # it does not remember warnings, as a clone would
        if self.gammas is not None:
            check_alphas(self.gammas, "gammas")
            ridge.set_params(gamma=self.gammas)
        elif ridge.kernel == "rbf":
            ridge.set_params(gamma="loo")
        X, kernels = prepare_inputs(ridge, X, weights)
        grid, trials = ridge._alphas_to_try(X, Y, groups, weights, len(kernels)), []
        models = self._fit_output_models(X, Y, weights, groups)
        for tried in kernels:
            systems = ridge._systems(tried, X, weights)
            judged = _judge(systems, grid, ridge, models, Y, groups)
            for (count, form), (alpha, errors) in zip(models, judged, strict=True):
                trials.append(Trial(count, form, tried.kernel, tried.gamma, alpha, errors))
                if self.verbose:
                    print(
                        f"n_components={count}, covariance_type={form!r}, "
                        f"kernel={tried.kernel!r}, gamma={tried.gamma}: "
                        f"error {np.average(errors, weights=weights):.4g}, "
                        f"{perf_counter() - start:.1f} s"
                    )
        best = self._choose(trials, weights, groups)
        neighbours = None
        if groups is None and self.cv is not None and len(Y) >= 10 * PARTS:
            _, _, name, gamma, alpha, _ = trials[best]
            neighbours = _errors_of_neighbours(
                clone(ridge).set_params(kernel=name, gamma=gamma, alphas=[alpha]), X, Y
            )
        return trials, best, neighbours

    def _splits(self, X, Y, groups):
        """Pairs of outputs that a model is fitted to, and that judge it.

        The first fit sees all. It chooses ridge parameters, and is judged where there is no other.
        """
        samples = np.arange(len(Y))
        if self.cv is None:
            folds = []
        elif isinstance(self.cv, Integral):
            labels, which = np.unique(samples if groups is None else groups, return_inverse=True)
            folds = KFold(min(self.cv, len(labels)), shuffle=True, random_state=0).split(labels)
            folds = [[np.flatnonzero(np.isin(which, part)) for part in fold] for fold in folds]
        else:
            folds = [*self.cv.split(X, Y, groups)]
            if not np.array_equal(np.sort(np.concatenate([left for _, left in folds])), samples):
                raise ValueError(f"cv must leave out each sample once; got {self.cv!r}.")
        return [(samples, samples), *folds]

    def _output_models(self, Y, splits):
        """Pairs of a number of components and a form of covariances, fewest components first.

        These are 1 and None for an output model without such parameters.
        """
        has = _last(part_of(self, "embedding")).get_params(deep=False)
        forms: list = [*self.covariance_types] if "covariance_type" in has else [None]
        if "n_components" not in has:
            return [(1, forms[0])]
        counts = np.unique(self.n_components).tolist()
        if np.ndim(self.n_components) > 1 or not counts:
            got = f"got {self.n_components!r}."
            raise ValueError(f"n_components must be a non-empty 1-D array; {got}")
        for count in counts:
            check_real("each of n_components", count, at_least=1, integer=True)
        most = min(len(np.unique(Y[rows], axis=0)) for rows, _ in splits)
        counts = [count for count in counts if count <= most] or counts[:1]
        return [
            (count, form) for count, form in product(counts, forms) if count > 1 or form == forms[0]
        ]

    def _embedding(self, n_components, covariance_type, least_tol=0.0):
        """The output model of a candidate, which has those of these parameters that it takes."""
        embedding = clone(part_of(self, "embedding"))
        last = _last(embedding)
        has = last.get_params(deep=False)
        named = {"n_components": n_components, "covariance_type": covariance_type}
        if isinstance(last, OutputModel) and "tol" in has:
            named["tol"] = max(last.tol, least_tol)
        last.set_params(**{name: value for name, value in named.items() if name in has})
        return embedding

    def _fit_output_models(self, X, Y, weights, groups):
        """Fits by name: each an embedding, its blocks of all outputs, and which are to judge it."""
        splits, fits = self._splits(X, Y, groups), dict[tuple, list]()
        for count, form in self._output_models(Y, splits):
            # A copy does not remember warnings, which the final fit then gives.
            embedding, fits[count, form] = deepcopy(self._embedding(count, form, SEARCH_TOL)), []
            for rows, left in splits:
                seen = None if weights is None else weights[rows]
                model = as_output_model(fit_output_model(embedding, Y[rows], None, seen))
                H = np.asarray(model.transform(Y))
                fits[count, form].append((model, [H[:, s] for s in model.blocks_.values()], left))
        return fits

    def _choose(self, trials, weights, groups):
        """Place of the chosen trial."""
        *columns, alphas, errors = map(np.array, zip(*trials, strict=True))
        named = dict(zip(Trial._fields, columns, strict=False))
        named["gamma"] = named["gamma"].astype(float)  # None becomes NaN
        counts = named["n_components"]
        n = errors.shape[1]
        shares = np.full(n, 1 / n) if weights is None else weights / weights.sum()
        labels, which = np.unique(np.arange(n) if groups is None else groups, return_inverse=True)
        n, order = len(labels), np.argsort(which, kind="stable")
        starts = np.searchsorted(which[order], np.arange(n))

        def spread(values):  # a group was drawn together, so its sum counts
            parts = shares * (values - (values @ shares)[:, None])
            sums = np.add.reduceat(parts[:, order], starts, axis=1)
            return np.sqrt(n / (n - 1) * np.square(sums).sum(axis=1))

        means = errors @ shares
        fewest = np.flatnonzero(counts == counts.min())
        default, best = fewest[means[fewest].argmin()], means.argmin()
        gains = errors[default] - errors
        self.cv_results_ = named | {
            "alpha": alphas,
            "error": means,
            "standard_error": spread(errors),
            "gain": gains @ shares,
            "gain_standard_error": spread(gains),
        }
        asked = self.n_standard_errors * self.cv_results_["gain_standard_error"][best]
        return int(best if self.cv_results_["gain"][best] > asked else default)


def _last(embedding):
    """The output model itself, which a pipeline ends in."""
    return Transformers(embedding).last


def _judge(systems, grid, ridge, models, Y, groups):
    """The ridge parameter of each output model's last block, and squared errors (n_samples,).

    `ridge` says how ridge parameters of the `grid` are compared. They are chosen on the targets
    that a model fitted to all outputs gives, for each block over all models at once. Then the
    models of the folds judge, each sample by the one that has not seen it; without folds the model
    of all outputs does. A ridge parameter for each target is told by its geometric mean.
    """
    firsts = zip(*(blocks for (_, blocks, _), *_ in models.values()), strict=True)
    chosen = []
    for first in firsts:
        tried, scores = score_ridges(ridge, systems.of(np.hstack(first)), [*first], grid, groups)
        best = [tried[of.argmax(axis=0)] for of in scores]
        chosen.append(best if ridge.alpha_per_target else np.ravel(best))
    for (first, *others), *best in zip(models.values(), *chosen, strict=True):
        judges, unseen, errors = others or [first], [], np.empty(len(Y))
        blocks = zip(*(targets for _, targets, _ in judges), strict=True)
        for alpha, targets in zip(best, map(np.hstack, blocks), strict=True):
            each = np.tile(alpha, len(judges)) if np.ndim(alpha) else alpha
            (missed,) = systems.of(targets).loo_residuals(targets, [each], groups)
            predicted = np.nan_to_num(targets - missed)  # what is missing has no error
            unseen.append(predicted.reshape(len(Y), len(judges), -1))
        embedded = np.concatenate(unseen, axis=2)
        for i, (embedding, _, left) in enumerate(judges):
            wrong = embedding.inverse_transform(embedded[left, i]) - Y[left]
            errors[left] = np.nanmean(np.square(wrong), axis=1)
        yield float(np.exp(np.mean(np.log(best[-1])))), errors


def _errors_of_neighbours(ridge, X, Y):
    """Errors by leave-one-out, without contiguous blocks and without drawn parts, or None.

    None where blocks are predicted as well as parts of their size that are drawn, or nearly so.
    """
    n = min(len(Y), 300)  # more rows would only cost time
    rows = np.arange(n) + (len(Y) - n) // 2
    X, Y = safe_split(ridge, X, Y, rows)
    blocks = np.arange(n) * PARTS // n
    drawn = np.random.default_rng(0).permutation(blocks)
    errors = []
    for groups in (None, blocks, drawn):
        (predicted,) = ridge.loo_predictions(X, Y, groups=groups)
        errors.append(np.nanmean(np.square(predicted - Y)))
    return errors if errors[1] > 4.0 * errors[2] else None
