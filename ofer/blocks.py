"""Block regressors: one regression for each block of targets, with what the blocks share."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from copy import deepcopy
from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, clone
from sklearn.pipeline import Pipeline

from ofer.utils.absent import indexable
from ofer.utils.pipelines import Transformers, given, takes_weights
from ofer.utils.products import quiet
from ofer.utils.sklearn_private import HasMethods
from ofer.utils.typing import MatrixLike
from ofer.utils.validation import as_targets

__all__ = ["BlockRegressor", "LeaveOneOut", "as_block_regressor", "left_out", "predict_blocks"]

Ability = Literal["sample_weight", "groups", "leave_one_out", "partial_fit", "merge"]
Blocks = Mapping[str, ArrayLike]


class LeaveOneOut(ABC):
    """Interface of fitted regressors that can predict their training targets by leave-one-out."""

    @abstractmethod
    def predict_left_out(self, Y: NDArray) -> NDArray | None:
        """Predict the training targets, each by a fit without its sample.

        Parameters
        ----------
        Y : ndarray of shape (n_samples, ...)
            The training targets.

        Returns
        -------
        ndarray of the shape of Y, or None
            None where this would take other fits.

        Raises
        ------
        ValueError
            If Y has not the shape of the training targets.
        """


@quiet
class BlockRegressor(LeaveOneOut):
    r"""Regressor of several blocks of targets, which share the computations on the inputs.

    Subclasses define `fit_blocks` and `predict_blocks`, beside the `fit` and `predict` of
    scikit-learn. If you override `fit` or `predict`, override its twin for blocks too, because that
    one is called. `abilities` declares further methods, which the classes named below document.

    Attributes
    ----------
    abilities : frozenset of str
        "sample_weight", "groups": `fit_blocks` takes weights, or labels of groups that leave
        together. "leave_one_out": after a fit there are `loo_residuals_` and the method `smoother`
        of `ofer.KernelRidgeCV`. "partial_fit": there is
        `partial_fit_blocks`, "merge": fitted regressors have `merge` and `without_samples`, all as
        those of `ofer.NystroemRidgeCV`.
    loo_residuals_ : ndarray of shape (n_samples,) or (n_samples, n_targets), or None
        Training targets minus the predictions of fits without the sample; None if not known.

    See Also
    --------
    ofer.KernelRidgeCV : Has weights and leave-one-out.
    ofer.NystroemRidgeCV : Has weights, leave-one-out after `fit`, and partial fits.
    ofer.blocks.as_block_regressor : Makes one of any regressor.

    Notes
    -----
    `ofer.OutputFisherRegressor` fits the blocks of its embedding [1]_ through this contract, and
    `ofer.JackknifePlus` asks it for a `smoother`: with the weights :math:`w_i(x)` of the training
    targets in a prediction, the fit without sample i predicts
    :math:`f_{-i}(x) = f(x) - w_i(x) (y_i - f_{-i}(x_i))`.

    References
    ----------
    .. [1] Djerrab, Garcia, Sangnier, d'Alché-Buc, "Output Fisher embedding regression",
       Machine Learning 107 (2018), equations (13) and (14): the objective separates by blocks.

    Examples
    --------
    >>> from ofer import BlockRegressor, KernelRidgeCV
    >>> model = KernelRidgeCV()
    >>> isinstance(model, BlockRegressor), sorted(model.abilities)
    (True, ['groups', 'leave_one_out', 'sample_weight'])
    """

    abilities: frozenset[Ability] = frozenset()
    loo_residuals_: NDArray | None = None
    smoother: Callable[..., Callable[[MatrixLike], dict[str, NDArray]]]  # with "leave_one_out"
    partial_fit_blocks: Callable[..., dict[str, Any]]  # with "partial_fit"

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        for single, many in (("fit", "fit_blocks"), ("predict", "predict_blocks")):
            first = next(base for base in cls.__mro__ if {single, many} & vars(base).keys())
            if many not in vars(first):
                raise TypeError(f"{cls.__name__} must override {many} if it overrides {single}.")

    @abstractmethod
    def fit_blocks(
        self, X: MatrixLike, blocks: Blocks, sample_weight: ArrayLike | None = None
    ) -> dict[str, Any]:
        """Fit one regressor for each block of targets; all share computations on the inputs.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Training inputs, as in `fit`.
        blocks : dict of array-like of shape (n_samples,) or (n_samples, n_targets)
            Training targets by the name of their block.
        sample_weight : float or array-like of shape (n_samples,), default=None
            Weights, as in `fit`, with the ability "sample_weight".

        Returns
        -------
        dict of regressor
            By block, what ``clone(self).fit(X, block, sample_weight)`` would be, but for what is
            drawn at random, such as centres, which the blocks share.
        """

    @abstractmethod
    def predict_blocks(self, X: MatrixLike, fitted: Mapping[str, Any]) -> dict[str, NDArray]:
        """Predict the targets of several blocks.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features)
            Inputs, as in `predict`.
        fitted : dict of regressor
            What `fit_blocks` returned, or some of it, this regressor among them.

        Returns
        -------
        dict of ndarray of shape (n_queries,) or (n_queries, ...)
            By block, what the `predict` of its regressor returns.

        Raises
        ------
        ValueError
            If the regressors differ in what they share, such as training inputs or centres.
        """

    def predict_left_out(self, Y: NDArray) -> NDArray | None:
        if self.loo_residuals_ is None:
            return None
        Y = as_targets(Y, self.loo_residuals_.shape)
        return Y - self.loo_residuals_.reshape(Y.shape)


class _Clones(BlockRegressor):
    """Any regressor: a clone for each block, of which only the public methods are called."""

    def __init__(self, regressor: BaseEstimator):
        self.regressor = regressor
        offered: dict[Ability, bool] = {
            "sample_weight": takes_weights(regressor),
            "partial_fit": HasMethods(["partial_fit"]).is_satisfied_by(regressor),
        }
        self.abilities = frozenset(ability for ability, there in offered.items() if there)

    def fit_blocks(self, X, blocks, sample_weight=None):
        options = given(sample_weight)
        return {
            name: clone(self.regressor).fit(X, _flat(block), **options)
            for name, block in blocks.items()
        }

    def partial_fit_blocks(self, fitted, X, blocks, sample_weight=None):
        # An interrupted call must leave its arguments as they are, so these are copied.
        fitted = deepcopy(fitted) if fitted else {name: clone(self.regressor) for name in blocks}
        for name, block in blocks.items():
            fitted[name].partial_fit(X, _flat(block), **given(sample_weight))
        return fitted

    def predict_blocks(self, X: MatrixLike, fitted: Mapping[str, Any]) -> dict[str, NDArray]:
        X = indexable(X)
        return {name: np.asarray(one.predict(X)) for name, one in fitted.items()}


class _Piped(BlockRegressor):
    """A pipeline: its transformers are fitted once for all blocks.

    They see the targets of all blocks, side by side. Leave-one-out is exact given the fitted
    transformers, which have seen all samples.
    """

    def __init__(self, pipeline: Pipeline):
        self.before = Transformers(pipeline)
        self.last = as_block_regressor(self.before.last)
        self.loo_residuals_ = self.last.loo_residuals_
        self.abilities = self.last.abilities - {"partial_fit", "merge"}

    def fit_blocks(self, X, blocks, sample_weight=None, groups=None):
        before, X = self.before.fit(X, _flat(stack_blocks(blocks)), sample_weight)
        fitted = self.last.fit_blocks(X, blocks, **given(sample_weight, groups))
        return {name: before.ending_in(one) for name, one in fitted.items()}

    def predict_blocks(self, X: MatrixLike, fitted: Mapping[str, Any]) -> dict[str, NDArray]:
        return self.last.predict_blocks(self.before.transform(X), _ends(fitted))

    def smoother(self, X, fitted, sample_weight=None):
        weights = self.last.smoother(self.before.transform(X), _ends(fitted), sample_weight)
        return partial(self._smooth, weights)

    def predict_left_out(self, Y: NDArray) -> NDArray | None:
        return left_out(self.before.last, Y)

    def _smooth(self, weights: Callable, queries: MatrixLike) -> dict[str, NDArray]:
        return weights(self.before.transform(queries))


@quiet
def as_block_regressor(regressor: BaseEstimator) -> BlockRegressor:
    """View any regressor, fitted or not, as a `BlockRegressor`.

    The one place that decides how blocks are fitted.

    Parameters
    ----------
    regressor : regressor
        A `BlockRegressor`; a pipeline, whose transformers are fitted once; or any regressor, of
        which a clone is fitted for each block.

    Returns
    -------
    BlockRegressor
        The regressor itself in the first case. The regressors in what its `fit_blocks` returns are
        of the kind that was given.

    Examples
    --------
    >>> from sklearn.linear_model import Ridge
    >>> from ofer.blocks import as_block_regressor
    >>> blocks = as_block_regressor(Ridge(1e-9)).fit_blocks([[0.0], [1.0]], {"a": [1.0, 2.0]})
    >>> blocks["a"].predict([[2.0]]).round(6)
    array([3.])
    """
    if isinstance(regressor, BlockRegressor):
        return regressor
    return (_Piped if isinstance(regressor, Pipeline) else _Clones)(regressor)


def fit_weighted(
    estimator: BaseEstimator,
    X: MatrixLike,
    y: ArrayLike,
    sample_weight: ArrayLike | None = None,
    **options: Any,
) -> BaseEstimator:
    """Fit a clone of an estimator, in which weights reach all steps of a pipeline.

    Of a pipeline the last step takes weights and `options`; `Transformers` says what others do.
    Raises ValueError if weights are given, and the estimator takes none.
    """
    abilities = as_block_regressor(estimator).abilities
    if not (sample_weight is None or "sample_weight" in abilities):
        raise ValueError(
            f"sample_weight must be None for {type(estimator).__name__}, which takes none."
        )
    if not isinstance(estimator, Pipeline) or (sample_weight is None and not options):
        return clone(estimator).fit(X, y, **given(sample_weight), **options)
    before, X = Transformers(estimator).fit(X, y, sample_weight)
    return before.ending_in(fit_weighted(before.last, X, y, sample_weight, **options))


@quiet
def predict_blocks(fitted: Mapping[str, Any], X: MatrixLike) -> dict[str, NDArray]:
    """Predict by what `fit_blocks` of one regressor returned.

    Parameters
    ----------
    fitted : dict of regressor
        By block.
    X : {array-like, sparse matrix} of shape (n_queries, n_features)
        Inputs.

    Returns
    -------
    dict of ndarray of shape (n_queries, n_targets)
        By block.
    """
    first = as_block_regressor(next(iter(fitted.values())))
    predicted = first.predict_blocks(X, fitted)
    return {name: H.reshape(len(H), -1) for name, H in predicted.items()}


@quiet
def left_out(regressor: BaseEstimator, Y: NDArray) -> NDArray | None:
    """Leave-one-out predictions of a fitted regressor.

    Parameters
    ----------
    regressor : regressor
        A `LeaveOneOut`, or what `as_block_regressor` takes.
    Y : ndarray of shape (n_samples, ...)
        Its training targets.

    Returns
    -------
    ndarray of the shape of Y, or None
        None for a regressor without leave-one-out.
    """
    if not isinstance(regressor, LeaveOneOut):
        regressor = as_block_regressor(regressor)
    return regressor.predict_left_out(Y)


def stack_blocks(blocks: Blocks) -> NDArray:
    """Targets of all blocks, side by side."""
    return np.column_stack([np.asarray(block) for block in blocks.values()])


def _ends(fitted: Mapping[str, Pipeline]) -> dict[str, Any]:
    return {name: pipeline[-1] for name, pipeline in fitted.items()}


def _flat(block: ArrayLike) -> NDArray:
    """Targets of a block: those of one column as scikit-learn likes them, (n_samples,)."""
    block = np.asarray(block)
    return block[:, 0] if block.ndim > 1 and block.shape[1] == 1 else block
