"""Models and weights that Fisher kernel learning has learned, kept: nobody learns them again.

Learning takes minutes to an hour, and its last digits depend on the processor. A file holds the
parameters of a model and the weights of its scores; its name has a checksum of the training set and
of the options. What code has learned is checked where tables are: their check slices learn anew, on
a part of the data. If other code learns otherwise there, the files are to be removed.
"""

import hashlib
import json

import numpy as np

from ofer.companions import FisherKernelLearner, PairwiseMRF
from reproduction.files import replacing
from reproduction.paths import CHECKOUT

__all__ = ["learn_as_printed"]

FOLDER = CHECKOUT / "book" / "learned"


def learn_as_printed(n_states, train, y, *, model, seed, parameters, name=None):
    """Model and weights from a random start, by alternation, as the paper has it."""
    start = PairwiseMRF(n_states, init="random", max_iter=0, random_state=seed, **model)
    caps = {"max_iter": parameters["learner_max_iter"], "tol": parameters["learner_tol"]}
    path = None
    if name is not None:
        options = json.dumps([n_states, model, seed, caps], sort_keys=True)
        key = hashlib.sha256(f"{options}{_checksum(train, y)}".encode()).hexdigest()[:16]
        path = FOLDER / f"{name}-{key}.npz"
        if path.exists():
            with np.load(path) as kept:
                arrays = dict(kept)
            weights = arrays.pop("weights")
            return start.fit(train).set_parameters(**arrays), weights
    learner = FisherKernelLearner(start, optimizer="alternating", **caps).fit(train, y)
    if path is not None:
        path.parent.mkdir(exist_ok=True)
        with replacing(path) as draft, draft.open("wb") as file:
            np.savez_compressed(file, weights=learner.weights_, **learner.model_.parameters_)
    return learner.model_, learner.weights_


def _checksum(objects, y):
    """Of the training set, in whatever form its objects are."""
    digest = hashlib.sha256(np.ascontiguousarray(y).tobytes())
    for item in objects:
        for array in item if isinstance(item, tuple) else (item,):
            digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()
