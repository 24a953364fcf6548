"""A global linear predictor of structured outputs, from the labelled samples alone."""

import numpy as np
from scipy.sparse import hstack, issparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from ofer._validation import check_real
from ofer.companions.local_structured._estimator import StructuredEstimatorMixin
from ofer.companions.local_structured._inputs import check_inputs, check_outputs
from ofer.companions.local_structured._space import Scores

__all__ = ["StructuredPerceptron"]


class StructuredPerceptron(StructuredEstimatorMixin, ClassifierMixin, BaseEstimator):
    r"""Averaged structured perceptron: one linear predictor for all inputs.

    Predicts :math:`\arg\max_y w^\top \Phi(x, y)` with the joint representation :math:`\Phi` of an
    `OutputSpace`. Samples come one by one, in a new random order in each pass, and where the
    prediction :math:`\hat y` is wrong, :math:`w` moves by
    :math:`\Phi(x, y) - \Phi(x, \hat y)` [1]_. The weights are the average over all steps.
    Unlabelled samples are ignored.

    Parameters
    ----------
    outputs : {"multiclass", "chain"} or OutputSpace, default="multiclass"
        The space of outputs. By name: classes, or sequences of labels.
    n_iter : int, default=10
        Passes over the labelled samples.
    fit_intercept : bool, default=True
        Whether rows of features have a last one that is constant.
    random_state : int, RandomState instance or None, default=None
        For the order of the samples.

    Attributes
    ----------
    outputs_ : OutputSpace
        The fitted space.
    classes_ : ndarray
        The labels: of samples, or of the steps of sequences.
    coef_ : ndarray of shape (n_features + 1, n_codes)
        Weights of the codes, those of the constant feature last; without it, n_features rows.
    shared_coef_ : ndarray of shape (n_shared,)
        Weights of the shared features, such as transitions.
    n_features_in_ : int
        Number of features of a row.

    See Also
    --------
    LocalStructuredPredictor : One predictor for each neighbourhood, and unlabelled samples.

    Notes
    -----
    A pass takes O(n_labelled d n_codes) and as many inferences, with d the number of features that
    are not zero if rows are sparse. With zero weights, as with other ties, the first label is
    predicted.

    References
    ----------
    .. [1] Collins, "Discriminative training methods for hidden Markov models: theory and
       experiments with perceptron algorithms", EMNLP 2002.

    Examples
    --------
    >>> import numpy as np
    >>> from ofer.companions import StructuredPerceptron
    >>> X = [np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([[0.0, 1.0], [0.0, 1.0], [1.0, 0.0]])]
    >>> y = [["noun", "verb"], ["verb", "verb", "noun"]]
    >>> model = StructuredPerceptron("chain", random_state=0).fit(X, y)
    >>> [sequence.tolist() for sequence in model.predict(X)]
    [['noun', 'verb'], ['verb', 'verb', 'noun']]
    """

    def __init__(self, outputs="multiclass", *, n_iter=10, fit_intercept=True, random_state=None):
        self.outputs = outputs
        self.n_iter = n_iter
        self.fit_intercept = fit_intercept
        self.random_state = random_state

    def fit(self, X, y):
        """Fit the predictor to the labelled samples.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features), or list of (T_i, d)
            Samples; a list of sequences of rows for chains.
        y : array-like of shape (n_samples,), or list of array-like of shape (T_i,)
            Outputs; -1 or None marks an unlabelled sample, for chains None alone.

        Returns
        -------
        self : StructuredPerceptron

        Raises
        ------
        TypeError, ValueError
            If a parameter is out of range, nothing is labelled, or inputs and outputs do not
            match.
        """
        check_real("n_iter", self.n_iter, at_least=1, integer=True)
        space = self._make_space()
        inputs = check_inputs(self, X, sequential=space.sequential, reset=True)
        labelled, outputs = check_outputs(self, y, inputs, sequential=space.sequential)
        self.outputs_ = space.fit(outputs)
        inputs = inputs.take(np.flatnonzero(labelled))
        return self._fit_encoded(inputs, self.outputs_.transform(outputs))

    def _fit_encoded(self, inputs, y):
        """Fit to encoded outputs, with `outputs_` known."""
        rng, space = check_random_state(self.random_state), self.outputs_
        rows = self._with_constant(inputs.rows)
        samples = _samples(rows, inputs)
        W, V = np.zeros((rows.shape[1], space.n_codes_)), np.zeros(space.n_shared_)
        late_W, late_V = W.copy(), V.copy()  # every change times the steps before it
        step = 0
        for _ in range(self.n_iter):
            for i in rng.permutation(len(samples)):
                span, columns, x = samples[i]
                length = inputs.lengths[[i]]
                z = space.decode(Scores(x @ W[columns], V[None], length))
                if (z != y[span]).any():
                    codes, shared = space.features(y[span], length)
                    codes_z, shared_z = space.features(z, length)
                    change_W, change_V = x.T @ (codes - codes_z), (shared - shared_z)[0]
                    W[columns] += change_W
                    V += change_V
                    late_W[columns] += step * change_W
                    late_V += step * change_V
                step += 1
        self.coef_, self.shared_coef_ = W - late_W / step, V - late_V / step
        return self

    def predict(self, X):
        """Predict outputs.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features), or list of (T_i, d)
            Samples.

        Returns
        -------
        ndarray of shape (n_queries,), or list of ndarray of shape (T_i,)
            Outputs, as in `fit`.
        """
        check_is_fitted(self)
        inputs = check_inputs(self, X, sequential=self.outputs_.sequential, reset=False)
        return self.outputs_.inverse_transform(self._predict_encoded(inputs), inputs.lengths)

    def _predict_encoded(self, inputs):
        scores = self._with_constant(inputs.rows) @ self.coef_
        shared = np.repeat(self.shared_coef_[None], len(inputs.lengths), axis=0)
        return self.outputs_.decode(Scores(scores, shared, inputs.lengths))

    def _with_constant(self, rows):
        if not self.fit_intercept:
            return rows
        ones = np.ones((rows.shape[0], 1))
        return (
            np.hstack([rows, ones]) if isinstance(rows, np.ndarray) else hstack([rows, ones], "csr")
        )


def _samples(rows, inputs):
    """For each sample the span of its rows, the columns it uses, and what is in them.

    Of sparse rows these are the columns that are not zero, so that a step takes what they take.
    """
    samples = []
    for start, length in zip(inputs.starts, inputs.lengths, strict=True):
        span, columns = slice(start, start + length), slice(None)
        x = rows[span]
        if issparse(x):
            columns = np.unique(x.indices)
            x = x[:, columns].toarray()
        samples.append((span, columns, x))
    return samples
