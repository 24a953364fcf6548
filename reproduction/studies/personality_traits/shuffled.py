"""Weak labels on apparent personality traits: true ones, and ones dealt out at random."""

import numpy as np
from sklearn.frozen import FrozenEstimator

from ofer import (
    GaussianMixtureEmbedding,
    KernelRidgeCV,
    Memberships,
    OutputFisherRegressor,
)
from ofer.metrics import rrmse
from reproduction.studies.personality_traits.clips import (
    kernels,
    take_split,
)

__all__ = ["PARAMETERS", "evaluate"]

PARAMETERS = {"n_components": 2, "n_weak": 400, "weak_weight": 1.0}


def evaluate(data, method, setting, split):
    """Error on one split of one task without weak labels, with true, or with shuffled ones.

    Weights of words are learned from labelled and weak clips in all three cases.
    """
    clips = take_split(data.Y, setting, split)
    Y, weak = data.Y[clips.labelled], clips.weak[: PARAMETERS["n_weak"]]
    n, seen = len(Y), np.concatenate([clips.labelled, weak])
    K, K_test = kernels(data.counts, seen, clips.test, n_labelled=n)
    mixture = GaussianMixtureEmbedding(PARAMETERS["n_components"], random_state=split).fit(Y)
    labels, told = mixture.predict_proba(data.Y[weak]), None
    if method == "shuffled":
        labels = np.random.default_rng(split).permutation(labels)
    if method == "none":
        K_test = K_test[:, :n]
    else:
        told = Memberships(K[n:], labels, weight=PARAMETERS["weak_weight"])
    model = OutputFisherRegressor(
        FrozenEstimator(mixture), KernelRidgeCV(kernel="precomputed"), block_wise=True
    )
    predicted = model.fit(K[:n, :n], Y, weak=told).predict(K_test)
    return {"rrmse": rrmse(data.Y[clips.test], predicted)}
