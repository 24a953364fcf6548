"""Expectations and Fisher scores of objects under a pairwise Markov random field."""

from typing import NamedTuple

import numpy as np


class Marginals(NamedTuple):
    """Marginals of the hidden states of n objects."""

    log_partitions: np.ndarray  # (n,), log of the sum over all states; on graphs that of Bethe
    nodes: np.ndarray  # (N, K), rows sum to one
    pair_sums: np.ndarray  # (n, K, K), marginals of neighbours, summed over each object
    messages: tuple  # what a structure's `pairs` makes the marginals of all neighbours of
    residuals: np.ndarray  # (n,), change of a log message in the last sweep; 0 on chains
    n_sweeps: np.ndarray  # (n,)

    def sums(self, structure):
        """Sums over each object, as an `Expectation` begins."""
        starts = structure.sum_starts(self.nodes)
        return starts, self.pair_sums, self.log_partitions, self.residuals, self.n_sweeps


class Expectation(NamedTuple):
    """Expected sums over each object, of what multiplies the parameters, and their normalisers."""

    initial: np.ndarray  # (n, K), over the nodes that have the initial potential
    transition: np.ndarray  # (n, K, K), over edges
    log_partitions: np.ndarray  # (n,), logs of what the sums are normalised by
    residuals: np.ndarray  # (n,), how well they converged
    n_sweeps: np.ndarray  # (n,)
    emission: tuple = ()  # the emission's sums; none without anything seen
    marginals: Marginals | None = None  # what all these are made of, for tangents


def infer(structure, potentials, parameters, near=None):
    """Marginals of the hidden states for node potentials (N, K), without the initial ones.

    Where messages are sent until they settle, they start from those of the marginals `near`.
    """
    potentials = potentials.copy()
    potentials[structure.start_rows] += parameters["initial"]
    return structure.infer(potentials, parameters["transition"], near)


def expect(batch, emission, parameters, near=None):
    """Expectation of the hidden states of a batch's objects given what is seen.

    Parameters are in the batch's frame; `near` is as for `infer`.
    """
    structure = batch.structure
    inferred = infer(structure, emission.log_density(batch.nodes, parameters), parameters, near)
    seen = emission.statistics(batch, inferred.nodes, parameters)
    return Expectation(*inferred.sums(structure))._replace(emission=seen, marginals=inferred)


def expect_prior(packed, parameters):
    """Expectation of the hidden states of all objects with nothing seen, by the model alone."""
    sums = [
        one.structure.infer_unseen(parameters["initial"], parameters["transition"])
        for one in packed.unseen
    ]
    return spread(packed, sums)


def spread(packed, sums_of_structures):
    """Expectation of all objects, of that of each structure without its nodes."""
    parts = [
        np.empty((packed.n_objects, *part.shape[1:]), part.dtype) for part in sums_of_structures[0]
    ]
    for group, sums in zip(packed.unseen, sums_of_structures, strict=True):
        for whole, values in zip(parts, sums, strict=True):
            whole[group.places] = values[group.like]
    return Expectation(*parts)


def score(posterior, prior, places, parameters, layout):
    """Gradients (n, P) of log-likelihoods: expected sums given what is seen, minus the model's.

    The places are those of a batch's objects among all.
    """
    gradients = {
        "initial": posterior.initial - prior.initial[places],
        "transition": posterior.transition - prior.transition[places],
        **layout.emission.score(posterior.emission, parameters),
    }
    return layout.flatten_gradient(gradients)


def infer_unseen(structure, parameters, near=None):
    """Marginals of the hidden states with nothing seen; `near` is as for `infer`."""
    potentials = np.zeros((len(structure.owner), len(parameters["initial"])))
    return infer(structure, potentials, parameters, near)


def tangent(structure, marginals, parameters, moves, node_moves):
    """Derivatives of marginals in the direction of each object's own.

    Moves of the potentials are by name, (n, ...); those of the nodes, (N, K), are without the
    initial ones, and overwritten. Returns the derivatives (N, K) of the nodes' marginals, and
    those of the expected sums by name, over all objects.
    """
    rows = structure.start_rows
    node_moves[rows] += moves["initial"][structure.owner[rows]]
    rises, pair_sums = structure.tangent(
        marginals, parameters["transition"], node_moves, moves["transition"]
    )
    return rises, {"initial": rises[rows].sum(axis=0), "transition": pair_sums}
