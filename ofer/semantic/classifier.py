"""Semantic classification: classes are vectors, and the nearest one is the answer."""

from collections.abc import Mapping
from contextlib import suppress
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import minimize_scalar
from scipy.special import logsumexp, softmax
from sklearn.base import BaseEstimator, clone
from sklearn.utils import check_array, check_consistent_length
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from ofer.blocks import fit_weighted
from ofer.kernel_ridge import scaled_ridge
from ofer.semantic._candidate_spaces import candidate_space, check_class_vectors
from ofer.semantic._weak_labels import (
    as_labels,
    check_candidates,
    check_labels,
    check_own_labels,
    encode,
    memberships_for,
)
from ofer.semantic.open_classes import Labelled, LeftOpen, fit_open_classes
from ofer.utils.entries import check_unmasked
from ofer.utils.estimators import DefaultParts, part_of
from ofer.utils.fitting import fit_context
from ofer.utils.pipelines import Transformers
from ofer.utils.products import quiet
from ofer.utils.scoring import CheckedScoreMixin
from ofer.utils.sklearn_private import HasMethods, StrOptions, check_feature_names
from ofer.utils.typing import MatrixLike
from ofer.utils.validation import check_even, check_real, check_weights
from ofer.weak import Candidates, Classes, Memberships, check_kind, naming_new_words, weight_of


def _has_temperature(model):
    return vars(model).get("temperature_", 1.0) is not None


@quiet
class SemanticClassifier(DefaultParts, CheckedScoreMixin, BaseEstimator):
    r"""Classifier that regresses on vectors of classes and predicts the nearest; takes partial
    labels.

    Classes have names, and names have vectors :math:`v_k`, such as averages of the vectors of words
    in a text about them. A regressor learns the vector of an input's class [1]_. With
    `KernelRidgeCV` this is Sem-KRR, with `InputOutputKernelRegressor` Sem-IOKR, with
    `OutputFisherRegressor` OFER. Classes without training examples are candidates too.

    Parameters
    ----------
    regressor : regressor, default=None
        Multi-output regressor of class vectors, or a pipeline that ends in one, whose leave-one-out
        predictions are exact given the fitted transformers; None is ``KernelRidgeCV(gamma="loo")``,
        which chooses its kernel, behind a `StandardScaler`. An `OutputFisherRegressor` with
        ``block_wise="auto"`` is block-wise here, as the distances are. Put searches around the
        classifier: inside, they would hide further methods of an `OutputFisherRegressor` or
        `InputOutputKernelRegressor`.
    class_vectors : array-like of shape (n_classes, d) or mapping, default=None
        ``class_vectors[label]`` is the vector of a label: rows of an array belong to the labels 0,
        1, ..., n_classes - 1, those of a data frame to the labels in its index, and a mapping takes
        labels of any kind to vectors of one length. None is the indicators of the labels seen in
        `fit`, without any similarity between classes: with kernel ridge regression, this is the
        usual ridge classifier. Every label in `fit` needs a vector, and no two may be equal. Where
        the fit of a clone sees some of the labels alone, these must not be 0, 1, ..., which may be
        numbers that a meta-estimator has given: take names.
    decode : {"embedding", "output"}, default="embedding"
        Where the classes are compared with the prediction: in the space that the regressor learns,
        the search for the pre-image (3) among the classes, or after decoding to a vector, as
        printed. They are one for regressors of the vectors themselves.
    metric : {"euclidean", "cosine"}, default="euclidean"
        How they are compared: by distance, or by the angle seen from the mean of the training
        outputs, in the same space. A ridge parameter draws predictions towards this mean, where
        distances favour the classes that lie near it; directions remain.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        All labels, sorted.
    class_vectors_ : ndarray of shape (n_classes, d)
        Their vectors.
    regressor_ : regressor
        The fitted regressor.
    temperature_ : float or None
        Divisor of the scores in `predict_proba`; None for a regressor without leave-one-out
        predictions, which has no `predict_proba`.
    block_weights_ : dict of float or None
        Weights of the squares in each block of the embedding; None unless an
        `OutputFisherRegressor` is decoded in the embedding.
    n_features_in_ : int
        Number of input features.
    assignments_ : ndarray of shape (n_weak,)
        Class that was inferred for each weak sample; this and the next are there only with
        `Candidates`.
    gain_path_ : dict of ndarray of shape (n_rows,)
        The search: "kernel", "gamma", "alpha" (the ridge parameter) and "start" of each row, the
        "gain" in nats, the "weak_gain" of weak samples alone, and "n_rounds". The row of the
        highest gain was chosen.
    null_gain_ : float
        The weak gain at the choice when the labels are shuffled. The weak samples were ignored
        unless the weak gain is positive and at least a fifth larger.

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
    parameter is partly, and with a single example entirely, an error on unseen classes. The chosen
    parameter may be so large that distances say little; then use the cosine, or give a ridge
    parameter in ``alphas``.

    The training outputs are repetitions of the vectors of the classes in `y`, and an output model
    sees no other points. A `GaussianMixtureEmbedding` cannot have more components than there are
    such classes. A component that holds a single one has no spread but the floor `reg_covar`, and
    a `CollapsedComponentWarning` says so. The classifier is well defined all the same, though a
    class that was not seen belongs to no narrow component, however near. A `reg_covar` of order
    0.1 gives them a width and soft memberships; the warning then is of no concern.

    *Open classes.* `Candidates` say which classes a weak sample may have. Their inference
    starts twice: from the mean over the open classes, and from the best open class by the fit to
    the labelled samples. Then it learns the classes and gives each weak sample the open class whose
    vector is nearest to its prediction, in turns, until nothing changes. All this happens for every
    ridge parameter, and the highest *gain* chooses: the entropy of the mean of the classes minus
    the log loss of leave-one-out predictions. It needs no held-out label. If it is hardly larger
    than with shuffled labels, the weak samples are ignored. On five data sets, three kinds of
    labels and 1, 3 and 10 labelled samples a class, the mean accuracy rises from .69 to .82. In at
    most 3 of 66 settings it falls by more than .01: with linear kernels or classes of few samples.
    A simple rival also does well, with .78: give each weak sample its best open class by the
    labelled fit, and fit once more.

    One decomposition serves all ridge parameters. A round takes O(n r K) time for rank r <= n, and
    at most ten follow each start; five shuffles add ten starts with one ridge parameter. With no
    labelled sample, `X` has no rows: this is partial-label learning.

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

    _default_parts: ClassVar = {"regressor": scaled_ridge}
    _input_part = "regressor"
    assignments_: NDArray
    gain_path_: dict[str, NDArray]
    null_gain_: float

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

    @naming_new_words
    @fit_context(prefer_skip_nested_validation=False)
    def fit(
        self,
        X: MatrixLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        *,
        weak: Classes | Memberships | Candidates | None = None,
    ) -> Self:
        """Fit the regressor to the vectors of the classes.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Inputs, as the regressor takes them.
        y : array-like of shape (n_samples,)
            Labels, of at least two classes; with `Candidates` it may be empty.
        sample_weight : float or array-like of shape (n_samples,), default=None
            Weights, not negative, for a regressor that takes them. Integers are repetitions, also
            for transformers that take weights, and zero is an absent sample.
        weak : Classes, Memberships or Candidates, default=None
            Weak samples: inputs, and what is known of their classes. For components of classes
            (`Classes`, `Memberships`) the regressor is an `OutputFisherRegressor`; for open classes
            (`Candidates`) it is a `KernelRidgeCV`, or a pipeline that ends in one, whose
            transformers see weak samples with the mean of their open classes.

        Returns
        -------
        self : SemanticClassifier

        Warns
        -----
        UserWarning
            If weak samples are not used: all classes are open, or labels and inputs do not agree.
        """
        check_kind(weak, Classes, Memberships, Candidates)
        check_even("y", y)
        if y is not None:
            check_labels("y", y)
        check_unmasked("sample_weight", sample_weight)
        check_consistent_length(X, y)
        if isinstance(weak, Candidates) and len(y) == 0:  # this is partial-label learning
            n_columns = np.shape(weak.outputs)[-1]
            labels = np.arange(n_columns if self.class_vectors is None else 0)
            self.classes_, self.class_vectors_ = check_class_vectors(self.class_vectors, labels)
            encoded, weights = np.array([], dtype=int), None
        else:
            y = validate_data(self, y=as_labels(y))
            check_classification_targets(y)
            weights = check_weights(sample_weight, y)
            present = slice(None) if weights is None else np.flatnonzero(weights)
            classes, vectors = check_class_vectors(self.class_vectors, y[present])
            self.classes_, self.class_vectors_ = classes, vectors
            encoded = np.zeros(len(y), dtype=int)  # for an absent sample any label will do
            encoded[present] = encode("y", self.classes_, y[present])
            if self._is_clone:  # a meta-estimator, which may number the labels anew, fits clones
                check_own_labels(classes, y)
        check_feature_names(self, X, reset=True)  # `validate_data` has forgotten them

        for name in ("gain_path_", "assignments_"):  # another fit may have left them
            self.__dict__.pop(name, None)
        self.n_iter_ = 1
        self.regressor_ = clone(part_of(self, "regressor"))
        last = Transformers(self.regressor_).last
        if vars(last).get("block_wise") == "auto":  # the distance to a class weighs each block
            last.set_params(block_wise=True)
        if isinstance(weak, Candidates):
            return self._fit_open_classes(X, encoded, weights, weak)
        n_seen = len(np.unique(encoded if weights is None else encoded[weights > 0]))
        if n_seen < 2:
            raise ValueError(f"y must have labels of at least 2 classes; got {n_seen} class(es).")
        vectors, told = self.class_vectors_[encoded], {}
        if weak is not None:
            told["weak"] = memberships_for(
                self.regressor_, weak, self.classes_, self.class_vectors_, vectors, weights
            )
        self.regressor_ = fit_weighted(self.regressor_, X, vectors, weights, **told)
        sizes = np.bincount(encoded, weights, minlength=len(self.classes_))
        return self._place(X, vectors, encoded, weights, sizes / sizes.sum())

    def _fit_open_classes(self, X, encoded, weights, weak):
        """Fit with weak samples whose classes are inferred."""
        n = len(encoded)
        still_open = check_candidates(weak, self.classes_)
        fit = fit_open_classes(
            self.regressor_,
            self.class_vectors_,
            Labelled(X, encoded, weights),
            LeftOpen(weak.X, still_open, weight_of(weak)),
        )
        self.regressor_, self.gain_path_ = fit.regressor, fit.path
        self.null_gain_ = fit.null
        classes = fit.targets.argmax(axis=1)
        self.assignments_ = self.classes_[classes[n:]]
        # Probabilities are as sure as leave-one-out of what is known allows.
        known = fit.weights * (np.arange(len(classes)) < n) if n else fit.weights
        shares = fit.weights @ fit.targets / fit.weights.sum()
        vectors = fit.targets @ self.class_vectors_
        return self._place(fit.inputs, vectors, classes, known, shares)

    def _place(self, X, vectors, encoded, weights, shares):
        """Place the classes for the fitted regressor, of whose outputs they have these shares."""
        with suppress(AttributeError):  # not every regressor counts them
            self.n_features_in_ = self.regressor_.n_features_in_
        self._before = Transformers(self.regressor_)
        self._space, unseen = candidate_space(
            self._before.last, self.decode, self._before.transform(X), vectors,
            self.class_vectors_, shares, weights,
        )  # fmt: skip
        self.block_weights_ = self._space.block_weights
        self.temperature_ = None
        if unseen is not None:
            products = self._space.products_of(unseen, self.metric)
            self.temperature_ = best_temperature(self._scores(products), encoded, weights)
        return self

    def decision_function(self, X: MatrixLike) -> NDArray:
        """Score of every class, higher for classes that are nearer to the prediction.

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
    @quiet
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

    def _class_scores(self, X):
        """Values of `decision_function`, (n_queries, n_classes) always."""
        check_feature_names(self, X, reset=False)
        if "gain_path_" in vars(self):  # its regressor has seen arrays, which have no names
            X = check_array(X, input_name="X", accept_sparse=("csr", "csc"))
        return self._scores(self._space.products(self._before.transform(X), self.metric))

    def _scores(self, products):
        """Scores of classes from inner products of predictions and classes."""
        squared_norms = self._space.squared_norms[self.metric]
        if self.metric == "euclidean":
            return 2.0 * products - squared_norms
        norms = np.sqrt(np.maximum(squared_norms, 0.0))
        apart = norms > 1e-7 * norms.max()  # a class at the mean itself has no direction
        return np.divide(products, norms, out=np.zeros_like(products), where=apart)


def best_temperature(scores, y, sample_weight):
    """Temperature T for which ``softmax(scores / T)`` has the least log loss.

    The scores (n_samples, n_classes) belong to samples of the classes y (n_samples,); rows with
    NaN have no part. In 1 / T the loss is convex. T is at most e^10 times as large or as small as
    the typical difference of scores. Without errors none is small enough: there T is one below
    which the loss falls by less than a billionth, and not where roundoff hides that it falls.
    """
    weights = np.ones(len(y)) if sample_weight is None else sample_weight
    rows = np.flatnonzero((weights > 0) & ~np.isnan(scores).any(axis=1))
    weights, y, scores = weights[rows], y[rows], scores[rows]
    excess = scores - scores[np.arange(len(y)), y][:, None]
    unit = np.average(np.abs(excess).mean(axis=1), weights=weights)
    if unit == 0:
        return 1.0  # any temperature will do

    shares = weights / weights.sum()

    def loss(log_inverse):
        costs = logsumexp(np.exp(log_inverse) / unit * excess, axis=1)
        return shares @ costs + 1e-9 * (log_inverse / 10.0) ** 2

    result = minimize_scalar(loss, bounds=(-10, 10), method="bounded", options={"xatol": 1e-10})
    return float(unit * np.exp(-result.x))
