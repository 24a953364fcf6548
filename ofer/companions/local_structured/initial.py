"""Outputs of unlabelled samples to start from."""

import numpy as np
from sklearn.neighbors import KNeighborsClassifier

from ofer.companions.local_structured.perceptron import learn_weights, predict_encoded

__all__ = ["INITIALISATIONS", "initial_outputs"]


def initial_outputs(y_init, inputs, labelled, outputs, space, fit_intercept, rng):
    """Encoded outputs of all samples.

    `y_init` is one of `INITIALISATIONS`, or outputs of all samples; `outputs` are the encoded ones
    of the labelled samples, in a fitted space.

    Raises
    ------
    ValueError
        If outputs that are given do not fit the samples or the space.
    """
    y = np.empty(inputs.rows.shape[0], dtype=int)
    known = np.repeat(labelled, inputs.lengths)
    y[known] = outputs
    if known.all():
        return y
    if isinstance(y_init, str):
        parts = inputs.take(np.flatnonzero(labelled)), inputs.take(np.flatnonzero(~labelled))
        y[~known] = INITIALISATIONS[y_init](*parts, outputs, space, fit_intercept, rng)
    else:
        y[~known] = _check_given(y_init, inputs, space)[~known]
    return y


def _by_neighbors(seen, unseen, outputs, space, fit_intercept, rng):
    """The majority among the five nearest labelled rows, weighted by inverse distances."""
    model = KNeighborsClassifier(min(5, len(outputs)), weights="distance")
    return model.fit(seen.rows, outputs).predict(unseen.rows)


def _at_random(seen, unseen, outputs, space, fit_intercept, rng):
    """Uniform draws."""
    return rng.randint(len(space.labels_), size=unseen.rows.shape[0])


def _by_perceptron(seen, unseen, outputs, space, fit_intercept, rng):
    """The predictions of a global predictor."""
    weights = learn_weights(seen, outputs, space, n_iter=10, fit_intercept=fit_intercept, rng=rng)
    return predict_encoded(unseen, space, *weights, fit_intercept=fit_intercept)


INITIALISATIONS = {"neighbors": _by_neighbors, "random": _at_random, "global": _by_perceptron}


def _check_given(y_init, inputs, space):
    if len(y_init) != len(inputs.lengths):
        raise ValueError(
            f"y_init must have one output for each of {len(inputs.lengths)} samples; "
            f"got {len(y_init)}."
        )
    if space.sequential:
        for i, (sequence, length) in enumerate(zip(y_init, inputs.lengths, strict=True)):
            if len(sequence) != length:
                raise ValueError(f"y_init[{i}] must have {length} labels; got {len(sequence)}.")
    return space.transform(y_init)
