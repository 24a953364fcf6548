"""Tables 1, 2 and 4 with Fisher vectors and learned weights as the paper gives them.

Section 2 takes gradients "without any further rescalings or normalizations", and section 4.2 names
that kernel as the rival. No sentence says whether vectors were standardised before a softmax, an
SVM or LMNN. The tables themselves standardise them, which takes learned weights away again, but for
nearest neighbours. Here the vectors are what they are.
"""

import warnings
from functools import partial
from itertools import product

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import Bunch

from reproduction.engine.declaration import Check, Experiment, Facts, Tolerance
from reproduction.engine.readings import Dimension, Readings
from reproduction.studies.second_volume.fisher_kernels import classification
from reproduction.studies.second_volume.fisher_kernels.classification import SIZES
from reproduction.studies.second_volume.fisher_kernels.learned import learn_as_printed
from reproduction.studies.second_volume.fisher_kernels.node_scaler import NodeScaler
from reproduction.studies.second_volume.fisher_kernels.representations import (
    Vectors,
    classify,
    represent,
)

__all__ = ["declare", "evaluate"]

# Without standardised vectors an iteration of LMNN takes up to ten times as long.
PARAMETERS = {**classification.PARAMETERS, "margin_max_iter": 50}
FISHER, LEARNED = "Fisher, raw", "FKL as printed, kept"

_DIMENSIONS = (
    Dimension(
        name="Fisher vectors",
        words="“without any further rescalings or normalizations” (section 2)",
        options=("standardised", "raw"),
        why="Classifiers of the time ask for standardised features; section 4.2 says nothing.",
    ),
    Dimension(
        name="learned weights",
        words="Nothing is said of them before a softmax, an SVM or LMNN.",
        options=("standardised away", "kept"),
        why="All representations go through the same pipeline.",
    ),
)


def _readings(of):
    return Readings(
        of=of,
        dimensions=_DIMENSIONS,
        choices=tuple(product(*(dimension.options for dimension in _DIMENSIONS))),
        labels={
            "Fisher": "Fisher, {Fisher vectors}",
            "FKL as printed": "FKL as printed, {learned weights}",
        },
        # Vectors of the first two are always standardised; a claim on the last needs no reading.
        missing=("FKL", "random model", FISHER),
    )


def evaluate(data, method, setting, split):
    """Errors of all classifiers on vectors as they are."""
    train, test = data.splits[split]
    objects, seen = [[data.objects[i] for i in part] for part in (train, test)], data.y[train]
    if not data.model:
        scaler = NodeScaler().fit(objects[0])
        objects = [scaler.transform(part) for part in objects]
    if method == FISHER:
        options = {"model": data.model, "seed": split}
        vectors = represent("Fisher", int(setting), objects[0], seen, objects[1], **options)
    else:
        vectors = _learned(data, int(setting), *objects, seen, split)
    options = {"seed": split, "margin_max_iter": PARAMETERS["margin_max_iter"]}
    answers, _ = classify(vectors, seen, standardise=False, **options)
    return {name: 100.0 * np.mean(answer != data.y[test]) for name, answer in answers.items()}


def _learned(data, n_states, train, test, y, split):
    """Weighted scores; of a whole division, model and weights are kept."""
    name = f"{data.name}-{n_states}-{split}" if data.name else None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # as in `represent`
        options = {"model": data.model, "seed": split, "parameters": PARAMETERS, "name": name}
        model, weights = learn_as_printed(n_states, train, y, **options)
        return Vectors(*(model.score_vectors(part) * weights for part in (train, test)))


def load(name):
    """As `classification.load`, with the name under which learned models are kept."""
    return Bunch(**classification.load(name), name=name.replace(" ", "-"))


def load_part(name):
    """As `classification.load_part`; nothing that is learned on a part is kept."""
    return Bunch(**classification.load_part(name), name="")


def declare(read, name, *, n_splits=None, **some):
    """Readings of one of Tables 1, 2 and 4."""
    number = read.id[-2:]
    return Experiment(
        id=f"fkl-readings-{number}",
        title=f"Fisher kernel learning, Table {int(number)} with vectors as they are",
        load=partial(load, name),
        evaluate=evaluate,
        methods=(FISHER, LEARNED),
        scores=classification.ERRORS,
        settings=SIZES,
        n_splits=n_splits or read.n_splits,
        **some,
        parameters=PARAMETERS,
        datasets=read.datasets,
        check=Check(settings=("2",), load=partial(load_part, name)),
        tolerance=Tolerance(
            rtol=1e-4,
            atol=dict.fromkeys(("1-NN", "LMNN", "SVM", "softmax"), 6.0),
        ),
        facts=Facts(
            readings=(_readings(read.id),),
            test_train_ratio=read.facts.test_train_ratio,
            thinned=read.facts.thinned,
            not_recorded=read.facts.not_recorded,
        ),
    )
