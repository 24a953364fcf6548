"""Outputs of unlabelled samples to start from."""

import numpy as np
from scipy.sparse import issparse
from sklearn.neighbors import KNeighborsClassifier

from ofer.companions._distances import dwarfed
from ofer.companions.local_structured.inputs import decimal_unit
from ofer.companions.local_structured.perceptron import learn_weights, predict_encoded

INITIALISATIONS = {"neighbors", "random", "global"}


def initial_outputs(y_init, inputs, labelled, outputs, space, fit_intercept, rng):
    """Encoded outputs of all samples.

    `outputs` are those of the labelled samples, in a fitted space. `y_init` is one of
    `INITIALISATIONS`, or outputs of all samples: ValueError if these do not fit samples or space.
    """
    y = np.empty(inputs.rows.shape[0], dtype=int)
    known = np.repeat(labelled, inputs.lengths)
    y[known] = outputs
    if known.all():
        return y
    if not isinstance(y_init, str):
        y[~known] = _check_given(y_init, inputs, space)[~known]
        return y
    seen, unseen = inputs.take(np.flatnonzero(labelled)), inputs.take(np.flatnonzero(~labelled))
    if y_init == "neighbors":  # majority of the five nearest labelled rows
        far = not issparse(seen.rows) and dwarfed(seen.rows)
        options = {"weights": "distance", "algorithm": "kd_tree" if far else "auto"}
        model = KNeighborsClassifier(min(5, len(outputs)), **options)
        y[~known] = model.fit(seen.rows, outputs).predict(unseen.rows)
    elif y_init == "random":
        y[~known] = rng.randint(len(space.labels_), size=unseen.rows.shape[0])
    else:
        options = {"fit_intercept": fit_intercept}
        squares = seen.rows.multiply(seen.rows) if issparse(seen.rows) else np.square(seen.rows)
        unit = decimal_unit(squares.sum() / len(outputs))  # that of a constant and of transitions
        seen, unseen = (part._replace(rows=part.rows / unit) for part in (seen, unseen))
        weights = learn_weights(seen, outputs, space, n_iter=10, rng=rng, **options)
        y[~known] = predict_encoded(unseen, space, *weights, **options)
    return y


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
