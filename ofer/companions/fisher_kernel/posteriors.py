"""Marginals of the hidden states of all objects."""

from typing import NamedTuple

import numpy as np

from ofer.companions.fisher_kernel.expectations import expect_prior, infer
from ofer.companions.fisher_kernel.graphs import TOLERANCE

__all__ = ["Posteriors", "infer_posteriors"]


class Posteriors(NamedTuple):
    """Marginals of the hidden states given what is seen, and how far propagation converged."""

    nodes: list  # of (n_nodes, K): p(z_i = k | X)
    edges: list  # of (n_edges, K, K): p(z_i = k, z_j = m | X), in the order of the edges
    loglikelihoods: np.ndarray  # (n,)
    residuals: np.ndarray  # (n,), change of a log message in the last sweep; 0 on chains
    n_sweeps: np.ndarray  # (n,), the more of the two runs with and without what is seen
    converged: np.ndarray  # (n,)


def infer_posteriors(packed, layout, vector):
    """Posteriors of packed objects under shared parameters (P,)."""
    parameters, n = layout.unpack(vector), packed.n_objects
    result = Posteriors(
        [None] * n, [None] * n, np.empty(n), np.empty(n), np.empty(n, int), np.empty(n, bool)
    )
    for batch in packed.batches:
        structure, places = batch.structure, batch.places
        potentials = layout.emission.log_density(batch.nodes, structure.owner, parameters)
        inferred = infer(structure, potentials, parameters)
        prior = expect_prior(structure, parameters)
        pairs = structure.pairs(inferred, parameters["transition"])
        for place, nodes, edges in zip(
            places,
            np.split(inferred.nodes, np.cumsum(structure.sizes)[:-1]),
            np.split(pairs, np.cumsum(structure.count_pairs())[:-1]),
            strict=True,
        ):
            result.nodes[place], result.edges[place] = nodes, edges
        result.loglikelihoods[places] = inferred.log_partitions - prior.log_partitions
        result.residuals[places] = np.maximum(inferred.residuals, prior.residuals)
        result.n_sweeps[places] = np.maximum(inferred.n_sweeps, prior.n_sweeps)
    result.converged[:] = result.residuals <= TOLERANCE
    return result
