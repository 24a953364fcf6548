"""Outputs of unlabelled samples to start from."""

import numpy as np
from sklearn.neighbors import KNeighborsClassifier

from ofer.companions.local_structured.perceptron import StructuredPerceptron

__all__ = ["INITIALISATIONS", "initial_outputs"]

INITIALISATIONS = ("neighbors", "random", "global")


def initial_outputs(y_init, inputs, labelled, outputs, space, fit_intercept, rng):
    """Encoded outputs of all samples.

    Parameters
    ----------
    y_init : {"neighbors", "random", "global"} or outputs of all samples
        For unlabelled samples: the majority among the five nearest labelled rows, weighted by
        their inverse distances, row by row; uniform draws; the prediction of a
        `StructuredPerceptron`; or what is given.
    inputs : Inputs
        All samples.
    labelled : ndarray of shape (n_samples,)
        Which of them are labelled.
    outputs : ndarray of shape (n_labelled_rows,)
        Their encoded outputs.
    space : OutputSpace
        The fitted space.
    fit_intercept : bool
        Whether the perceptron has an intercept.
    rng : RandomState
        For draws.

    Returns
    -------
    ndarray of shape (n_rows,)

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
    if not isinstance(y_init, str):
        given = _check_given(y_init, inputs, space)
        y[~known] = given[~known]
    elif y_init == "random":
        y[~known] = rng.randint(space.n_labels_, size=(~known).sum())
    elif y_init == "neighbors":
        model = KNeighborsClassifier(min(5, int(known.sum())), weights="distance")
        y[~known] = model.fit(inputs.rows[known], outputs).predict(inputs.rows[~known])
    else:
        model = StructuredPerceptron(fit_intercept=fit_intercept, random_state=rng)
        model.outputs_ = space
        model._fit_encoded(inputs.take(np.flatnonzero(labelled)), outputs)
        y[~known] = model._predict_encoded(inputs.take(np.flatnonzero(~labelled)))
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
