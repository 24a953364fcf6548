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


def infer(structure, potentials, parameters):
    """Marginals of the hidden states for node potentials (N, K), without the initial ones."""
    initial, rows = parameters["initial"], structure.start_rows
    potentials = potentials.copy()
    potentials[rows] += initial if initial.ndim == 1 else initial[structure.owner[rows]]
    return structure.infer(potentials, parameters["transition"])


def expect(batch, emission, parameters):
    """Expectation of the hidden states of a batch's objects given what is seen.

    Parameters are shared or an object's own, in the batch's shifted coordinates.
    """
    structure = batch.structure
    potentials = emission.log_density(batch.nodes, structure.owner, parameters)
    inferred = infer(structure, potentials, parameters)
    seen = emission.statistics(batch.nodes, structure.node_sum, inferred.nodes)
    return Expectation(*inferred.sums(structure))._replace(emission=seen)


def expect_prior(structure, parameters):
    """Expectation of the hidden states with nothing seen, by the model alone.

    With shared parameters it is computed once for all objects of one structure.
    """
    like = slice(None)
    if parameters["transition"].ndim == 2:
        structure, like = structure.distinct()
    found = structure.infer_unseen(parameters["initial"], parameters["transition"])
    return Expectation(*(part[like] for part in found))


def score(posterior, prior, parameters, layout):
    """Gradients (n, P) of log-likelihoods: expected sums given what is seen, minus the model's."""
    gradients = {
        "initial": posterior.initial - prior.initial,
        "transition": posterior.transition - prior.transition,
        **layout.emission.score(posterior.emission, parameters),
    }
    return layout.flatten_gradient(gradients)
