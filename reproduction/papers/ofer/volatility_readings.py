"""Table 6 in the readings that the paper leaves open: an intercept, and how words are counted.

The kernel is not open: "In m-KRR, IOKR and OFER-GSSM, kernel k was chosen linear". Equation (13)
has no intercept, and no sentence says whether the outputs were centred. Texts are "represented
using the classic TF-IDF", which takes counts or their logarithms.
`reproduction.papers.ofer.text_volatility` has the first of the four readings, logarithmic counts
without an intercept.
"""

from itertools import product

import numpy as np
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.metrics.pairwise import linear_kernel

from ofer.metrics import rrmse
from reproduction.datasets.texts.maec_volatility import fetch_maec_volatility
from reproduction.engine.declaration import Check, Experiment, Facts
from reproduction.engine.readings import Dimension, Readings
from reproduction.papers.ofer import text_volatility
from reproduction.papers.ofer.text_volatility import load_part, predict, take_fold

__all__ = ["EXPERIMENT", "READINGS", "add_constant", "evaluate", "weigh_counts"]

WORDS = ("logarithmic counts", "counts")
INTERCEPTS = ("no intercept", "intercept")
MEAN = "training mean"
PARAMETERS = text_volatility.PARAMETERS | {
    # The kernel of a constant feature of this square: an intercept that the ridges here, up to 32,
    # hardly penalise.
    "constant": 1e4,
}
OPEN = ("m-KRR", "IOKR", "IOKR-DTW", "IOKR-GAK", "OFER-GSSM as printed")
# These have an intercept, or no use for one.
WORDS_ONLY = ("m-KRR centred", "m-RF", "OFER-GSSM")
READINGS = Readings(
    of="ofer-table-06",
    dimensions=(
        Dimension(
            name="words",
            words="“represented using the classic TF-IDF”",
            options=WORDS,
            why="Logarithms damp the words that a long text repeats.",
        ),
        Dimension(
            name="intercept",
            words="Equation (13) has none; no sentence says whether outputs were centred.",
            options=INTERCEPTS,
            why="The equation is what is printed.",
        ),
    ),
    choices=tuple(product(WORDS, INTERCEPTS)),
    labels={method: f"{method}, {{words}}, {{intercept}}" for method in OPEN}
    | {method: f"{method}, {{words}}" for method in WORDS_ONLY},
)
# The rows of the first reading are those of Table 6.
_READINGS = {
    ", ".join(reading): reading
    for reading in product(OPEN, WORDS, INTERCEPTS)
    if reading[1:] != READINGS.choices[0]
} | {f"{method}, {WORDS[1]}": (method, WORDS[1], INTERCEPTS[0]) for method in WORDS_ONLY}


def evaluate(data, method, setting, split):
    """Errors of a method in a reading on one fold, step by step and of the whole series."""
    fold, truth = take_fold(data, split)
    if method == MEAN:
        predicted = np.tile(fold.Y.mean(axis=0), (len(truth), 1))
    else:
        method, words, intercept = _READINGS[method]
        if words == WORDS[1]:
            fold = weigh_counts(data, fold)
        if intercept == "intercept":
            fold = add_constant(fold)
        predicted, _ = predict(method, fold)
    steps = {f"step {t + 1}": [t] for t in range(truth.shape[1])} | {"global": slice(None)}
    return {f"rrmse {name}": rrmse(truth[:, s], predicted[:, s]) for name, s in steps.items()}


def weigh_counts(data, fold):
    """The same fold with TF-IDF of counts, not of their logarithms."""
    train = np.isin(data.company, fold.company)
    weigh = TfidfTransformer(sublinear_tf=False).fit(data.counts[train])
    words, words_test = (weigh.transform(data.counts[part]) for part in (train, ~train))
    return fold._replace(
        words=words,
        words_test=words_test,
        K=linear_kernel(words, dense_output=True),
        K_test=linear_kernel(words_test, words, dense_output=True),
    )


def add_constant(fold):
    """The same fold with an intercept in its kernel."""
    constant = PARAMETERS["constant"]
    return fold._replace(K=fold.K + constant, K_test=fold.K_test + constant)


EXPERIMENT = Experiment(
    id="ofer-readings-volatility",
    title="Table 6 in four readings: intercept, and counts of words",
    load=fetch_maec_volatility,
    evaluate=evaluate,
    methods=(*_READINGS, MEAN),
    settings=text_volatility.EXPERIMENT.settings,
    n_splits=PARAMETERS["n_folds"],
    parameters=PARAMETERS,
    datasets=("maec_volatility",),
    check=Check(load=load_part),
    facts=Facts(
        test_train_ratio=text_volatility.EXPERIMENT.facts.test_train_ratio,
        readings=(READINGS,),
    ),
)
