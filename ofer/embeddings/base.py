"""Output models: the contract of embeddings of outputs."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.frozen import FrozenEstimator
from sklearn.pipeline import Pipeline
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from ofer.utils.entries import check_numbers, check_unmasked
from ofer.utils.estimators import WarnsOnce
from ofer.utils.pipelines import Transformers, given, takes_weights
from ofer.utils.products import quiet
from ofer.utils.sklearn_private import check_feature_names_in, get_feature_names
from ofer.utils.validation import as_numbers, check_columns, check_range, check_rows


@quiet
class OutputModel(WarnsOnce, TransformerMixin, BaseEstimator, ABC):
    r"""Base class of output models: they embed outputs and decode embeddings [1]_.

    Subclasses define `fit`, `transform` and `inverse_transform`. Those with memberships or hidden
    states also inherit `HasMembership` or `HasStates`, before this class.

    Attributes
    ----------
    blocks_ : dict of slice
        Columns of the embedding's blocks by name, in order and without gaps; set by `fit`. Each
        block has a regressor of its own in `ofer.OutputFisherRegressor`.
    n_features_in_ : int
        Number of columns of the outputs; set by `fit`, as by scikit-learn's `validate_data`.
    has_membership, has_states : bool
        Whether the model has memberships, or states.

    See Also
    --------
    ofer.GaussianMixtureEmbedding : An output model with memberships.
    ofer.StateSpaceEmbedding : An output model with states.

    Notes
    -----
    Any other transformer with an inverse is an embedding, too: it has the one block "all".

    References
    ----------
    .. [1] Djerrab, Garcia, Sangnier, d'Alché-Buc, "Output Fisher embedding regression",
       Machine Learning 107 (2018), section 2.

    Examples
    --------
    >>> from ofer import GaussianMixtureEmbedding, OutputModel
    >>> model = GaussianMixtureEmbedding(2, random_state=0).fit([[0.0], [1.0], [5.0], [6.0]])
    >>> isinstance(model, OutputModel), model.blocks_
    (True, {'membership': slice(0, 2, None), 'mean': slice(2, 3, None)})
    """

    has_membership = False
    has_states = False

    @abstractmethod
    def fit(self, Y: ArrayLike, y: object = None) -> Self:
        """Fit the model to outputs, and set `blocks_`.

        Parameters
        ----------
        Y : array-like of shape (n_samples, d) or (n_samples, T, p)
            Outputs.
        y : None
            Ignored; here for scikit-learn's pipelines.

        Returns
        -------
        self : OutputModel
        """

    @abstractmethod
    def transform(self, Y: ArrayLike) -> NDArray:
        """Embed outputs.

        Parameters
        ----------
        Y : array-like of shape (n_samples, d) or (n_samples, T, p)
            Outputs.

        Returns
        -------
        ndarray of shape (n_samples, p)
            Their embedding, block after block.
        """

    @abstractmethod
    def inverse_transform(self, H: ArrayLike) -> NDArray:
        """Decode embeddings.

        Parameters
        ----------
        H : array-like of shape (n_samples, p)
            Embeddings, predicted ones as a rule: any finite rows.

        Returns
        -------
        ndarray of shape (n_samples, d) or (n_samples, T, p)
            Outputs. Embeddings of outputs are decoded to these.
        """

    def get_feature_names_out(self, input_features: ArrayLike | None = None) -> NDArray:
        """Names of the columns of the embedding.

        Parameters
        ----------
        input_features : array-like of str, default=None
            Names of the outputs' columns; None takes those seen in `fit`, or y0, y1, ...

        Returns
        -------
        ndarray of str
            The block's name, and which of its columns it is: "membership0", "mean_y1".
        """
        check_is_fitted(self)
        names = check_feature_names_in(self, input_features, generate_names=False)
        if names is None:
            names = [f"y{i}" for i in range(self.n_features_in_)]
        blocks = self.blocks_.items()
        columns = [block + label for block, s in blocks for label in self._labels(block, s, names)]
        return np.array(columns, dtype=object)

    def _labels(self, block: str, columns: slice, outputs: Sequence[str]) -> Iterable[str]:
        """Ends of the names of a block's columns, after the block's own: numbers, or more."""
        return map(str, range(columns.stop - columns.start))

    def _set_blocks(self, **widths: int) -> None:
        """Set `blocks_` to blocks of these widths, one after the other."""
        ends = np.cumsum(list(widths.values())).tolist()
        pairs = zip(widths.items(), ends, strict=True)
        self.blocks_ = {name: slice(end - width, end) for (name, width), end in pairs}

    def _check_outputs(self, Y: ArrayLike, *, reset: bool = False, **options: Any) -> NDArray:
        """Outputs (n, d), float64, with NaN where missing if the model's tags allow it."""
        if not reset:
            check_is_fitted(self)
        finite = "allow-nan" if get_tags(self).input_tags.allow_nan else True
        options = {"ensure_all_finite": finite} | options
        if options["ensure_all_finite"] is True:
            check_unmasked("Y", Y)
        check_numbers("Y", Y)
        return check_rows(self, "Y", Y, reset=reset, **options)

    def check_embeddings(self, H: ArrayLike) -> NDArray:
        """Check the argument of `inverse_transform`.

        Parameters
        ----------
        H : array-like of shape (n_samples, p)
            Embeddings: finite, and with the columns of all blocks; those of a frame that have the
            names of `get_feature_names_out` must have their order.

        Returns
        -------
        ndarray of shape (n_samples, p), float64
        """
        check_is_fitted(self)
        names = get_feature_names(H)
        expected = [] if names is None else self.get_feature_names_out().tolist()
        if names is not None and names.tolist() != expected and {*names} == {*expected}:
            raise ValueError(f"H must have its columns in the order {expected}; got {[*names]}.")
        rows = as_numbers("H", H)
        width = max(columns.stop for columns in self.blocks_.values())
        check_columns("H", rows, width, "blocks " + ", ".join(self.blocks_))
        check_range("H", rows)
        return rows


class HasMembership(ABC):
    """Interface of output models with components, in which each output has responsibilities.

    Its block "membership" can be learned from weak samples, of which only the responsibilities
    are known.

    Attributes
    ----------
    n_components_ : int
        Number C of components; set by `fit`.
    """

    has_membership = True

    @abstractmethod
    def posterior(self, Y: ArrayLike) -> NDArray:
        """Responsibilities of the components for outputs.

        Parameters
        ----------
        Y : array-like of shape (n_samples, d)
            Outputs.

        Returns
        -------
        ndarray of shape (n_samples, C)
            Rows of the probability simplex.
        """

    @abstractmethod
    def encode_membership(self, responsibilities: NDArray) -> NDArray:
        """Membership block of outputs, from their responsibilities alone.

        Parameters
        ----------
        responsibilities : ndarray of shape (n_samples, C)
            Rows of the probability simplex.

        Returns
        -------
        ndarray of shape (n_samples, width of the block)
        """

    @abstractmethod
    def decode_membership(self, block: NDArray) -> NDArray:
        """Responsibilities that are nearest to a predicted membership block.

        Parameters
        ----------
        block : ndarray of shape (n_samples, width of the block)
            Any finite rows.

        Returns
        -------
        ndarray of shape (n_samples, C)
            Rows of the probability simplex.
        """


class HasStates(ABC):
    """Interface of output models with hidden states, which `fit` and `transform` accept if known.

    Both have a second argument `states`: an array of shape (n_samples, T, n_states), or None.
    """

    has_states = True

    @abstractmethod
    def decode_states(self, H: ArrayLike) -> NDArray:
        """Decode embeddings to the paths of the states.

        Parameters
        ----------
        H : array-like of shape (n_samples, p)
            Embeddings, predicted ones as a rule.

        Returns
        -------
        ndarray of shape (n_samples, T, n_states)
        """


class _Transformer(OutputModel):
    """Any transformer with an inverse, as an output model of one block."""

    def __init__(self, transformer: BaseEstimator):
        self.transformer = transformer

    def fit(self, Y: ArrayLike, y: object = None) -> Self:
        self.transformer.fit(Y, y)
        return self

    def transform(self, Y: ArrayLike) -> NDArray:
        H = np.asarray(self.transformer.transform(Y))
        self.n_features_in_ = np.shape(Y)[-1]
        self.blocks_ = {"all": slice(0, H.shape[1])}
        return H

    def inverse_transform(self, H: ArrayLike) -> NDArray:
        return np.asarray(self.transformer.inverse_transform(H))

    def __sklearn_tags__(self):
        return get_tags(self.transformer)


class _Piped(HasMembership, HasStates, OutputModel, auto_wrap_output_keys=None):  # type: ignore[call-arg]
    """A pipeline that ends in an output model, which sees what the steps before make of outputs."""

    blocks_ = property(attrgetter("last.blocks_"))
    n_components_ = property(attrgetter("last.n_components_"))

    def __init__(self, pipeline: Pipeline):
        self.pipeline, self.before = pipeline, Transformers(pipeline)
        self.last: Any = as_output_model(self.before.last)
        self.has_membership, self.has_states = self.last.has_membership, self.last.has_states

    def __sklearn_tags__(self):
        tags = get_tags(self.pipeline)
        tags.input_tags.allow_nan = all(get_tags(one).input_tags.allow_nan for one in self.pipeline)
        return tags

    def fit(self, Y: ArrayLike, y: object = None) -> Self:
        self.pipeline.fit(Y, y)
        return self

    def transform(self, Y: ArrayLike, *states: ArrayLike) -> NDArray:
        return np.asarray(self.last.transform(self.before.transform(Y), *states))

    def inverse_transform(self, H: ArrayLike) -> NDArray:
        return np.asarray(self.before.inverse_transform(self.last.inverse_transform(H)))

    def posterior(self, Y: ArrayLike) -> NDArray:
        return self.last.posterior(self.before.transform(Y))

    def encode_membership(self, responsibilities: NDArray) -> NDArray:
        return self.last.encode_membership(responsibilities)

    def decode_membership(self, block: NDArray) -> NDArray:
        return self.last.decode_membership(block)

    def decode_states(self, H: ArrayLike) -> NDArray:
        return self.last.decode_states(H)


def as_output_model(embedding: BaseEstimator) -> OutputModel:
    """The contract's view of an embedding: an output model, a frozen one or any transformer.

    The one place that asks what an embedding is. A pipeline that ends in an output model has its
    blocks, memberships and states. A transformer has the one block "all", known once `transform`
    was called.
    """
    model = embedding.estimator if isinstance(embedding, FrozenEstimator) else embedding
    if isinstance(model, OutputModel):
        return model
    piped = isinstance(model, Pipeline)
    if piped and not isinstance(as_output_model(model.steps[-1][1]), _Transformer):
        return _Piped(model)
    return _Transformer(embedding)


def as_embedded(Y: NDArray, given: ArrayLike) -> ArrayLike:
    """Checked outputs as an embedding takes them: those given, if their columns have names."""
    if get_feature_names(given) is not None:
        return given
    return Y if Y.ndim == 3 else Y.reshape(len(Y), -1)


def fit_output_model(embedding, Y, states=None, sample_weight=None):
    """Fit a clone of an embedding to outputs; a frozen one, which is fitted, takes any weights."""
    before = Transformers(embedding)
    last = clone(before.last)
    weights = None if isinstance(last, FrozenEstimator) else sample_weight
    if weights is not None and not takes_weights(last):
        raise ValueError(
            f"sample_weight must be None for {type(last).__name__}, whose fit takes none. Fit it "
            "before, and freeze it (sklearn.frozen.FrozenEstimator)."
        )
    try:
        before, outputs = before.fit(Y, None, sample_weight)
        return before.ending_in(last.fit(outputs, states, **given(weights)))
    except ValueError as error:  # which calls the outputs as `fit` of the embedding does
        raise ValueError(
            f"embedding must accept the outputs y; {type(embedding).__name__} says: {error}"
        ) from error
