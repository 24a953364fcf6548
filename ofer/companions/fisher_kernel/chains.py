"""Exact marginals of hidden states on chains: the forward-backward recursion, many at once."""

import numpy as np

from ofer.companions.fisher_kernel.expectations import Marginals
from ofer.companions.fisher_kernel.row_reductions import indicator, maxima

STILL = 2e-15  # relative change of a recursion's entries in one step that counts as roundoff


class Chains:
    """Chains of nodes, in order of decreasing length.

    The rows of a node array run through the first chain, then the second, and so on. The
    recursions run over all chains at once, time first and chains last, in contiguous memory;
    those alive at a step are a prefix.

    Weights are scaled, not logarithms: those of each node by their largest, the forward
    variables to sum one. This is as exact, as long as the entries of `transition` lie within 300
    of each other: a state whose variable vanishes (below exp(-700)) could be replaced, on any
    path, by the best state of that node at a gain of more than exp(700 - 2 * 300).

    Parameters
    ----------
    lengths : ndarray of shape (n,)
        Nodes of each chain, at least one, in decreasing order.
    """

    def __init__(self, lengths):
        starts = np.cumsum(lengths) - lengths
        self.lengths = self.sizes = lengths
        self.owner = np.repeat(np.arange(len(lengths)), lengths)
        self.time = np.arange(len(self.owner)) - starts[self.owner]
        self.node_sum = indicator(self.owner, len(lengths))
        self.start_rows = starts
        self.alive = (np.arange(lengths[0])[:, None] < lengths).sum(axis=1)

    def distinct(self):
        """The chains that differ, and which of them each chain is like."""
        unlike, first = np.unique(-self.lengths, return_inverse=True)
        return Chains(-unlike), first

    def sum_starts(self, marginals):
        """Sums, for each chain, over the nodes that have the initial potential: the first alone."""
        return marginals[self.start_rows]

    def infer(self, potentials, transition):
        """Marginals for node potentials (N, K) and transitions (K, K), or (n, K, K) of each chain.

        Costs O(N K^2) time and O(T n K) memory, T being the longest length.
        """
        T, K, n = self.lengths[0], potentials.shape[1], len(self.lengths)
        peaks, highest = maxima(potentials), transition.max(axis=(-2, -1))
        weights = np.zeros((T, K, n))
        weights[self.time, :, self.owner] = np.exp(potentials - peaks[:, None])
        factors = np.exp(transition - highest[..., None, None])
        shared = transition.ndim == 2
        if not shared:
            factors = np.ascontiguousarray(np.moveaxis(factors, 0, 2))  # (K, K, n)

        forward, scales = weights.copy(), np.ones((T, n))
        for t in range(T):
            m = self.alive[t]
            here = forward[t, :, :m]
            if t:
                before = forward[t - 1, :, :m]
                if shared:
                    here *= factors.T @ before
                else:
                    here *= (factors[:, :, :m] * before[:, None]).sum(axis=0)
            scales[t, :m] = here.sum(axis=0)
            here /= scales[t, :m]

        marginals, arriving = np.empty((T, K, n)), weights / scales[:, None]
        backward, pair_sums = np.ones((K, n)), np.zeros((K, K, n))
        for t in range(T - 1, 0, -1):
            m = self.alive[t]
            np.multiply(forward[t], backward, out=marginals[t])
            here, before = arriving[t, :, :m], forward[t - 1, :, :m]
            here *= backward[:, :m]
            pair_sums[:, :, :m] += before[:, None] * here
            if shared:
                backward[:, :m] = factors @ here
            else:
                backward[:, :m] = (factors[:, :, :m] * here).sum(axis=1)
        np.multiply(forward[0], backward, out=marginals[0])
        pair_sums *= factors[:, :, None] if shared else factors

        log_partitions = np.log(scales).sum(axis=0) + np.add.reduceat(peaks, self.start_rows)
        return Marginals(
            log_partitions + (self.lengths - 1) * highest,
            marginals[self.time, :, self.owner],
            np.ascontiguousarray(np.moveaxis(pair_sums, 2, 0)),
            (forward, arriving),  # (T, K, n), the latter backward times the weights of the node
            np.zeros(n),
            np.ones(n, dtype=int),
        )

    def infer_unseen(self, initial, transition):
        """Sums of the marginals with nothing seen: starts, pairs, log partitions, and as `infer`.

        Initial potentials are (K,) or (n, K), transitions (K, K) or (n, K, K). Without node
        potentials all chains share the recursions from either end, which contract to a steady
        state: once no entry moves they stand still, and so do the products of all pairs between.
        """
        initial, transition = np.atleast_2d(initial), transition.reshape(-1, *transition.shape[-2:])
        peaks, highest = initial.max(axis=1), transition.max(axis=(1, 2))
        factors = np.exp(np.moveaxis(transition - highest[:, None, None], 0, 2))  # (K, K, 1 or n)
        start = np.exp(initial - peaks[:, None]).T
        n, m = len(self.lengths), self.lengths - 1
        forward, scales = _iterate(start / start.sum(axis=0), factors, m[0])
        backward, _ = _iterate(np.ones_like(start), np.swapaxes(factors, 0, 1), m[0])
        a, b, own = len(forward) - 1, len(backward) - 1, np.arange(n) % factors.shape[2]
        starts = forward[0, :, own] * backward[np.minimum(m, b), :, own]
        starts /= starts.sum(axis=1, keepdims=True)
        logs = np.vstack([peaks + np.log(start.sum(axis=0)), np.log(scales)])
        log_partitions = logs.cumsum(axis=0)[np.minimum(m, a), own] + m * highest[own]
        log_partitions += np.maximum(m - a, 0) * logs[-1, own]

        alike = np.maximum(m - (a + b), 1)  # pairs of two steady vectors, of which one is computed
        pair = np.arange(min(m[0], a + b + 1))[:, None]
        i = pair + (alike - 1) * (pair > a)  # place of its first node in each chain
        here = forward[np.minimum(i, a), :, own]
        after = backward[np.clip(m - 1 - i, 0, b), :, own]
        sums = scales[np.minimum(i, a - 1), own]
        sums = sums * (forward[np.minimum(i + 1, a), :, own] * after).sum(axis=2)
        weights = np.where(pair == a, alike, 1) * (i < m) / sums
        pair_sums = (here * weights[:, :, None]).transpose(1, 2, 0) @ after.transpose(1, 0, 2)
        pair_sums *= np.moveaxis(factors, 2, 0)
        return starts, pair_sums, log_partitions, np.zeros(n), np.ones(n, dtype=int)

    def pairs(self, inferred, transition):
        """Marginals of all pairs of neighbours, chain by chain: (number of pairs, K, K)."""
        rows = np.flatnonzero(self.time)
        owner, time = self.owner[rows], self.time[rows]
        forward, arriving = inferred.messages
        before, after = forward[time - 1, :, owner], arriving[time, :, owner]
        return before[:, :, None] * np.exp(transition - transition.max()) * after[:, None, :]

    def count_pairs(self):
        """Number of pairs of each chain."""
        return self.lengths - 1


def _iterate(vector, factors, most):
    """A vector (K, m) times matrices (K, K, m), scaled, again and again until it stands still.

    Returns all vectors, each of sum one but for the first, and the scales from the second on.
    """
    vectors, scales = [vector], np.empty((most, vector.shape[1]))
    for t in range(most):
        new = (factors * vectors[-1][:, None]).sum(axis=0)
        scales[t] = new.sum(axis=0)
        vectors.append(new / scales[t])
        if (np.abs(vectors[-1] - vectors[-2]) <= STILL * vectors[-1]).all():
            break
    return np.array(vectors), scales[: len(vectors) - 1]
