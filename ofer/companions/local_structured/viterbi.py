"""Best paths through many chains at once, of unequal lengths and with weights of their own."""

from typing import NamedTuple

import numpy as np

from ofer.companions.local_structured.space import first_best, largest_and_first, rows_of


class _Batch(NamedTuple):
    """Chains in order of decreasing length, so that those that go on are the first ones.

    The chains come last in all arrays, where vectors of them are contiguous. `rows` are the steps
    of the chains in this order, `mask` (q, T) tells which steps there are, and `active[t]` counts
    the chains longer than t.
    """

    order: np.ndarray
    rows: np.ndarray
    mask: np.ndarray
    active: np.ndarray

    @classmethod
    def of(cls, lengths):
        order = np.argsort(-lengths, kind="stable")
        mask = np.arange(lengths.max()) < lengths[order, None]
        return cls(order, rows_of(lengths, order), mask, mask.sum(axis=0))

    def pad(self, flat):
        """Concatenated steps as an array (T, ..., q), zero beyond the ends."""
        padded = np.zeros(self.mask.shape + flat.shape[1:], flat.dtype)
        padded[self.mask] = flat[self.rows]
        return np.ascontiguousarray(np.moveaxis(padded, 0, -1))

    def unpad(self, path):
        """The opposite, for one number per step."""
        flat = np.empty(len(self.rows), path.dtype)
        flat[self.rows] = path.T[self.mask]
        return flat


def best_path(emissions, transitions, lengths):
    """Viterbi's algorithm on q chains; ties go to the lowest state.

    Scores of the states are `emissions` (n_rows, K), step by step, all chains concatenated; those
    of going from a state (first index) to the next are `transitions` (q, K, K). Each chain has one
    of `lengths` (q,), at least one. Returns the states (n_rows,) of highest total score, in
    O(n_rows K^2).
    """
    batch = _Batch.of(lengths)
    E, moves = batch.pad(emissions), _chains_last(transitions[batch.order])
    T, K, q = E.shape
    value, back = E[0].copy(), np.zeros((T, K, q), np.int32)
    for t in range(1, T):
        a = batch.active[t]
        total = value[:, None, :a] + moves[..., :a]
        largest, back[t, :, :a] = largest_and_first(total)
        value[:, :a] = largest + E[t, :, :a]
    path, every = np.zeros((T, q), dtype=int), np.arange(q)
    state = first_best(value)
    for t in range(T - 1, -1, -1):
        a = batch.active[t]
        path[t, :a] = state[:a]
        state[:a] = back[t, state[:a], every[:a]]
    return batch.unpad(path)


def best_other_path(emissions, transitions, lengths, y):
    """The best path of each chain that differs from `y`; ties go to the lowest state.

    Dynamic programming over the state and whether the path has left `y` (n_rows,), in
    O(n_rows K^2). Needs K > 1. Other parameters are those of `best_path`.
    """
    batch = _Batch.of(lengths)
    E, moves = batch.pad(emissions), _chains_last(transitions[batch.order])
    y = batch.pad(y)
    T, K, q = E.shape
    every = np.arange(q)
    along = E[0, y[0], every]  # the score of y so far
    value = E[0].copy()  # of the best path that has left y and is in a state
    value[y[0], every] = -np.inf
    back = np.zeros((T, K, q), np.int32)  # the state before, or K for "on y"
    for t in range(1, T):
        a = batch.active[t]
        some, before, here = every[:a], y[t - 1, :a], y[t, :a]
        total = np.empty((K + 1, K, a))
        np.add(value[:, None, :a], moves[..., :a], out=total[:K])
        total[K] = along[:a] + moves[before, :, some].T
        total[K, here, some] = -np.inf
        largest, back[t, :, :a] = largest_and_first(total)
        value[:, :a] = largest + E[t, :, :a]
        along[:a] += moves[before, here, some] + E[t, here, some]
    path = y.copy()
    state = first_best(value)
    for t in range(T - 1, -1, -1):
        left = np.flatnonzero(state[: batch.active[t]] < K)
        path[t, left] = state[left]
        state[left] = back[t, state[left], left]
    return batch.unpad(path)


def _chains_last(transitions):
    return np.ascontiguousarray(np.moveaxis(transitions, 0, -1))
