"""Statements of section 2 on the scores of a model of maximum likelihood."""

import warnings

import numpy as np
from scipy.stats import spearmanr
from sklearn.exceptions import ConvergenceWarning

from ofer.companions import PairwiseMRF
from reproduction.datasets.generated.markov_sequences import make_markov_sequences
from reproduction.studies.second_volume.fisher_kernels.node_scaler import NodeScaler

__all__ = ["PARAMETERS", "evaluate"]

PARAMETERS = {
    "n_objects": 200,
    "n_states": 5,
    "n_iter": 100,  # of EM, at most
    "walks": {"n_classes": 4, "persistence": 0.5, "min_steps": 20, "max_steps": 40},
}


def evaluate(data, method, setting, split):
    """Lengths of scores before and after maximum likelihood, and how they are distributed."""
    objects, y = _take(data, setting, split)
    objects = NodeScaler().fit(objects).transform(objects)
    start, end = (_fit(objects, n, split) for n in (0, PARAMETERS["n_iter"]))
    before, after = (_lengths(model.score_vectors(objects), y) for model in (start, end))
    lengths = np.linalg.norm(end.score_vectors(objects), axis=1)
    likely = end.loglikelihood(objects)
    a_node = likely / [len(one) for one in objects]
    return {
        **{name: after[name] / before[name] for name in before},
        "median over largest": np.median(lengths) / lengths.max(),
        "length and likelihood": spearmanr(lengths, likely).statistic,
        "length and likelihood a node": spearmanr(lengths, a_node).statistic,
    }


def _take(data, setting, split):
    """Objects and classes."""
    if setting == "walks":
        drawn = make_markov_sequences(
            PARAMETERS["n_objects"], random_state=split, **PARAMETERS["walks"]
        )
        return drawn.sequences, drawn.y
    chosen = np.random.default_rng(split).permutation(len(data.y))[: PARAMETERS["n_objects"]]
    return [data.sequences[i] for i in chosen], data.y[chosen]


def _fit(objects, n_iter, seed):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the number of iterations is a choice
        return PairwiseMRF(
            PARAMETERS["n_states"], max_iter=n_iter, tol=1e-4, random_state=seed
        ).fit(objects)


def _lengths(G, y):
    means = [G[y == label].mean(axis=0) for label in np.unique(y)]
    return {
        "mean of all": np.linalg.norm(G.mean(axis=0)),
        "mean of a class": np.linalg.norm(means, axis=1).mean(),
        "single object": np.sqrt(np.square(G).sum(axis=1).mean()),
    }
