"""Exact marginals of hidden states on chains: the forward-backward recursion, many at once."""

import numpy as np

from ofer.companions.fisher_kernel.expectations import Marginals
from ofer.companions.fisher_kernel.row_reductions import indicator, maxima

STILL = 2e-15  # relative change of a recursion's entries in one step that counts as roundoff


class Chains:
    """Chains of nodes, in order of decreasing length, which is at least one.

    The rows of a node array run through the first chain, then the second, and so on. The
    recursions run over all chains at once, time first and chains last, in contiguous memory;
    those alive at a step are a prefix.

    Weights are scaled, not logarithms: those of each node by their largest, the forward
    variables to sum one. This is as exact, as long as the entries of `transition` lie within 300
    of each other: a state whose variable vanishes (below exp(-700)) could be replaced, on any
    path, by the best state of that node at a gain of more than exp(700 - 2 * 300).
    """

    def __init__(self, lengths):
        starts = np.cumsum(lengths) - lengths
        self.lengths = self.sizes = lengths
        self.owner = np.repeat(np.arange(len(lengths)), lengths)
        self.time = np.arange(len(self.owner)) - starts[self.owner]
        self.node_sum = indicator(self.owner, len(lengths))
        self.start_rows = starts
        self.alive = (np.arange(lengths[0])[:, None] < lengths).sum(axis=1)

    def sum_starts(self, marginals):
        """Sums, for each chain, over the nodes that have the initial potential: the first alone."""
        return marginals[self.start_rows]

    def infer(self, potentials, transition, near=None):
        """Marginals for node potentials (N, K) and transitions (K, K); none help that are near.

        Costs O(N K^2) time and O(T n K) memory, T being the longest length.
        """
        T, K, n = self.lengths[0], potentials.shape[1], len(self.lengths)
        peaks, highest = maxima(potentials), transition.max()
        weights = np.zeros((T, K, n))
        weights[self.time, :, self.owner] = np.exp(potentials - peaks[:, None])
        factors = np.exp(transition - highest)

        forward, scales = weights.copy(), np.ones((T, n))
        for t in range(T):
            m = self.alive[t]
            here = forward[t, :, :m]
            if t:
                here *= factors.T @ forward[t - 1, :, :m]
            here.sum(axis=0, out=scales[t, :m])
            here /= scales[t, :m]

        weights /= scales[:, None]
        backward = np.ones((T, K, n))
        for t in range(T - 1, 0, -1):
            m = self.alive[t]
            np.matmul(factors, weights[t, :, :m] * backward[t, :, :m], out=backward[t - 1, :, :m])
        arriving = weights * backward

        # One product a chain.
        pair_sums = _by_chain(forward[:-1]) @ np.swapaxes(_by_chain(arriving[1:]), 1, 2)
        log_partitions = np.log(scales).sum(axis=0) + np.add.reduceat(peaks, self.start_rows)
        return Marginals(
            log_partitions + (self.lengths - 1) * highest,
            (forward * backward)[self.time, :, self.owner],
            pair_sums * factors,
            (forward, weights, backward, arriving),  # (T, K, n)
            np.zeros(n),
            np.ones(n, dtype=int),
        )

    def tangent(self, inferred, transition, node_moves, moves):
        """How marginals move as potentials do, in the direction of each chain's own.

        With forward variables a of sum one, backward variables b, scaled weights v, factors F, and
        the moves u of node potentials and U of transitions, derivatives follow the recursions that
        gave these, with g = v b::

            da_t = a_t u_t + v_t (F' da_{t-1} + (F U)' a_{t-1}), less a_t times its sum
            dg_t = g_t u_t + v_t db_t,  db_{t-1} = F dg_t + (F U) g_t, less c g_t and c b_{t-1}
            nodes: a db + b da;  pairs: F (da_t g_{t+1}' + a_t dg_{t+1}') + U times pairs

        In the code `rises` is da, `pushes` is u and then dg, `ends` is db, and `steady` is b_{t-1}.
        The number c is that for which a db + b da sums to zero, as moves of probabilities do.

        What was `inferred` is from `infer`. `node_moves` (N, K) are derivatives of the node
        potentials, `moves` (n, K, K) those of the transitions (K, K). Returns those of the nodes'
        marginals (N, K), and of the sums of pairs (K, K) over all chains.
        """
        forward, weights, backward, arriving = inferred.messages
        T, K, n = forward.shape
        factors = np.exp(transition - transition.max())
        moved = factors * moves
        pushes, rises = np.zeros((2, T, K, n))
        pushes[self.time, :, self.owner] = node_moves
        sent = np.swapaxes(moved, 1, 2) @ _by_chain(forward[:-1])  # (n, K, T - 1)
        came = (moved @ _by_chain(arriving[1:])).transpose(2, 1, 0).copy()

        np.multiply(pushes, forward, out=rises)
        rises[1:] += weights[1:] * sent.transpose(2, 1, 0)
        for t in range(T):
            m = self.alive[t]
            here = rises[t, :, :m]
            if t:
                here += weights[t, :, :m] * (factors.T @ rises[t - 1, :, :m])
            here -= forward[t, :, :m] * here.sum(axis=0)

        pushes *= arriving
        ends = np.zeros((T, K, n))
        for t in range(T - 1, 0, -1):
            m = self.alive[t]
            here, before = pushes[t, :, :m], ends[t - 1, :, :m]
            here += weights[t, :, :m] * ends[t, :, :m]
            np.matmul(factors, here, out=before)
            before += came[t - 1, :, :m]
            steady = backward[t - 1, :, :m]
            scale = rises[t - 1, :, :m] * steady
            scale += forward[t - 1, :, :m] * before
            scale = scale.sum(axis=0)
            before -= scale * steady
            here -= scale * arriving[t, :, :m]

        pair_sums = (rises[:-1] @ np.swapaxes(arriving[1:], 1, 2)).sum(axis=0)
        pair_sums += (forward[:-1] @ np.swapaxes(pushes[1:], 1, 2)).sum(axis=0)
        pair_sums *= factors
        pair_sums += (moves * inferred.pair_sums).sum(axis=0)
        rises *= backward
        ends *= forward
        rises += ends
        return rises[self.time, :, self.owner], pair_sums

    def infer_unseen(self, initial, transition):
        """Sums of the marginals with nothing seen: starts, pairs, log partitions, and as `infer`.

        Without node potentials all chains share the recursions from either end, which contract to
        a steady state: once no entry moves they stand still, and so do the products of all pairs
        between.
        """
        highest, peak, n, m = transition.max(), initial.max(), len(self.lengths), self.lengths - 1
        factors, start = np.exp(transition - highest), np.exp(initial - peak)
        forward, scales = _iterate(start / start.sum(), factors, m[0])
        backward, _ = _iterate(np.ones_like(start), factors.T, m[0])
        a, b = len(forward) - 1, len(backward) - 1
        starts = forward[0] * backward[np.minimum(m, b)]
        starts /= starts.sum(axis=1, keepdims=True)
        logs = np.append(peak + np.log(start.sum()), np.log(scales))
        log_partitions = logs.cumsum()[np.minimum(m, a)] + m * highest
        log_partitions += np.maximum(m - a, 0) * logs[-1]

        alike = np.maximum(m - (a + b), 1)  # pairs of two steady vectors, of which one is computed
        pair = np.arange(min(m[0], a + b + 1))[:, None]
        i = pair + (alike - 1) * (pair > a)  # place of its first node in each chain
        here = forward[np.minimum(i, a)]
        after = backward[np.clip(m - 1 - i, 0, b)]
        sums = scales[np.minimum(i, a - 1)] * (forward[np.minimum(i + 1, a)] * after).sum(axis=2)
        weights = np.where(pair == a, alike, 1) * (i < m) / sums
        pair_sums = (here * weights[:, :, None]).transpose(1, 2, 0) @ after.transpose(1, 0, 2)
        return starts, pair_sums * factors, log_partitions, np.zeros(n), np.ones(n, dtype=int)

    def pairs(self, inferred, transition):
        """Marginals of all pairs of neighbours, chain by chain: (number of pairs, K, K)."""
        rows = np.flatnonzero(self.time)
        owner, time = self.owner[rows], self.time[rows]
        forward, *_, arriving = inferred.messages
        before, after = forward[time - 1, :, owner], arriving[time, :, owner]
        return before[:, :, None] * np.exp(transition - transition.max()) * after[:, None, :]

    def count_pairs(self):
        """Number of pairs of each chain."""
        return self.lengths - 1


def _by_chain(array):
    """The same (T, K, n) with chains first and time last, in contiguous memory."""
    return np.ascontiguousarray(array.transpose(2, 1, 0))


def _iterate(vector, factors, most):
    """A vector (K,) times a matrix (K, K), scaled, again and again until it stands still.

    Returns all vectors, each of sum one but for the first, and the scales from the second on.
    """
    vectors, scales = [vector], []
    for _ in range(most):
        new = vectors[-1] @ factors
        scales.append(new.sum())
        vectors.append(new / scales[-1])
        if (np.abs(vectors[-1] - vectors[-2]) <= STILL * vectors[-1]).all():
            break
    return np.array(vectors), np.array(scales)
