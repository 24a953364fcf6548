"""The output step of OFER, and its fit to block after block of samples."""

from copy import copy
from typing import Any, Self

import joblib
import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from ofer._regressors import check_support, partial_fit_blocks
from ofer.embeddings.base import as_output_model, fit_output_model
from ofer.utils.sklearn_private import fit_context, get_feature_names
from ofer.utils.typing import MatrixLike
from ofer.utils.validation import check_weights

__all__ = ["EmbedsOutputs"]


def _regressor_can(method):
    def check(model):
        if getattr(type(model.part("regressor")), method, None) is None:
            raise AttributeError(
                f"regressor must have {method}, as NystroemRidgeCV has; "
                f"got {type(model.part('regressor')).__name__}."
            )
        return True

    return available_if(check)


class EmbedsOutputs(BaseEstimator):
    """A regressor of embedded outputs, with the parts `embedding` and `regressor`."""

    regressor_: dict[str, Any]

    @_regressor_can("partial_fit")
    @fit_context(prefer_skip_nested_validation=False)
    def partial_fit(
        self, X: MatrixLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Add a block of samples; the output model is fitted to the first one, and then kept.

        There for regressors with `partial_fit`, such as `NystroemRidgeCV`, of which nothing grows
        with the number of samples. An output model of all outputs comes in a
        `sklearn.frozen.FrozenEstimator`: `fit_in_blocks` of `GaussianMixtureEmbedding` and
        `StateSpaceEmbedding` fits it to blocks, too.

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
        Y, weights = self._validate(X, y, reset=first), check_weights(sample_weight, X)
        if first:
            check_support(self, self.part("embedding"), None, weights, None)
            self._fit_embedding(Y, y, None, weights)
            self._n_labelled = self._n_weak = 0
            self._alike = True
        targets = self._by_block(self._model.transform(self._as_embedded(Y, y)))
        fitted = {} if first else self.regressor_
        self.regressor_ = partial_fit_blocks(self.part("regressor"), fitted, X, targets, weights)
        self._n_labelled += len(Y)
        self.loo_errors_, self._loo_embedding = dict.fromkeys(targets), None
        return self

    @_regressor_can("merge")
    def merge(self, other: "EmbedsOutputs") -> Self:
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
        if joblib.hash(self.embedding_) != joblib.hash(other.embedding_):
            raise ValueError(
                "other must have the same embedding_; got another. Begin both models by "
                "without_samples() of one."
            )
        for name, one in self.regressor_.items():
            one.merge(other.regressor_[name])
        self._n_labelled += other._n_labelled
        return self

    @_regressor_can("without_samples")
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
        return twin

    def _as_embedded(self, y, given):
        """Checked outputs as the embedding takes them: those given, if their columns have names."""
        if get_feature_names(given) is not None:
            return given
        return y if y.ndim == 3 else y.reshape(len(y), -1)

    def _fit_embedding(self, y, given, states, weights):
        """Fit the output model to checked outputs."""
        self._y_ndim = y.ndim
        Y = self._as_embedded(y, given)
        self.embedding_ = fit_output_model(self.part("embedding"), Y, states, weights)
        self._model = as_output_model(self.embedding_)
        n_columns = np.shape(self._model.transform(Y[:1]))[1]
        self.blocks_ = self._model.blocks_ if self.block_wise else {"all": slice(0, n_columns)}

    def _by_block(self, H):
        """Embedded outputs by block."""
        return {name: np.asarray(H)[:, columns] for name, columns in self.blocks_.items()}
