"""Best paths through many chains at once, of unequal lengths and with weights of their own."""

from typing import NamedTuple

import numpy as np

from ofer.companions.local_structured._space import first_best, ranges

__all__ = ["best_other_path", "best_path"]


class _Batch(NamedTuple):
    """Chains in order of decreasing length, so that those that go on are the first ones.

    `rows` are their steps in this order, `mask` (q, T) where they go in a padded array, and
    `active[t]` the number of chains longer than t.
    """

    order: np.ndarray
    rows: np.ndarray
    mask: np.ndarray
    active: np.ndarray

    @classmethod
    def of(cls, lengths):
        order = np.argsort(-lengths, kind="stable")
        starts = np.cumsum(lengths) - lengths
        mask = np.arange(lengths.max()) < lengths[order, None]
        return cls(order, ranges(starts[order], lengths[order]), mask, mask.sum(axis=0))

    def pad(self, flat):
        """Concatenated steps as an array (q, T, ...), zero beyond the ends."""
        padded = np.zeros(self.mask.shape + flat.shape[1:], flat.dtype)
        padded[self.mask] = flat[self.rows]
        return padded

    def unpad(self, padded):
        """The opposite."""
        flat = np.empty((len(self.rows), *padded.shape[2:]), padded.dtype)
        flat[self.rows] = padded[self.mask]
        return flat


def best_path(emissions, transitions, lengths):
    """Viterbi's algorithm on q chains; ties go to the lowest state.

    Parameters
    ----------
    emissions : ndarray of shape (n_rows, K)
        Scores of the states, step by step, all chains concatenated.
    transitions : ndarray of shape (q, K, K)
        Scores of going from a state (first index) to the next, for each chain.
    lengths : ndarray of shape (q,)
        Steps of each chain, at least one.

    Returns
    -------
    ndarray of shape (n_rows,)
        The states of highest total score, in O(n_rows K^2).
    """
    batch = _Batch.of(lengths)
    E, transitions = batch.pad(emissions), transitions[batch.order]
    value, back = E[:, 0].copy(), np.zeros(E.shape, np.int32)
    for t in range(1, E.shape[1]):
        a = batch.active[t]
        total = value[:a, :, None] + transitions[:a]
        back[:a, t] = first_best(total, axis=1)
        value[:a] = total.max(axis=1) + E[:a, t]
    path = np.zeros(batch.mask.shape, dtype=int)
    state = first_best(value, axis=1)
    for t in range(E.shape[1] - 1, -1, -1):
        a = batch.active[t]
        path[:a, t] = state[:a]
        state[:a] = back[np.arange(a), t, state[:a]]
    return batch.unpad(path)


def best_other_path(emissions, transitions, lengths, y):
    """The best path of each chain that differs from `y`; ties go to the lowest state.

    Dynamic programming over the state and whether the path has left `y`. Needs K > 1.

    Parameters
    ----------
    emissions, transitions, lengths : ndarray
        As in `best_path`.
    y : ndarray of shape (n_rows,)
        The paths to avoid.

    Returns
    -------
    ndarray of shape (n_rows,)
        The states, in O(n_rows K^2).
    """
    batch = _Batch.of(lengths)
    E, transitions = batch.pad(emissions), transitions[batch.order]
    y = batch.pad(y)
    q, T, K = E.shape
    every = np.arange(q)
    along = E[every, 0, y[:, 0]]  # the score of y so far
    value = E[:, 0].copy()  # of the best path that has left y and is in a state
    value[every, y[:, 0]] = -np.inf
    back = np.zeros(E.shape, np.int32)  # the state before, or K for "on y"
    for t in range(1, T):
        a = batch.active[t]
        some, before, here = every[:a], y[:a, t - 1], y[:a, t]
        leaving = along[:a, None] + transitions[some, before]
        leaving[some, here] = -np.inf
        total = np.concatenate([value[:a, :, None] + transitions[:a], leaving[:, None]], axis=1)
        back[:a, t] = first_best(total, axis=1)
        value[:a] = total.max(axis=1) + E[:a, t]
        along[:a] += transitions[some, before, here] + E[some, t, here]
    path = y.copy()
    state = first_best(value, axis=1)
    for t in range(T - 1, -1, -1):
        left = np.flatnonzero(state[: batch.active[t]] < K)
        path[left, t] = state[left]
        state[left] = back[left, t, state[left]]
    return batch.unpad(path)
