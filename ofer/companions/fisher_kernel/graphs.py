"""Marginals of hidden states on graphs with cycles: sum-product, many graphs at once."""

from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order, connected_components

from ofer.companions.fisher_kernel.expectations import Marginals
from ofer.companions.fisher_kernel.row_reductions import indicator, maxima

TOLERANCE = 1e-12  # change of a log message in a sweep, of a graph that has converged
TANGENT_TOLERANCE = 1e-10  # the same of a derivative, as a share of the longest move
LARGE = 1e6  # of a node potential, whose part that all states share is counted apart
STAGES = ((100, 0.0), (200, 0.3))  # sweeps at most, and the share that stays as it was


class _Step(NamedTuple):
    """Messages that may be sent at once, as none of them waits for another."""

    senders: np.ndarray  # nodes
    incoming: csr_array  # (senders, messages), sums what a sender has received
    messages: np.ndarray
    rows: np.ndarray  # the message's sender among the senders
    along: np.ndarray  # whether the message runs from an edge's first node to its second


class Graphs:
    """Undirected graphs, whose nodes and edges follow one another.

    `sizes` (n,) are those of the graphs, `edges` (E, 2) pairs of rows of the node array, each once.

    *Schedule.* Nodes are ranked breadth first, each component from its first node. A sweep goes up,
    from the last rank to the first, a node sending to those before it; then down. On a tree one
    sweep is exact. Nodes that do not wait for each other send at the same time, over all graphs,
    which changes nothing but the speed. A graph that has converged is left alone.
    """

    def __init__(self, sizes, edges):
        n, n_nodes, n_edges = len(sizes), sizes.sum(), len(edges)
        self.sizes, self.edges = sizes, edges
        self.owner = np.repeat(np.arange(n), sizes)
        self.node_sum = indicator(self.owner, n)
        self.start_rows = np.arange(n_nodes)
        self.edge_owner = self.owner[edges[:, 0]]
        self.edge_sum = indicator(self.edge_owner, n)
        # Message e runs along edge e, message n_edges + e against it.
        self.source = np.concatenate([edges[:, 0], edges[:, 1]])
        self.target = np.concatenate([edges[:, 1], edges[:, 0]])
        self.message_owner = np.concatenate([self.edge_owner, self.edge_owner])
        self.reverse = (np.arange(2 * n_edges) + n_edges) % max(2 * n_edges, 1)
        self.incoming = indicator(self.target, n_nodes)
        self.steps = self._schedule(_rank(n_nodes, edges))

    def sum_starts(self, marginals):
        """Sums, for each graph, over the nodes that have the initial potential: all of them."""
        return self.node_sum @ marginals

    def infer(self, potentials, transition, near=None):
        """Beliefs for node potentials (N, K) and transitions (K, K).

        Messages start from those of `near`, beliefs for other potentials, if any. Costs O(E K^2)
        time a sweep and O(E K^2) memory.
        """
        peaks = maxima(potentials)
        # What such a node knows would cost its neighbours their digits, where both are added.
        peaks = np.where(np.abs(peaks) > LARGE, peaks, 0.0)
        potentials = potentials - peaks[:, None] if peaks.any() else potentials
        start = None if near is None else near.messages[1]
        messages, residuals, n_sweeps = self._propagate(potentials, transition, start)
        totals = potentials + self.incoming @ messages
        node_logs = _logsumexp(totals)
        n, K = len(self.sizes), potentials.shape[1]
        along, against = np.split(messages, 2)
        first, second = totals[self.edges[:, 0]] - against, totals[self.edges[:, 1]] - along
        pairs = first[:, :, None] + transition + second[:, None, :]
        flat = pairs.reshape(-1, K * K)
        edge_logs = _logsumexp(flat)
        flat = np.exp(flat - edge_logs[:, None])
        # Each edge counts its nodes once more, and each node is to count once.
        degrees = np.bincount(self.target, minlength=len(potentials))
        return Marginals(
            np.bincount(self.owner, (1 - degrees) * node_logs + peaks, n)
            + self.edge_sum @ edge_logs,
            np.exp(totals - node_logs[:, None]),
            (self.edge_sum @ flat).reshape(n, K, K),
            (flat.reshape(-1, K, K), messages),
            residuals,
            n_sweeps,
        )

    def infer_unseen(self, initial, transition):
        """Sums of the beliefs with nothing seen: starts, pairs, log partitions, and as `infer`."""
        potentials = np.broadcast_to(initial, (len(self.owner), len(initial)))
        return self.infer(potentials, transition).sums(self)

    def tangent(self, inferred, transition, node_moves, moves):
        r"""How beliefs move as potentials do: takes and returns what `Chains.tangent` does.

        A message is the logarithm of a sum, so its derivative is a mean over the states k of the
        sender, :math:`m'_l = \sum_k p(k \mid l) (c'_k + U_{kl})`: of what the sender has received
        from others, c, and of the direction of the transitions, U. The probabilities are those of
        the edge's belief. Constants do not matter. Messages are sent by the schedule of `infer`
        until they stop changing.
        """
        beliefs, moves = inferred.messages[0], moves[self.edge_owner]
        pairs = np.concatenate([beliefs, np.swapaxes(beliefs, 1, 2)])
        totals = pairs.sum(axis=1, keepdims=True)
        given = np.divide(pairs, totals, out=pairs, where=totals > 0)  # (2 E, sender, target)
        edge_moves = np.concatenate(
            [
                np.einsum("ekl,ekl->el", given[: len(moves)], moves),
                np.einsum("ekl,elk->el", given[len(moves) :], moves),
            ]
        )

        def send(step, messages):
            received = node_moves[step.senders] + step.incoming @ messages
            cavity = received[step.rows] - messages[self.reverse[step.messages]]
            new = np.einsum("mk,mkl->ml", cavity, given[step.messages]) + edge_moves[step.messages]
            return new - new.mean(axis=1, keepdims=True)  # constants would grow around loops

        size = max(np.abs(node_moves).max(), np.abs(moves).max(initial=0))
        messages, changes, _ = self._sweep(
            np.zeros_like(edge_moves), send, TANGENT_TOLERANCE * size
        )
        grow = ~(changes <= size)  # still, by more than what moved them
        messages[grow[self.message_owner]] = 0.0
        node_moves[grow[self.owner]] = 0.0
        moves[grow[self.edge_owner]] = 0.0
        totals = node_moves + self.incoming @ messages
        nodes = inferred.nodes * (totals - (inferred.nodes * totals).sum(axis=1, keepdims=True))
        along, against = np.split(messages, 2)
        first, second = totals[self.edges[:, 0]] - against, totals[self.edges[:, 1]] - along
        moves += first[:, :, None]
        moves += second[:, None, :]
        means = np.einsum("ekl,ekl->e", beliefs, moves)
        pair_sums = np.einsum("ekl,ekl->kl", beliefs, moves)
        return nodes, pair_sums - np.tensordot(means, beliefs, 1)

    def pairs(self, inferred, transition):
        """Marginals of all edges, graph by graph: (E, K, K)."""
        return inferred.messages[0]

    def count_pairs(self):
        """Number of edges of each graph."""
        return np.bincount(self.edge_owner, minlength=len(self.sizes))

    def _propagate(self, potentials, transition, start):
        """Log messages (2 E, K), largest entry zero, with their last changes and the sweeps."""
        factors = np.exp(transition - transition.max())

        def send(step, messages):
            received = potentials[step.senders] + step.incoming @ messages
            cavity = received[step.rows] - messages[self.reverse[step.messages]]
            weights = np.exp(cavity - maxima(cavity)[:, None])
            sums = np.where(step.along[:, None], weights @ factors, weights @ factors.T)
            new = np.log(sums)
            new -= maxima(new)[:, None]
            return new

        if start is None:
            start = np.zeros((2 * len(self.edges), potentials.shape[1]))
        return self._sweep(start.copy(), send)

    def _sweep(self, messages, send, tolerance=TOLERANCE):
        """Send messages (2 E, K) by the schedule until none of a graph's changes any more.

        Returns them, their last changes and the number of sweeps of each graph.
        """
        residuals = np.zeros(len(self.sizes))
        n_sweeps = np.zeros(len(self.sizes), dtype=int)
        active, steps = self.count_pairs() > 0, self.steps
        working, rows = active.sum(), np.arange(len(messages))
        for most, damping in STAGES:
            for _ in range(most):
                if not active.any():
                    return messages, residuals, n_sweeps
                if active.sum() <= working / 2:
                    working = active.sum()
                    rows = np.flatnonzero(active[self.message_owner])
                    steps = [self._restrict(step, active) for step in steps]
                old, owners = messages[rows], self.message_owner[rows]
                for step in steps:
                    new = send(step, messages)
                    messages[step.messages] *= damping
                    messages[step.messages] += (1 - damping) * new
                frozen = ~active[owners]
                messages[rows[frozen]] = old[frozen]
                changes = maxima(np.abs(messages[rows] - old))
                latest = np.zeros(len(self.sizes))
                np.maximum.at(latest, owners, changes)
                residuals[active] = latest[active]
                n_sweeps += active
                active &= latest > tolerance
        return messages, residuals, n_sweeps

    def _schedule(self, rank):
        """Steps of a sweep."""
        rises = rank[self.source] < rank[self.target]
        steps = []
        for sent in (np.flatnonzero(~rises), np.flatnonzero(rises)):  # up, then down
            waits = self._waits(sent)[self.source[sent]]
            ordered = sent[np.argsort(waits, kind="stable")]
            groups = np.split(ordered, np.cumsum(np.bincount(waits)))
            steps += [self._step(messages) for messages in groups if len(messages)]
        return steps

    def _waits(self, sent):
        """Steps that a node waits for others in a pass: the longest path that leads to it."""
        waits = np.zeros(len(self.owner), dtype=int)
        source, target = self.source[sent], self.target[sent]
        while True:
            longer = waits.copy()
            np.maximum.at(longer, target, waits[source] + 1)
            if (longer == waits).all():
                return waits
            waits = longer

    def _step(self, messages):
        """Step that sends these messages."""
        senders, rows = np.unique(self.source[messages], return_inverse=True)
        return _Step(senders, self.incoming[senders], messages, rows, messages < len(self.edges))

    def _restrict(self, step, active):
        """The part of a step that belongs to active graphs."""
        return self._step(step.messages[active[self.message_owner[step.messages]]])


def _rank(n_nodes, edges):
    """Ranks of nodes, breadth first from the first node of each component."""
    ones = np.ones(len(edges))
    links = csr_array((ones, (edges[:, 0], edges[:, 1])), shape=(n_nodes, n_nodes))
    _, component = connected_components(links, directed=False)
    roots = np.unique(component, return_index=True)[1]
    # A node before all others, linked to the roots, makes one tree of the forest.
    head = np.concatenate([edges[:, 0], np.full(len(roots), n_nodes)])
    tail = np.concatenate([edges[:, 1], roots])
    joined = csr_array((np.ones(len(head)), (head, tail)), shape=(n_nodes + 1, n_nodes + 1))
    order = breadth_first_order(joined, n_nodes, directed=False, return_predecessors=False)
    rank = np.empty(n_nodes + 1, dtype=int)
    rank[order] = np.arange(n_nodes + 1)
    return rank[:-1]


def _logsumexp(array):
    """Logarithm of the sum of exponentials of each row, by a product, as that is quicker."""
    peaks = maxima(array)
    return np.log(np.exp(array - peaks[:, None]) @ np.ones(array.shape[1])) + peaks
