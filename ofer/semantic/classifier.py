"""Semantic classification: classes are vectors, and the nearest one is the answer."""

from collections.abc import Mapping
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import softmax
from sklearn.base import BaseEstimator, ClassifierMixin, _fit_context, clone
from sklearn.frozen import FrozenEstimator
from sklearn.utils import check_consistent_length
from sklearn.utils._param_validation import HasMethods, StrOptions
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets, unique_labels
from sklearn.utils.validation import (
    _check_feature_names,
    check_is_fitted,
    column_or_1d,
    has_fit_parameter,
    validate_data,
)

from ofer._estimators import OfRegressor
from ofer._typing import MatrixLike
from ofer._validation import check_real, check_weights
from ofer.embeddings.base import as_output_model, fit_output_model
from ofer.kernel_ridge import KernelRidgeCV
from ofer.semantic._candidate_spaces import candidate_space, check_class_vectors
from ofer.tuning.temperature import best_temperature

__all__ = ["SemanticClassifier"]


def _has_temperature(model):
    return getattr(model, "temperature_", 1.0) is not None


class SemanticClassifier(OfRegressor, ClassifierMixin, BaseEstimator):
    r"""Classifier that predicts the vector of a class, and answers with the nearest class.

    Classes have names, and names have vectors :math:`v_k`, such as averages of the
    vectors of words in a text about them. A regressor learns the vector of an input's class [1]_:
    `KernelRidgeCV` makes this Sem-KRR, `InputOutputKernelRegressor` Sem-IOKR and
    `OutputFisherRegressor` OFER. Classes without training examples are candidates too.

    Parameters
    ----------
    regressor : regressor, default=None
        Multi-output regressor of class vectors; None is `KernelRidgeCV` with its defaults.
        Pipelines and searches belong around the classifier: inside, they would hide what an
        `OutputFisherRegressor` or `InputOutputKernelRegressor` has beside `predict`.
    class_vectors : array-like of shape (n_classes, d) or mapping, default=None
        ``class_vectors[label]`` is the vector of a label: rows of an array belong to the labels
        0, 1, ..., n_classes - 1, those of a data frame to the labels in its index, and a mapping
        takes labels of any kind to vectors of one length.
        None is the indicators of the labels seen in `fit`, which know of no similarity between
        classes: with kernel ridge regression, the usual ridge classifier. Every label in `fit`
        needs a vector, and no two may be equal.
    decode : {"embedding", "output"}, default="embedding"
        Where the classes are compared with the prediction: in the space that the regressor learns,
        the search for the pre-image (3) among the classes, or after decoding to a vector, as
        printed. They are one for regressors of the vectors themselves.
    metric : {"euclidean", "cosine"}, default="euclidean"
        How they are compared: by distance, or by the angle seen from the mean of the training
        outputs, in the same space. A ridge draws predictions towards this mean, where distances
        favour the classes that lie near it; directions remain.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        All labels, sorted.
    class_vectors_ : ndarray of shape (n_classes, d)
        Their vectors.
    regressor_ : regressor
        The fitted regressor.
    temperature_ : float or None
        What `predict_proba` divides scores by; None for a regressor without leave-one-out
        predictions, where there is no `predict_proba`.
    block_weights_ : dict of float or None
        Weights of the squares in each block of the embedding; None unless an
        `OutputFisherRegressor` is decoded in the embedding.
    n_features_in_ : int
        Number of input features.

    See Also
    --------
    OutputFisherRegressor : Regression of the class vectors with an output model.
    sklearn.linear_model.RidgeClassifier : Regression of indicators.

    Notes
    -----
    With :math:`\phi_b` the blocks of the embedding (memberships, and the mean) and :math:`h_b` the
    predicted ones, ``decode="embedding"`` answers

    .. math:: \arg\min_k \sum_b \| \phi_b(v_k) - h_b(x) \|^2 / \sigma_b^2 ,

    where :math:`\sigma_b^2` is the mean squared error of the block's regressor on training
    inputs that it has not seen: its leave-one-out error, the regressor's `loo_errors_`, if it has
    one, otherwise that of five-fold cross-validation on the labelled samples. Blocks have
    different units, probabilities here and those of the vectors there, and are not predicted
    equally well. If errors are Gaussian, independent, and of one variance in each block, this is
    the most likely class; rescaling a block, or the vectors under natural scaling, changes
    nothing. One regressor for all blocks has one variance, and the distance is that of (3).
    `InputOutputKernelRegressor` compares classes in the feature space of its output kernel, with
    the term :math:`k_y(v_k, v_k)`. The cosine is that between :math:`\phi(v_k) - m` and
    :math:`h(x) - m`, with the same weights and the mean :math:`m` of the training embeddings.

    With few examples per class, the leave-one-out error by which `KernelRidgeCV` chooses its ridge
    is in part, and with a single one altogether, that on classes not seen. Ridges may come out so
    large that distances say little; take the cosine then, or give a ridge in ``alphas``.

    The training outputs are repetitions of the vectors of the classes in `y`, and an output model
    sees no other points. A `GaussianMixtureEmbedding` cannot have more components than there are
    such classes. A component that holds a single one has no spread but the floor `reg_covar`, and
    a `CollapsedComponentWarning` says so. The classifier is well defined all the same, though a
    class that was not seen belongs to no narrow component, however near. A `reg_covar` of order
    0.1 gives them a width and soft memberships; the warning then is of no concern.

    Decoding t inputs among K classes takes O(t K p) for an embedding of p dimensions, in matrix
    products, after the prediction of the embedding.

    References
    ----------
    .. [1] Djerrab, Garcia, Sangnier, d'Alché-Buc, "Output Fisher embedding regression",
       Machine Learning 107 (2018), section 6.5 and equations (3) and (14).

    Examples
    --------
    >>> import numpy as np
    >>> from ofer import KernelRidgeCV, SemanticClassifier
    >>> X = np.array([[0.0, 0.0], [0.2, 0.0], [1.0, 0.0], [1.2, 0.0], [0.0, 1.0], [0.0, 1.2]])
    >>> y = ["cat", "cat", "dog", "dog", "car", "car"]
    >>> vectors = {"cat": [0.0, 0.0], "dog": [1.0, 0.0], "car": [0.0, 3.0], "truck": [1.0, 3.0]}
    >>> model = SemanticClassifier(KernelRidgeCV([1e-3]), vectors).fit(X, y)

    No truck was seen, but its vector is known:

    >>> model.predict([[0.1, 0.1], [1.1, 1.1]])
    array(['cat', 'truck'], dtype='<U5')
    >>> model.rank([[1.1, 1.1]], k=2)
    array([['truck', 'car']], dtype='<U5')
    """

    _parameter_constraints: ClassVar = {
        "regressor": [HasMethods(["fit", "predict"]), None],
        "class_vectors": ["array-like", Mapping, None],
        "decode": [StrOptions({"embedding", "output"})],
        "metric": [StrOptions({"euclidean", "cosine"})],
    }

    _default_parts: ClassVar = {"regressor": KernelRidgeCV}

    def __init__(
        self,
        regressor: BaseEstimator | None = None,
        class_vectors: ArrayLike | Mapping | None = None,
        *,
        decode: str = "embedding",
        metric: str = "euclidean",
    ):
        self.regressor = regressor
        self.class_vectors = class_vectors
        self.decode = decode
        self.metric = metric

    @_fit_context(prefer_skip_nested_validation=False)
    def fit(
        self,
        X: MatrixLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        *,
        X_weak: MatrixLike | None = None,
        y_weak: ArrayLike | None = None,
        membership_weak: ArrayLike | None = None,
        weak_weight: float = 1.0,
    ) -> Self:
        """Fit the regressor to the vectors of the classes.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Inputs, as the regressor takes them.
        y : array-like of shape (n_samples,)
            Labels, of at least two classes.
        sample_weight : float or array-like of shape (n_samples,), default=None
            Weights, not negative, for a regressor that takes them. Integers are repetitions, and
            zero is an absent sample.
        X_weak : {array-like, sparse matrix} of shape (n_weak, n_features), default=None
            Inputs of weak samples, for an `OutputFisherRegressor`; see its `fit`.
        y_weak : array-like of shape (n_weak,), default=None
            Their labels, of which the regressor is told only the mixture component that the
            vector belongs to, as in the paper's experiments. The output model is fitted to the
            vectors of `y` first.
        membership_weak : array-like of shape (n_weak,) or (n_weak, C), default=None
            In place of `y_weak`: component indices, or responsibilities.
        weak_weight : float, default=1.0
            Weight of a weak sample relative to a labelled one.

        Returns
        -------
        self : SemanticClassifier
        """
        y = validate_data(self, y=y)
        _check_feature_names(self, X, reset=True)
        check_classification_targets(y)
        check_consistent_length(X, y)
        self.classes_, self.class_vectors_ = check_class_vectors(self.class_vectors, y)
        encoded = self._encode("y", y)
        weights = check_weights(sample_weight, encoded)
        n_seen = len(np.unique(encoded if weights is None else encoded[weights > 0]))
        if n_seen < 2:
            raise ValueError(f"y must have labels of at least 2 classes; got {n_seen} class(es).")
        vectors = self.class_vectors_[encoded]

        self.regressor_ = clone(self.part("regressor"))
        weak = {}
        if not (X_weak is None and y_weak is None and membership_weak is None):
            membership = self._weak_membership(vectors, weights, y_weak, membership_weak)
            weak = {"X_weak": X_weak, "membership_weak": membership, "weak_weight": weak_weight}
        if weights is not None:
            if not has_fit_parameter(self.regressor_, "sample_weight"):
                raise ValueError(
                    f"sample_weight must be None for {type(self.regressor_).__name__}, which takes "
                    "none."
                )
            weak["sample_weight"] = weights
        self.regressor_.fit(X, vectors, **weak)
        if (n_features := getattr(self.regressor_, "n_features_in_", None)) is not None:
            self.n_features_in_ = n_features
        sizes = np.bincount(encoded, weights, minlength=len(self.classes_))
        self._space = candidate_space(
            self.regressor_, self.decode, X, vectors, self.class_vectors_, sizes / sizes.sum()
        )
        self.block_weights_ = self._space.block_weights
        products = self._space.loo_products(vectors)
        self.temperature_ = None
        if products is not None:
            self.temperature_ = best_temperature(self._scores(products), encoded, weights)
        return self

    def decision_function(self, X: MatrixLike) -> NDArray:
        """Compare every class with the prediction: the higher, the nearer.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features)
            Inputs, as the regressor takes them.

        Returns
        -------
        ndarray of shape (n_queries, n_classes) or (n_queries,)
            Minus the squared distance to each class, up to a number that all classes of a row
            share; or the cosine, up to a positive factor that they share, and 0 for a class at
            the mean. For two classes the value of the second less that of the first.
        """
        check_is_fitted(self)
        scores = self._class_scores(X)
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores

    def predict(self, X: MatrixLike) -> NDArray:
        """Predict the nearest class.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features)
            Inputs, as the regressor takes them.

        Returns
        -------
        ndarray of shape (n_queries,)
        """
        check_is_fitted(self)
        return self.classes_[self._class_scores(X).argmax(axis=1)]

    @available_if(_has_temperature)
    def predict_proba(self, X: MatrixLike) -> NDArray:
        r"""Probabilities of the classes, for regressors with leave-one-out predictions.

        They are :math:`\exp(s_k / T) / \sum_l \exp(s_l / T)` for the scores :math:`s_k` of
        `decision_function` and one number :math:`T`, the temperature with which those of the
        leave-one-out predictions have the least log loss: the most probable class is the predicted
        one. For other regressors, such as `InputOutputKernelRegressor`, take
        `sklearn.calibration.CalibratedClassifierCV`.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features)
            Inputs, as the regressor takes them.

        Returns
        -------
        ndarray of shape (n_queries, n_classes)
            Rows sum to one. Classes not seen in `fit` have a share, too.
        """
        check_is_fitted(self)
        return softmax(self._class_scores(X) / self.temperature_, axis=1)

    def rank(self, X: MatrixLike, k: int = 5) -> NDArray:
        """Predict the k nearest classes.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features)
            Inputs, as the regressor takes them.
        k : int, default=5
            How many.

        Returns
        -------
        ndarray of shape (n_queries, k)
            Labels, the nearest first.
        """
        check_is_fitted(self)
        check_real("k", k, at_least=1, integer=True)
        if k > len(self.classes_):
            raise ValueError(
                f"k must be at most the number of classes, {len(self.classes_)}; got {k}."
            )
        order = np.argsort(-self._class_scores(X), axis=1, kind="stable")
        return self.classes_[order[:, :k]]

    def _encode(self, name, y):
        """Indices of labels among the classes."""
        unknown = np.setdiff1d(unique_labels(self.classes_, y), self.classes_)
        if unknown.size:
            raise ValueError(
                f"class_vectors must have a vector for every label in {name}; got none for "
                f"{unknown.tolist()}. (Rows of an array are those of the labels 0, 1, ...; other "
                "labels need a mapping.)"
            )
        return np.searchsorted(self.classes_, y)

    def _weak_membership(self, vectors, weights, y_weak, membership_weak):
        """What the regressor is told of the weak samples."""
        if not has_fit_parameter(self.regressor_, "membership_weak"):
            raise ValueError(
                "X_weak needs an OutputFisherRegressor as regressor; "
                f"got {type(self.regressor_).__name__}."
            )
        if y_weak is None:
            return membership_weak
        if membership_weak is not None:
            raise ValueError("y_weak and membership_weak exclude each other; got both.")
        y_weak = column_or_1d(y_weak, warn=True)
        embedding = clone(self.regressor_.part("embedding"))
        model = as_output_model(embedding)
        if not model.has_membership:
            raise ValueError(
                "y_weak needs an embedding with memberships, such as GaussianMixtureEmbedding; "
                f"got {type(embedding).__name__}."
            )
        encoded = self._encode("y_weak", y_weak)
        # Frozen: the regressor must number the components as they are numbered here.
        embedding = fit_output_model(embedding, vectors, None, weights)
        self.regressor_.embedding = FrozenEstimator(embedding)
        model = as_output_model(embedding)
        return model.posterior(self.class_vectors_).argmax(axis=1)[encoded]

    def _class_scores(self, X):
        """Values of `decision_function`, (n_queries, n_classes) always."""
        _check_feature_names(self, X, reset=False)
        return self._scores(self._space.products(X))

    def _scores(self, products):
        """The same from inner products of predictions and classes."""
        squared_norms = self._space.squared_norms
        if self.metric == "euclidean":
            return 2.0 * products - squared_norms
        norms = np.sqrt(np.maximum(squared_norms, 0.0))
        apart = norms > 1e-7 * norms.max()  # a class at the mean itself has no direction
        return np.divide(products, norms, out=np.zeros_like(products), where=apart)
