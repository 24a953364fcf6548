"""The averaged structured perceptron: one linear predictor for all inputs."""

import numpy as np
from scipy.sparse import issparse

from ofer.companions.local_structured.inputs import with_constant
from ofer.companions.local_structured.space import Scores


def learn_weights(inputs, y, space, *, n_iter, fit_intercept, rng):
    r"""Averaged weights of codes and of shared features, from labelled inputs.

    Samples come one by one, in a new random order in each of `n_iter` passes, and where the
    prediction :math:`\hat y` is wrong, the weights move by
    :math:`\Phi(x, y) - \Phi(x, \hat y)` [1]_. A pass takes O(n d n_codes) and n inferences, with d
    the number of features that are not zero if rows are sparse.

    Encoded outputs `y` are of a fitted space. With an intercept, rows have a last feature that is
    constant. Returns the weights (d, n_codes) of codes and (n_shared,) of shared features.

    References
    ----------
    .. [1] Collins, "Discriminative training methods for hidden Markov models: theory and
       experiments with perceptron algorithms", EMNLP 2002.
    """
    rows = with_constant(inputs.rows, fit_intercept)
    samples = _samples(rows, inputs)
    W, V = np.zeros((rows.shape[1], space.n_codes_)), np.zeros(space.n_shared_)
    late_W, late_V = W.copy(), V.copy()  # every change times the steps before it
    step = 0
    for _ in range(n_iter):
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
    return W - late_W / step, V - late_V / step


def predict_encoded(inputs, space, coef, shared_coef, *, fit_intercept):
    """Encoded outputs of the highest scores under given weights."""
    scores = with_constant(inputs.rows, fit_intercept) @ coef
    shared = np.repeat(shared_coef[None], len(inputs.lengths), axis=0)
    return space.decode(Scores(scores, shared, inputs.lengths))


def _samples(rows, inputs):
    """For each sample the span of its rows, the columns it uses, and what is in them.

    Of sparse rows these are the columns that are not zero, so that a step takes what they take.
    """
    samples = []
    for end, length in zip(np.cumsum(inputs.lengths), inputs.lengths, strict=True):
        span = slice(end - length, end)
        x = rows[span]
        columns = np.unique(x.indices) if issparse(x) else slice(None)
        samples.append((span, columns, x[:, columns].toarray() if issparse(x) else x))
    return samples
