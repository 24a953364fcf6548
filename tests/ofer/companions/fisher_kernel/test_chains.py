"""Derivatives of the marginals of chains."""

import numpy as np
from numpy.testing import assert_allclose

from ofer.companions.fisher_kernel.chains import Chains

RNG = np.random.default_rng(0)


def tangent_by_differences(lengths, potentials, transition, node_moves, moves, step=1e-5):
    """How the marginals of each chain move, a chain at a time; pairs summed over all."""
    ends = np.cumsum(lengths)
    nodes, pairs = [], 0.0
    for length, end, move in zip(lengths, ends, moves, strict=True):
        own = slice(end - length, end)
        up, down = (
            Chains(np.array([length])).infer(
                potentials[own] + sign * step * node_moves[own], transition + sign * step * move
            )
            for sign in (1, -1)
        )
        nodes.append((up.nodes - down.nodes) / (2 * step))
        pairs = pairs + (up.pair_sums[0] - down.pair_sums[0]) / (2 * step)
    return np.vstack(nodes), pairs


def test_tangent_is_the_derivative_of_marginals():
    """In directions of each chain's own, the longest chain first."""
    lengths, K = np.array([7, 7, 4, 2, 1]), 3
    potentials, node_moves = RNG.normal(size=(2, lengths.sum(), K))
    transition, moves = 2 * RNG.normal(size=(K, K)), RNG.normal(size=(len(lengths), K, K))
    chains = Chains(lengths)
    inferred = chains.infer(potentials, transition)
    found = chains.tangent(inferred, transition, node_moves, moves)
    expected = tangent_by_differences(lengths, potentials, transition, node_moves, moves)
    for one, two in zip(found, expected, strict=True):
        assert_allclose(one, two, atol=1e-8)
