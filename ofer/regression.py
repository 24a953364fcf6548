"""Output Fisher embedding regression: embed, regress, decode."""

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin, clone
from sklearn.utils import check_array, check_consistent_length, get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, has_fit_parameter, validate_data

from ofer._validation import check_columns, check_real
from ofer.embeddings import GaussianMixtureEmbedding
from ofer.kernel_ridge import KernelRidgeCV

__all__ = ["OutputFisherRegressor"]


def _has_membership(model):
    embedding = getattr(model, "embedding_", model.embedding)
    return embedding is None or hasattr(embedding, "decode_membership")


def _has_states(model):
    return hasattr(getattr(model, "embedding_", model.embedding), "decode_states")


class OutputFisherRegressor(MultiOutputMixin, RegressorMixin, BaseEstimator):
    r"""Output Fisher embedding regression (OFER).

    Three steps [1]_: the outputs are embedded by the Fisher scores of a generative model
    fitted to them, a regressor learns the embedding from the inputs, and the pre-image of the
    predicted embedding is the predicted output.

    Each block of the embedding (for a mixture: memberships, and the mean) has its own clone of
    the regressor, hence its own ridge and its own samples. *Weak* samples, of which only the
    mixture component of the output is known, join the membership block: the objective (14) of
    [1]_ separates by coordinates.

    Parameters
    ----------
    embedding : transformer, default=None
        Output model with `fit`, `transform` and `inverse_transform`, such as
        `GaussianMixtureEmbedding` (None is one with its defaults), `GaussianEmbedding`,
        `StateSpaceEmbedding` for series or any scikit-learn transformer. Wrap a fitted one in
        `sklearn.frozen.FrozenEstimator` to keep it, for instance one fitted to more outputs, or
        one whose components a weak supervisor has named.
    regressor : regressor, default=None
        Multi-output regressor; None is `KernelRidgeCV` with its defaults.
    block_wise : bool, default=True
        Whether each block has its own clone; False is one for all, as printed.

    Attributes
    ----------
    embedding_ : transformer
        The fitted output model.
    regressor_ : dict of regressor
        The fitted regressors by block; the one key is "all" without blocks.
    n_features_in_ : int
        Number of input features.

    See Also
    --------
    KernelRidgeCV : The default regressor.
    GaussianMixtureEmbedding : The default embedding.
    sklearn.compose.TransformedTargetRegressor : The same idea without blocks or weak labels.

    Notes
    -----
    The method as printed is ``OutputFisherRegressor(GaussianMixtureEmbedding(C,
    scaling="score", decoder="raw"), KernelRidgeCV(fit_intercept=False), block_wise=False)``.

    With one linear smoother for all coordinates the printed form is a precision-weighted
    average of training outputs, and natural scaling with an intercept is kernel ridge regression
    on the outputs; the model matters through a ridge for each block, the projection of
    memberships and weak labels.

    Costs are those of the parts. Blocks of `KernelRidgeCV` that see the same samples share one
    eigendecomposition, O(n^3), and one kernel matrix in `predict`.

    References
    ----------
    .. [1] Djerrab, Garcia, Sangnier, d'Alché-Buc, "Output Fisher embedding regression",
       Machine Learning 107 (2018), sections 2.2, 5 and equations (13) and (14).

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

    def __init__(self, embedding=None, regressor=None, *, block_wise=True):
        self.embedding = embedding
        self.regressor = regressor
        self.block_wise = block_wise

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        inner = get_tags(self._regressor()).input_tags
        tags.input_tags.sparse = inner.sparse
        tags.input_tags.pairwise = inner.pairwise
        return tags

    def fit(self, X, y, *, states=None, X_weak=None, membership_weak=None, weak_weight=1.0):
        r"""Fit the output model and the regressors.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Inputs; with a precomputed kernel the matrix (n_samples, n_samples).
        y : array-like of shape (n_samples,), (n_samples, d) or (n_samples, T, p)
            Outputs; series of T steps need an embedding of series.
        states : array-like of shape (n_samples, T, n_states), default=None
            Paths of the states of output series, where they are observed; None leaves them to
            the embedding, which smooths.
        X_weak : {array-like, sparse matrix} of shape (n_weak, n_features), default=None
            Inputs of weak samples; with a precomputed kernel its values
            (n_weak, n_samples + n_weak) with the labelled and then the weak inputs.
        membership_weak : array-like of shape (n_weak,) or (n_weak, C), default=None
            Their weak labels: component indices, or responsibilities.
        weak_weight : float, default=1.0
            Weight of a weak sample relative to a labelled one: :math:`2 \ell \lambda_2` in
            equation (14).

        Returns
        -------
        self : OutputFisherRegressor

        Raises
        ------
        ValueError
            If data are out of range, states meet an embedding without states, or weak labels
            an embedding without memberships, one regressor for all blocks or a weight that the
            regressor cannot take.
        """
        X, y = self._validate(X, y)
        if (X_weak is None) != (membership_weak is None):
            missing = "X_weak" if X_weak is None else "membership_weak"
            raise ValueError(f"X_weak and membership_weak go together; {missing} is None.")
        self._y_ndim = y.ndim
        Y = y if y.ndim == 3 else y.reshape(len(y), -1).astype(np.float64)
        embedding = GaussianMixtureEmbedding() if self.embedding is None else self.embedding
        self._check_weak_support(embedding, X_weak, weak_weight)
        _check_state_support(embedding, states)
        # Transformers have a second argument that they ignore; here it is the states.
        self.embedding_ = clone(embedding).fit(Y, states)
        known = () if states is None else (states,)
        H = np.asarray(self.embedding_.transform(Y, *known))
        self._blocks = self._block_slices(H.shape[1])
        if X_weak is None:
            self._fit_labelled(X, H)
        else:
            self._fit_weak(X, H, X_weak, membership_weak, weak_weight)
        self._loo_embedding = None
        fitted = self.regressor_.items()
        if all(hasattr(regressor, "loo_residuals_") for _, regressor in fitted):
            self._loo_embedding = H.copy()
            for name, regressor in fitted:
                residuals = regressor.loo_residuals_[: len(H)]  # the labelled samples come first
                self._loo_embedding[:, self._blocks[name]] -= residuals.reshape(len(H), -1)
        return self

    def predict_embedding(self, X):
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
        X = self._check_query(X)
        fitted = list(self.regressor_.values())
        if self._n_weak == 0 and all(isinstance(one, KernelRidgeCV) for one in fitted):
            # The blocks saw the same samples: one kernel matrix serves them all.
            K = fitted[0]._kernel(X, fitted[0].X_fit_)
            dual = np.hstack([one.dual_coef_ for one in fitted])
            return K @ dual + np.hstack([one.intercept_ for one in fitted])
        parts = []
        for name, regressor in self.regressor_.items():
            seen = X
            if self._n_weak and name != "membership" and get_tags(self).input_tags.pairwise:
                seen = X[:, : self._n_labelled]
            predicted = np.asarray(regressor.predict(seen))
            parts.append(predicted.reshape(X.shape[0], -1))
        return np.hstack(parts)

    def predict(self, X):
        """Predict the output: the pre-image of the predicted embedding.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features)
            Inputs, as in `predict_embedding`.

        Returns
        -------
        ndarray of shape (n_queries,), (n_queries, d) or (n_queries, T, p)
        """
        return self._decode(self.predict_embedding(X))

    def loo_predict(self):
        """Predict the output of each labelled sample by regressions that have not seen it.

        Costs one decoding and no further fit: the leave-one-out embeddings are exact. The
        output model is the fitted one, which has seen all of them. Use it to choose among
        output models, such as numbers of components, in place of cross-validation.

        Returns
        -------
        ndarray of shape (n_samples,), (n_samples, d) or (n_samples, T, p)

        Raises
        ------
        ValueError
            If the regressors have no leave-one-out residuals, as `KernelRidgeCV` has.
        """
        check_is_fitted(self)
        if self._loo_embedding is None:
            name = type(self._regressor()).__name__
            raise ValueError(f"regressor must be a KernelRidgeCV for loo_predict; got {name}.")
        return self._decode(self._loo_embedding)

    @available_if(_has_membership)
    def predict_membership(self, X):
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
        return self.embedding_.decode_membership(H[:, self.embedding_.blocks_["membership"]])

    @available_if(_has_states)
    def predict_states(self, X):
        """Predict the path of the states that the output series follows.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features)
            Inputs, as in `predict_embedding`.

        Returns
        -------
        ndarray of shape (n_queries, T, n_states)
        """
        return self.embedding_.decode_states(self.predict_embedding(X))

    def _validate(self, X, y):
        """Check inputs and outputs; these may be series, which scikit-learn's check refuses."""
        options = {"accept_sparse": ("csr", "csc"), "ensure_min_samples": 2}
        if np.asarray(y).ndim != 3:
            return validate_data(self, X, y, multi_output=True, y_numeric=True, **options)
        X = validate_data(self, X, **options)
        y = check_array(y, dtype=np.float64, allow_nd=True, input_name="y")
        check_consistent_length(X, y)
        return X, y

    def _decode(self, H):
        """Pre-image of embeddings, in the shape of the training outputs."""
        Y = np.asarray(self.embedding_.inverse_transform(H))
        return Y[:, 0] if self._y_ndim == 1 else Y

    def _regressor(self):
        return KernelRidgeCV() if self.regressor is None else self.regressor

    def _block_slices(self, n_columns):
        """Columns of the embedding that each regressor learns, in order."""
        if not self.block_wise:
            return {"all": slice(0, n_columns)}
        return getattr(self.embedding_, "blocks_", {"all": slice(0, n_columns)})

    def _fit_labelled(self, X, H):
        """Fit every block to the same samples."""
        self._n_labelled, self._n_weak = X.shape[0], 0
        self.regressor_ = {name: clone(self._regressor()) for name in self._blocks}
        first = next(iter(self.regressor_.values()))
        if isinstance(first, KernelRidgeCV):
            X, _ = first._validate(X, H)
            system = first._prepare(X, None)
            for name, columns in self._blocks.items():
                regressor = self.regressor_[name]
                regressor.n_features_in_ = X.shape[1]
                regressor._fit_system(system, H[:, columns])
            return
        for name, columns in self._blocks.items():
            self.regressor_[name].fit(X, _single_column_flat(H[:, columns]))

    def _check_weak_support(self, embedding, X_weak, weak_weight):
        """Raise unless embedding, regressor and weight can take weak labels."""
        if X_weak is None:
            return
        check_real("weak_weight", weak_weight, above=0)
        if not hasattr(embedding, "encode_membership"):
            raise ValueError(
                "membership_weak needs an embedding with a membership block, such as "
                f"GaussianMixtureEmbedding; got {type(embedding).__name__}."
            )
        if not self.block_wise:
            raise ValueError(
                "membership_weak needs block_wise=True, because the blocks then have different "
                "samples; got block_wise=False. For one ridge give the regressor a single alpha."
            )
        if weak_weight != 1 and not has_fit_parameter(self._regressor(), "sample_weight"):
            raise ValueError(
                f"weak_weight must be 1 for {type(self._regressor()).__name__}, which takes no "
                f"sample_weight; got {weak_weight!r}."
            )

    def _fit_weak(self, X, H, X_weak, membership_weak, weak_weight):
        """Fit the membership block to all samples, the others to the labelled ones: (14)."""
        pairwise = get_tags(self).input_tags.pairwise
        X_weak = check_array(X_weak, accept_sparse=("csr", "csc"), input_name="X_weak")
        n_columns = X.shape[0] + X_weak.shape[0] if pairwise else X.shape[1]
        meaning = "labelled and weak inputs" if pairwise else "the features of X"
        check_columns("X_weak", X_weak, n_columns, meaning)
        gamma = _check_membership(membership_weak, self.embedding_.weights_.size)
        check_consistent_length(X_weak, gamma)
        self._n_labelled, self._n_weak = X.shape[0], X_weak.shape[0]

        if pairwise:
            left = np.vstack([X, X_weak[:, : self._n_labelled]])
            everything = np.hstack(
                [left, np.vstack([X_weak[:, : self._n_labelled].T, X_weak[:, self._n_labelled :]])]
            )
        elif sparse.issparse(X) or sparse.issparse(X_weak):
            everything = sparse.vstack([X, X_weak], format="csr")
        else:
            everything = np.vstack([X, X_weak])
        weights = np.repeat([1.0, float(weak_weight)], [self._n_labelled, self._n_weak])
        options = {} if weak_weight == 1 else {"sample_weight": weights}
        self.regressor_ = {}
        for name, columns in self._blocks.items():
            regressor = clone(self._regressor())
            block = H[:, columns]
            if name == "membership":
                block = np.vstack([block, self.embedding_.encode_membership(gamma)])
                regressor.fit(everything, _single_column_flat(block), **options)
            else:
                regressor.fit(X, _single_column_flat(block))
            self.regressor_[name] = regressor

    def _check_query(self, X):
        """Validate inputs of a prediction; a kernel has columns for weak samples too."""
        if self._n_weak and get_tags(self).input_tags.pairwise:
            X = check_array(X, input_name="X")
            n_columns = self._n_labelled + self._n_weak
            check_columns("X", X, n_columns, "labelled and weak training inputs")
            return X
        first = next(iter(self.regressor_.values()))
        dtype = first._input_dtype() if isinstance(first, KernelRidgeCV) else "numeric"
        return validate_data(self, X, reset=False, accept_sparse=("csr", "csc"), dtype=dtype)


def _check_state_support(embedding, states):
    """Raise unless the embedding can take observed states."""
    if states is not None and not hasattr(embedding, "decode_states"):
        raise ValueError(
            "states must be None unless the embedding has states, as StateSpaceEmbedding; "
            f"got {type(embedding).__name__}."
        )


def _single_column_flat(block):
    """One target as scikit-learn's regressors like it, without a warning."""
    return block[:, 0] if block.shape[1] == 1 else block


def _check_membership(membership, n_components):
    """Weak labels as responsibilities (n_weak, C)."""
    gamma = check_array(membership, ensure_2d=False, dtype=None, input_name="membership_weak")
    if gamma.dtype.kind not in "fiu":
        raise TypeError(f"membership_weak must be numeric; got dtype {gamma.dtype}.")
    if gamma.ndim == 1:
        wrong = (gamma < 0) | (gamma >= n_components) | (gamma != np.floor(gamma))
        if wrong.any():
            raise ValueError(
                f"membership_weak must hold component indices from 0 to {n_components - 1}; "
                f"got {gamma[wrong][0]}."
            )
        return np.eye(n_components)[gamma.astype(np.intp)]
    check_columns("membership_weak", gamma, n_components, "one a component")
    sums = gamma.sum(axis=1)
    if (gamma < 0).any() or not np.allclose(sums, 1.0, atol=1e-6):
        raise ValueError(
            "membership_weak must hold responsibilities: rows that are not negative and sum to "
            f"1; got a row with minimum {gamma.min():.3g}, or a sum of "
            f"{sums[np.abs(sums - 1).argmax()]:.6g}."
        )
    return gamma.astype(np.float64)
