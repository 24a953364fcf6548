"""Output Fisher embedding regression: embed, regress, decode."""

import warnings
from collections.abc import Callable
from copy import copy
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar, NamedTuple, Self

import joblib
import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin, clone
from sklearn.utils import check_array, check_consistent_length, get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, validate_data

from ofer.blocks import Ability, LeaveOneOut, as_block_regressor, predict_blocks
from ofer.embeddings import GaussianMixtureEmbedding
from ofer.embeddings.base import OutputModel, as_embedded, as_output_model, fit_output_model
from ofer.kernel_ridge import scaled_ridge
from ofer.utils.absent import (
    all_absent,
    cover_absent,
    look_at,
    stand_ins,
    take,
    take_columns,
)
from ofer.utils.estimators import DefaultParts, part_of
from ofer.utils.fitting import fit_context
from ofer.utils.pipelines import given
from ofer.utils.products import quiet
from ofer.utils.scoring import AnyOutputsMixin, spreads_of
from ofer.utils.sklearn_private import HasMethods, StrOptions
from ofer.utils.typing import MatrixLike
from ofer.utils.validation import (
    as_targets,
    check_columns,
    check_even,
    check_outputs,
    columns_of,
)
from ofer.weak import (
    Bounds,
    Candidates,
    Memberships,
    check_bounds,
    check_candidate_outputs,
    check_kind,
    encode_memberships,
    expected_within,
    naming_new_words,
    nearest_candidates,
    stack_inputs,
    stack_weights,
    weight_of,
)

WEAK_WEIGHTS = (0.0, 0.03, 0.1, 0.3, 1.0)
Parts = list[dict[str, Any]]


class Labelled(NamedTuple):
    """Labelled samples."""

    X: Any
    y: NDArray
    H: NDArray  # embedded outputs
    weights: NDArray | None


class Fit(NamedTuple):
    """A fit of the regressors, as a value that can be judged before anything is changed."""

    blocks: dict[str, slice]  # columns of the embedding
    parts: Parts  # regressors by block: what each call of `fit_blocks` returned
    loo_errors: dict[str, float | None]
    loo_embedding: NDArray | None  # leave-one-out predictions of the labelled samples


def _output_model(model: "OutputFisherRegressor") -> OutputModel:
    """The embedding, fitted or not, as an `OutputModel`."""
    fitted = "embedding_" in vars(model)
    return as_output_model(model.embedding_ if fitted else part_of(model, "embedding"))


def _regressor_can(ability: Ability) -> Callable:
    """For `available_if`: whether the regressor has an ability; the error says what is missing."""

    def check(model: "OutputFisherRegressor") -> bool:
        regressor = as_block_regressor(part_of(model, "regressor"))
        if ability not in regressor.abilities:
            raise AttributeError(
                f"regressor must have the ability {ability!r}, as NystroemRidgeCV has; got "
                f"{part_of(model, 'regressor')!r}."
            )
        return True

    return check


@quiet
class OutputFisherRegressor(
    DefaultParts, LeaveOneOut, AnyOutputsMixin, MultiOutputMixin, RegressorMixin, BaseEstimator
):
    r"""Output Fisher embedding regression (OFER): predicts vectors and series by an output model.

    The method has three steps [1]_. A generative model of the outputs embeds them by its Fisher
    scores. A regressor learns the embedding from the inputs. The pre-image of a predicted embedding
    is the predicted output.

    Each block of the embedding (for a mixture: memberships, and the mean) has its own clone of the
    regressor, hence its own ridge parameter and its own samples. *Weak* samples, for which only the
    mixture component of the output is known, join the membership block, because the objective (14)
    of [1]_ separates by coordinates.

    Parameters
    ----------
    embedding : transformer, default=None
        Output model with `fit`, `transform` and `inverse_transform`, such as
        `GaussianMixtureEmbedding` (None is one with its defaults, which a search sets by
        ``embedding__n_components``), `GaussianEmbedding`,
        `StateSpaceEmbedding` for series or any scikit-learn transformer. A pipeline that ends in
        an output model has its blocks: ``make_pipeline(StandardScaler(),
        GaussianMixtureEmbedding(8))`` is for outputs of different units. Wrap a fitted one in
        `sklearn.frozen.FrozenEstimator` to keep it, for instance one fitted to more outputs, or
        one whose components a weak supervisor has named.
    regressor : regressor, default=None
        Multi-output regressor, or a pipeline that ends in one. None is `KernelRidgeCV` with the rbf
        kernel behind a `StandardScaler`; its width follows a rule. With a hundred
        samples or more a `KernelRidgeCV` with ``gamma="loo"`` is better, as of
        `OutputFisherRegressorCV`; with 20 it lost on four of eight sets. Its parameters are
        ``regressor__kernelridgecv__alphas`` and the like. `ofer.BlockRegressor` declares further
        methods that are used.
    block_wise : bool or "auto", default="auto"
        Whether each block has its own clone; False is one for all blocks, the form of the paper.
        "auto" takes the form with the smaller leave-one-out error of the decoded outputs, each in
        units of its variance; with memberships of weak samples, and for regressors without
        leave-one-out, True.

    Attributes
    ----------
    embedding_ : transformer
        The fitted output model.
    regressor_ : dict of regressor
        The fitted regressors by block; the one key is "all" without blocks.
    blocks_ : dict of slice
        The columns of the embedding that each of them predicts.
    loo_errors_ : dict of float or None
        Mean squared leave-one-out error of each, over the samples that it saw, with their weights;
        None for regressors without leave-one-out residuals.
    n_features_in_ : int
        Number of input features; with a precomputed kernel, of labelled and weak samples.
    block_wise_ : bool
        Whether each block has its own regressor.
    weak_weight_ : float or None
        The weight of a weak sample; None without weak samples.
    assignments_ : ndarray of shape (n_weak,)
        Index of the candidate that each weak sample has got; None without candidates.

    See Also
    --------
    OutputFisherRegressorCV : Chooses the number of components and the width of the kernel, too.
    KernelRidgeCV : The default regressor, behind a scaler.
    GaussianMixtureEmbedding : The default embedding.
    sklearn.compose.TransformedTargetRegressor : The same idea without blocks or weak labels.

    Notes
    -----
    The paper's form of the method is ``OutputFisherRegressor(GaussianMixtureEmbedding(C,
    scaling="score", decoder="raw"), KernelRidgeCV(fit_intercept=False), block_wise=False)``.

    With one linear smoother for all coordinates the printed form is a precision-weighted average of
    training outputs, and natural scaling with an intercept is kernel ridge regression on the
    outputs; the model matters through a ridge parameter for each block, the projection of
    memberships and weak labels.

    *Missing outputs.* The output model is fitted to the observed entries. A sample takes part in
    the regression of memberships, given its observed outputs, and of those columns of the mean
    block whose output is observed. Columns with the same observed samples share one decomposition.

    *Candidates.* A weak sample whose output is one of several gets the candidate that is nearest to
    the prediction of the fit to the labelled samples. Then the regressors are fitted once more, to
    all samples. With five candidates, 20 labelled samples and seven data sets this lifts the mean
    R2 by .04; further rounds lose that gain. Leave-one-out errors are then too small, because the
    choice has used the left-out sample.

    *Bounds.* A weak sample gets its expected output, as in a Tobit model [2]_: the mean, within its
    bounds, of a Gaussian around the prediction of the fit to the labelled samples. The deviation is
    that of their leave-one-out residuals; without leave-one-out the prediction is clipped. Then the
    regressors are fitted once more, to all samples. On six sets with 20 labelled samples and 200 of
    whose outputs above the median only that is known, the mean error relative to the training mean
    is .68; it is .84 for the labelled samples alone, .87 without what is beyond the limit, .89 with
    the limit in its place, and .62 if all were known. An output without a bound gets its
    prediction. Leave-one-out errors are too small here, too.

    Blocks of `KernelRidgeCV` that see the same samples share one eigendecomposition, O(n^3), and
    one kernel matrix in `predict`. Regressors with the ability "leave_one_out", such as
    `KernelRidgeCV`, have leave-one-out predictions. So do pipelines that end in one, given their
    fitted transformers, which have seen all samples.

    References
    ----------
    .. [1] Djerrab, Garcia, Sangnier, d'Alché-Buc, "Output Fisher embedding regression",
       Machine Learning 107 (2018), sections 2.2, 5 and equations (13) and (14).
    .. [2] Tobin, "Estimation of relationships for limited dependent variables", Econometrica 26
       (1958).

    Examples
    --------
    >>> from sklearn.datasets import load_linnerud
    >>> from ofer import GaussianMixtureEmbedding, KernelRidgeCV, OutputFisherRegressor
    >>> X, Y = load_linnerud(return_X_y=True)
    >>> model = OutputFisherRegressor(
    ...     GaussianMixtureEmbedding(n_components=2, random_state=0),
    ...     KernelRidgeCV(kernel="rbf", gamma=1e-4),
    ... ).fit(X, Y)
    >>> model.predict(X[:2]).shape
    (2, 3)
    >>> model.predict_membership(X[:2]).sum(axis=1)
    array([1., 1.])
    """

    _parameter_constraints: ClassVar = {
        "embedding": [HasMethods(["fit", "transform", "inverse_transform"]), None],
        "regressor": [HasMethods(["fit", "predict"]), None],
        "block_wise": ["boolean", StrOptions({"auto"})],
    }

    _default_parts: ClassVar = {
        "embedding": GaussianMixtureEmbedding,
        "regressor": partial(scaled_ridge, "mean"),  # few labelled samples would choose badly
    }
    _input_part = "regressor"
    _loo_embedding: NDArray | None  # what loo_predict_embedding returns
    weak_weight_: float | None
    assignments_: NDArray | None

    def __init__(
        self,
        embedding: BaseEstimator | None = None,
        regressor: BaseEstimator | None = None,
        *,
        block_wise: bool | str = "auto",
    ):
        self.embedding = embedding
        self.regressor = regressor
        self.block_wise = block_wise

    @naming_new_words
    @fit_context(prefer_skip_nested_validation=False)
    def fit(
        self,
        X: MatrixLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        *,
        groups: ArrayLike | None = None,
        states: ArrayLike | None = None,
        weak: Memberships | Candidates | Bounds | None = None,
    ) -> Self:
        r"""Fit the output model and the regressors.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Inputs; with a precomputed kernel the matrix (n_samples, n_samples).
        y : array-like of shape (n_samples,), (n_samples, d) or (n_samples, T, p)
            Outputs; series of T steps need an embedding of series. Names of a frame's columns go
            to the embedding. Entries of vectors may be missing (NaN), but not all of a row, if
            embedding (its tag `allow_nan`) and regressor take them; see the notes.
        sample_weight : float or array-like of shape (n_samples,), default=None
            Weights, not negative, of labelled samples, for an embedding and a regressor that take
            them. Integers are repetitions, and leave-one-out leaves out all of them; zero is an
            absent sample. In a pipeline the last step and all transformers that take weights have
            them; others see the samples of positive weight alike, and integers are no repetitions.
        groups : array-like of shape (n_samples,), default=None
            Labels of groups of samples. Leave-one-out leaves out a whole group. The regressor must
            take groups, as `KernelRidgeCV` does, and there must be no weak samples. The embedding
            sees all samples.
        states : array-like of shape (n_samples, T, n_states), default=None
            Paths of the states of output series, where they are observed and the embedding has
            states; None leaves them to the embedding, which smooths.
        weak : Memberships, Candidates or Bounds, default=None
            Weak samples: inputs, and what is known of their outputs. Memberships need an embedding
            that has them, and `block_wise` that is not False.

        Returns
        -------
        self : OutputFisherRegressor
        """
        # Absent samples, of weight zero, become copies of a present one, also in columns of a
        # kernel; what is predicted for them is put in its place last.
        as_given = X, weak
        check_kind(weak, Memberships, Candidates, Bounds)
        pairwise = get_tags(self).input_tags.pairwise
        weights, X, y, groups, states = cover_absent(
            sample_weight, X, y, groups, states, pairwise=pairwise
        )
        places = stand_ins(weights)
        if weak is not None and pairwise and places is not None:
            n_columns = np.shape(weak.X)[1]  # the labelled samples come first
            seen = np.append(places, np.arange(len(places), n_columns))
            weak = replace(weak, X=take_columns(weak.X, seen))
        frame, y = y, self._validate(X, y)
        self._check_support(states, weights, weak)
        takes_groups = "groups" in as_block_regressor(part_of(self, "regressor")).abilities
        if groups is not None and (weak is not None or not takes_groups):
            name = type(part_of(self, "regressor")).__name__
            raise ValueError(
                "groups must be None with weak samples, and with a regressor that has not the "
                f"ability 'groups'; got {name}, with{'out' * (weak is None)} weak samples."
            )
        if isinstance(weak, Candidates):
            outputs = check_candidate_outputs(y, weak)
            infer = partial(self._assign, outputs, spreads_of(y, weights))
        if isinstance(weak, Bounds):
            bounds = check_bounds(y, weak, columns_of(frame))
            infer = partial(self._expect_within, bounds, y, weights)
        Y = as_embedded(y, frame)
        self._fit_embedding(Y, states, weights)
        H = self._embed(Y) if states is None else self._embed(Y, states)
        samples = Labelled(X, y, H, weights)
        self._n_labelled, self._n_weak, self.n_iter_ = len(y), 0, 1
        self.weak_weight_ = self.assignments_ = None

        regressor = as_block_regressor(clone(part_of(self, "regressor")))  # its clones warn once
        if weak is None:
            fit = self._fit_labelled(regressor, samples, groups)
        else:
            X, everything = self._stack(X, weak.X)
            samples, self._n_weak = samples._replace(X=X), everything.shape[0] - len(y)
            self.n_features_in_ += self._n_weak if pairwise else 0
            self.weak_weight_ = weight_of(weak)
            if isinstance(weak, Memberships):
                encoded = encode_memberships(self._model, weak)
                by_loo = weak.weight == "auto" and self._can_judge()
                fit = self._fit_memberships(regressor, samples, everything, encoded, by_loo)
            else:
                fit = self._fit_inferred(regressor, samples, everything, infer)
        self._keep(fit)
        if places is not None and self._loo_embedding is not None:
            self._loo_embedding = self._loo_embedding.copy()
            self._loo_embedding[weights == 0] = self._embed_absent(*as_given, places)
        return self

    def _embed_absent(self, X, weak, places):
        """Predicted embeddings of absent samples, in the place of leave-one-out ones.

        They are NaN if there is no prediction, since inputs of absent samples may be anything.
        """
        absent = np.flatnonzero(places != np.arange(len(places)))
        X = take(X, absent)
        if get_tags(self).input_tags.pairwise:
            X = take_columns(X, places)
            if self._n_weak:
                X = np.hstack([X, np.asarray(weak.X)[:, absent].T])
        try:
            return self.predict_embedding(X)
        except ValueError:
            return np.nan

    def _fit_labelled(self, regressor, samples, groups):
        """Fit to labelled samples, with blocks or one regressor for all, whichever is better."""
        X, _, H, weights = samples
        layouts = [self._model.blocks_, {"all": slice(0, H.shape[1])}]
        if self.block_wise != "auto" or len(layouts[0]) == 1 or not self._can_judge():
            layouts = layouts[:1] if self.block_wise else layouts[1:]
        targets = {name: H[:, cut] for blocks in layouts for name, cut in blocks.items()}
        # All blocks share what depends on the inputs alone, such as the decomposition of a kernel.
        fitted = regressor.fit_blocks(X, targets, **given(weights, groups))
        fits = [
            self._as_fit(blocks, X, H, ({name: fitted[name] for name in blocks}, weights))
            for blocks in layouts
        ]
        return fits[self._best(fits, samples)]

    def _fit_memberships(self, regressor, samples, everything, encoded, by_loo):
        """Fit by equation (14): weak samples join the block of memberships."""
        weak_weights = WEAK_WEIGHTS if by_loo else (self.weak_weight_,)
        X, _, H, weights = samples
        blocks = self._model.blocks_
        targets = {name: H[:, cut] for name, cut in blocks.items()}
        labels = {"membership": np.vstack([targets.pop("membership"), encoded])}
        others, fits = regressor.fit_blocks(X, targets, **given(weights)), []
        for weight in weak_weights:
            of_all = stack_weights(weights, len(H), len(encoded), weight)
            fitted = regressor.fit_blocks(everything, labels, **given(of_all))
            calls = (fitted, of_all), (others, weights)
            fits.append(self._as_fit(blocks, everything[: len(H)], H, *calls))
        # With few labelled samples a weight may seem better than 0 by chance.
        best = self._best(fits, samples, n_standard_errors=1.0)
        self.weak_weight_ = weak_weights[best]
        return fits[best]

    def _fit_inferred(self, regressor, samples, everything, infer):
        """Fit to labelled samples, infer the weak ones' outputs from that fit, and fit to all."""
        X, _, H, weights = samples
        alone = self._fit_labelled(regressor, samples, None)
        X_weak = everything[len(H) :, : X.shape[1]]
        outputs = infer(alone, self._decode(self._predict_by(alone.parts, alone.blocks, X_weak)))
        with warnings.catch_warnings():  # these outputs have no names of columns
            warnings.filterwarnings("ignore", "X does not have valid feature names")
            H_all = np.vstack([H, self._embed(as_embedded(outputs, outputs))])
        of_all = stack_weights(weights, len(H), len(outputs), self.weak_weight_)
        targets = {name: H_all[:, cut] for name, cut in alone.blocks.items()}
        fitted = regressor.fit_blocks(everything, targets, **given(of_all))
        return self._as_fit(alone.blocks, everything[: len(H)], H, (fitted, of_all))

    def _assign(self, candidates, spreads, alone, predicted):
        """The nearest candidate of each weak sample, which `assignments_` names."""
        self.assignments_ = nearest_candidates(predicted, candidates, spreads)
        return candidates[np.arange(len(candidates)), self.assignments_]

    def _expect_within(self, bounds, y, weights, alone, predicted):
        """Expected outputs of weak samples, given their bounds and the fit to labelled samples."""
        low, high = bounds
        if alone.loo_embedding is None:
            return np.clip(predicted, low, high)
        missed = np.abs(y - self._decode_known(alone.loo_embedding))
        shares = np.where(np.isnan(missed), 0.0, 1.0)
        if weights is not None:
            shares *= weights.reshape(-1, *[1] * (y.ndim - 1))
        # The deviation is that of a Gaussian with this mean absolute one, which no far output sets.
        spread = np.sqrt(np.pi / 2) * (shares * np.nan_to_num(missed)).sum(axis=0)
        return expected_within(low, high, predicted, spread / shares.sum(axis=0))

    def _stack(self, X, X_weak):
        """Labelled inputs, and those of all samples."""
        pairwise = get_tags(self).input_tags.pairwise
        return stack_inputs(X, X_weak, vars(self).get("feature_names_in_"), pairwise)

    def _as_fit(self, blocks, X, H, *calls):
        """The fit that calls of `fit_blocks` have made; `X` and `H` are of labelled samples."""
        missed, errors = {}, {}
        for fitted, weights in calls:
            for name, regressor in fitted.items():
                missed[name] = as_block_regressor(regressor).loo_residuals_
                errors[name] = _mean_square(missed[name], weights)
        parts, loo = [fitted for fitted, _ in calls], None
        if all(r is not None for r in missed.values()):  # the labelled samples come first
            rows = [missed[name].reshape(len(missed[name]), -1)[: len(H)] for name in blocks]
            loo = H - np.hstack(rows)
            if np.isnan(loo).any():  # the fit has not seen it anyway
                loo = np.where(np.isnan(loo), self._predict_by(parts, blocks, X), loo)
        return Fit(blocks, parts, {name: errors[name] for name in blocks}, loo)

    def _best(self, fits, samples, n_standard_errors=0.0):
        """Place of the fit of the least leave-one-out error.

        The first, unless the best gains more than so many standard errors of their paired
        differences.
        """
        if len(fits) == 1:
            return 0
        shares = np.ones(len(samples.y)) if samples.weights is None else samples.weights
        errors = [self._loo_errors(fit.loo_embedding, samples) for fit in fits]
        best = int(np.argmin(np.array(errors) @ shares))
        gains = errors[0] - errors[best]
        gain = np.average(gains, weights=shares)
        spread = np.sqrt(np.average(np.square(gains - gain), weights=shares) / shares.sum())
        roundoff = 1e-9 * np.average(errors[0], weights=shares)
        return best if gain > n_standard_errors * spread + roundoff else 0

    def _keep(self, fit):
        """Set all that a fit has found."""
        self.blocks_, parts, self.loo_errors_, self._loo_embedding = fit
        self.block_wise_ = "all" not in self.blocks_
        self._together = [[*fitted] for fitted in parts]
        regressors = {name: one for fitted in parts for name, one in fitted.items()}
        self.regressor_ = {name: regressors[name] for name in self.blocks_}

    def _can_judge(self) -> bool:
        """Whether fits can be compared by leave-one-out, with weights of samples."""
        needed = {"leave_one_out", "sample_weight"}
        return needed <= as_block_regressor(part_of(self, "regressor")).abilities

    def _loo_errors(self, loo_embedding: NDArray, samples: Labelled) -> NDArray:
        """Mean squared errors (n_samples,) of decoded leave-one-out predictions.

        Each output is in units of its standard deviation.
        """
        missed = samples.y - self._decode_known(loo_embedding)
        squares = np.square(missed / spreads_of(samples.y, samples.weights))
        return np.nanmean(squares.reshape(len(missed), -1), axis=1)

    @available_if(_regressor_can("partial_fit"))
    @quiet
    @fit_context(prefer_skip_nested_validation=False)
    def partial_fit(
        self, X: MatrixLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Add a batch of samples; the output model is fitted to the first one, and then kept.

        Only for regressors with the ability "partial_fit", such as `NystroemRidgeCV`, whose memory
        does not grow with the number of samples. Pass an output model of all outputs in a
        `sklearn.frozen.FrozenEstimator`: `fit_in_batches` of `GaussianMixtureEmbedding` and
        `StateSpaceEmbedding` fits it to batches, too.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Inputs.
        y : array-like of shape (n_samples,), (n_samples, d) or (n_samples, T, p)
            Outputs.
        sample_weight : float or array-like of shape (n_samples,), default=None
            Weights, as in `fit`.

        Returns
        -------
        self : OutputFisherRegressor
        """
        first = "embedding_" not in vars(self)
        if not first and self._n_weak:
            raise ValueError(
                "partial_fit must not follow a fit with weak samples; fit all samples anew."
            )
        if all_absent(sample_weight, X):
            return self
        weights, X, y = cover_absent(sample_weight, X, y)
        Y = as_embedded(self._validate(X, y, reset=first), y)
        if first:
            self._check_support(None, weights, None)
            self._fit_embedding(Y, None, weights)
        H = self._embed(Y)
        if first:
            self.blocks_ = self._model.blocks_ if self.block_wise else {"all": slice(0, H.shape[1])}
            self.block_wise_ = bool(self.block_wise)
            self._n_labelled = self._n_weak = 0
            self._together, self.regressor_ = [[*self.blocks_]], {}
        targets = {name: H[:, columns] for name, columns in self.blocks_.items()}
        regressor = as_block_regressor(part_of(self, "regressor"))
        self.regressor_ = regressor.partial_fit_blocks(self.regressor_, X, targets, weights)
        self._n_labelled += len(H)
        return self._forget_leave_one_out()

    @available_if(_regressor_can("merge"))
    @quiet
    @fit_context(prefer_skip_nested_validation=False)
    def merge(self, other: "OutputFisherRegressor") -> Self:
        """Add the samples that another model has seen; see `NystroemRidgeCV.merge`.

        Parameters
        ----------
        other : OutputFisherRegressor
            Fitted by `partial_fit`, with the same fitted output model. Not changed.

        Returns
        -------
        self : OutputFisherRegressor
        """
        check_is_fitted(self)
        check_is_fitted(other)
        # Arrays are the same in memory and mapped from a file.
        digests = {joblib.hash(one.embedding_, coerce_mmap=True) for one in (self, other)}
        if len(digests) > 1:
            raise ValueError(
                "other must have the same embedding_; got another. Begin both models by "
                "without_samples() of one."
            )
        if self._n_weak or other._n_weak:
            raise ValueError(
                "other and this model must have seen no weak samples; fit all samples anew."
            )
        self.regressor_ = {
            name: copy(one).merge(other.regressor_[name]) for name, one in self.regressor_.items()
        }
        self._n_labelled += other._n_labelled
        return self._forget_leave_one_out()

    @available_if(_regressor_can("merge"))
    @quiet
    def without_samples(self) -> Self:
        """Copy with the same output model and centres whose regressors have seen no sample.

        Returns
        -------
        OutputFisherRegressor
            To be given samples by `partial_fit`, and merged with others that began like it.
        """
        check_is_fitted(self)
        twin = copy(self)
        twin.regressor_ = {name: one.without_samples() for name, one in self.regressor_.items()}
        twin._n_labelled = 0
        return twin._forget_leave_one_out()

    def _forget_leave_one_out(self) -> Self:
        """Remove leave-one-out predictions, after samples that were seen only once."""
        self.loo_errors_, self._loo_embedding = dict.fromkeys(self.blocks_), None
        return self

    def predict_embedding(self, X: MatrixLike) -> NDArray:
        """Predict the embedding of the output.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features)
            Inputs; with a precomputed kernel its values with the labelled training inputs, and
            the weak ones after them.

        Returns
        -------
        ndarray of shape (n_queries, p)
        """
        check_is_fitted(self)
        return self._predict_embedding(self._check_query(X))

    def _predict_embedding(self, X: MatrixLike) -> NDArray:
        """Predict the embedding for inputs that are checked."""
        return self._predict_by(self._parts, self.blocks_, X)

    def _predict_by(self, parts: Parts, blocks: dict[str, slice], X: MatrixLike) -> NDArray:
        """Predict the embedding by the regressors of some fit."""
        predicted: dict[str, NDArray] = {}
        for fitted in parts:
            predicted |= predict_blocks(fitted, self._columns(X, fitted, parts))
        return np.hstack([predicted[name] for name in blocks])

    def _columns(self, X: MatrixLike, fitted: dict[str, Any], parts: Parts) -> MatrixLike:
        """Queries as one of the parts takes them, with the kernel of what it has seen.

        Beside weak memberships, the other blocks have seen the labelled samples alone.
        """
        few = len(parts) > 1 and "membership" not in fitted
        if few and get_tags(self).input_tags.pairwise:
            return np.asarray(X)[:, : self._n_labelled]
        return X

    @property
    def _parts(self) -> Parts:
        """Regressors by block; those that have seen the same samples are together."""
        return [{name: self.regressor_[name] for name in names} for names in self._together]

    def predict(self, X: MatrixLike) -> NDArray:
        """Predict the output, as the pre-image of the predicted embedding.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features)
            Inputs, as in `predict_embedding`.

        Returns
        -------
        ndarray of shape (n_queries,), (n_queries, d) or (n_queries, T, p)
        """
        return self._decode(self.predict_embedding(X))

    def loo_predict(self) -> NDArray:
        """Leave-one-out predictions of the outputs of the labelled samples.

        Costs one decoding and no further fit: the leave-one-out embeddings are exact. The
        output model is the fitted one, which has seen all of them. Use it to choose among
        output models, such as numbers of components, in place of cross-validation. The regressors
        must have the ability "leave_one_out", as `KernelRidgeCV` has.

        Returns
        -------
        ndarray of shape (n_samples,), (n_samples, d) or (n_samples, T, p)
        """
        return self._decode_known(self.loo_predict_embedding())

    def _decode_known(self, H: NDArray) -> NDArray:
        """Decoded leave-one-out embeddings; NaN where they are not known."""
        known = ~np.isnan(H).any(axis=1)
        decoded = self._decode(H[known])
        if known.all():
            return decoded
        Y = np.full((len(H), *decoded.shape[1:]), np.nan)
        Y[known] = decoded
        return Y

    def loo_predict_embedding(self) -> NDArray:
        """Leave-one-out predictions of the embeddings of the labelled samples.

        Returns
        -------
        ndarray of shape (n_samples, p)
            What `loo_predict` decodes. Where an output is missing, or the weight of a sample is
            zero, nothing is left out: the regressions have not seen it anyway. NaN for samples of
            weight zero of which an input is NaN or infinite.
        """
        check_is_fitted(self)
        if self._loo_embedding is None:
            raise ValueError(
                "regressor must have leave-one-out residuals for loo_predict, as KernelRidgeCV "
                f"and pipelines that end in it; got {type(part_of(self, 'regressor')).__name__}."
            )
        return self._loo_embedding

    def predict_left_out(self, Y: NDArray) -> NDArray | None:
        check_is_fitted(self)
        if self._loo_embedding is None:
            return None
        predicted = self.loo_predict()
        return predicted.reshape(as_targets(Y, predicted.shape).shape)

    @available_if(lambda model: _output_model(model).has_membership)
    @quiet
    def predict_membership(self, X: MatrixLike) -> NDArray:
        """Predict the responsibilities of the mixture's components.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features)
            Inputs, as in `predict_embedding`.

        Returns
        -------
        ndarray of shape (n_queries, C)
            The predicted memberships, projected on the probability simplex.
        """
        H = self.predict_embedding(X)
        return self._model.decode_membership(H[:, self._model.blocks_["membership"]])

    @available_if(lambda model: _output_model(model).has_states)
    @quiet
    def predict_states(self, X: MatrixLike) -> NDArray:
        """Predict the path of the states that the output series follows.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features)
            Inputs, as in `predict_embedding`.

        Returns
        -------
        ndarray of shape (n_queries, T, n_states)
        """
        return self._model.decode_states(self.predict_embedding(X))

    def _validate(self, X: MatrixLike, y: ArrayLike, reset: bool = True) -> NDArray:
        """Check outputs, which may be series; the regressors check the inputs that they get."""
        validate_data(self, X, y, skip_check_array=True, reset=reset)
        check_even("X", X)
        y = check_outputs(y, as_output_model(part_of(self, "embedding")))
        check_consistent_length(X, y)
        if y.ndim > 3:
            raise ValueError(f"y must have one to three axes; got shape {y.shape}.")
        if reset:
            self._y_ndim = y.ndim
        return y

    def _check_support(self, states, weights, weak):
        """Raise ValueError unless embedding and regressor can take what they are given."""
        model, regressor = as_output_model(part_of(self, "embedding")), part_of(self, "regressor")
        embedding, taker = type(part_of(self, "embedding")).__name__, type(regressor).__name__
        weighted = "sample_weight" in as_block_regressor(regressor).abilities
        if states is not None and not model.has_states:
            raise ValueError(
                "states must be None unless the embedding has states, as StateSpaceEmbedding; "
                f"got {embedding}."
            )
        if not (weights is None or weighted):
            raise ValueError(f"sample_weight must be None for {taker}, which takes none.")
        if weak is not None and weight_of(weak) != 1 and not weighted:
            raise ValueError(
                f"weak.weight must be 1 for {taker}, which takes no sample_weight; "
                f"got {weak.weight!r}."
            )
        if not isinstance(weak, Memberships):
            return
        if not model.has_membership:
            raise ValueError(
                "Memberships need an embedding with a membership block, such as "
                f"GaussianMixtureEmbedding; got {embedding}."
            )
        if not self.block_wise:
            raise ValueError(
                "Memberships need block_wise=True or 'auto', because the blocks then have "
                "different samples; got block_wise=False. For one ridge parameter give the "
                "regressor a single alpha."
            )

    def _fit_embedding(self, Y, states, weights):
        """Fit the output model to outputs as it takes them."""
        self.embedding_ = fit_output_model(part_of(self, "embedding"), Y, states, weights)
        self._model = as_output_model(self.embedding_)

    def _embed(self, Y: ArrayLike, *states: ArrayLike) -> NDArray:
        """Embeddings (n_samples, p) of outputs as the output model takes them."""
        return np.asarray(self._model.transform(Y, *states))

    def _decode(self, H: NDArray) -> NDArray:
        """Pre-image of embeddings, in the shape of the training outputs."""
        Y = np.asarray(self._model.inverse_transform(H))
        return Y[:, 0] if self._y_ndim == 1 else Y

    def _check_query(self, X: MatrixLike) -> MatrixLike:
        """Validate inputs that weak samples have a part in; others are for the regressors."""
        if self._n_weak == 0:
            return look_at(self, X)
        check_even("X", X)
        if get_tags(self).input_tags.pairwise:
            X = check_array(X, input_name="X")
            n_columns = self._n_labelled + self._n_weak
            check_columns("X", X, n_columns, "labelled and weak training inputs")
            return X
        return validate_data(self, X, reset=False, accept_sparse=("csr", "csc"), dtype="numeric")


def smoother_of_blocks(
    model: OutputFisherRegressor,
    X: MatrixLike,
    weights: NDArray | None = None,
    weak: Memberships | None = None,
) -> Callable[[MatrixLike], dict[str, NDArray]]:
    """The `smoother` of all blocks of a model, by the samples that it was fitted to.

    Weak samples, which come after the labelled ones, have memberships.
    """
    smoothers = []
    for fitted in model._parts:
        inputs, of_all = X, weights
        if weak is not None and "membership" in fitted:
            labelled, inputs = model._stack(X, weak.X)
            n, n_weak = labelled.shape[0], inputs.shape[0] - labelled.shape[0]
            of_all = stack_weights(weights, n, n_weak, model.weak_weight_)
        view = as_block_regressor(next(iter(fitted.values())))
        smoothers.append((fitted, view.smoother(inputs, fitted, of_all)))
    return partial(_smooth, model, smoothers)


def _smooth(model, smoothers, queries):
    """Weights of the training targets in predictions of the queries, by block."""
    by_block: dict[str, NDArray] = {}
    for fitted, smoother in smoothers:
        by_block |= smoother(model._columns(queries, fitted, model._parts))
    return by_block


def _mean_square(residuals: NDArray | None, weights: NDArray | None) -> float | None:
    """Mean square, over targets and samples with weights; NaN has no part. None for None."""
    if residuals is None:
        return None
    squares = np.square(residuals.reshape(len(residuals), -1))
    shares = np.ones(len(squares)) if weights is None else weights[: len(squares)]
    seen = shares[:, None] * ~np.isnan(squares)
    return float(np.mean((seen * np.nan_to_num(squares)).sum(axis=0) / seen.sum(axis=0)))
