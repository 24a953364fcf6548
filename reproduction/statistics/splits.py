"""Repeated train/test splits with nested training subsets."""

from numbers import Integral, Real
from typing import NamedTuple

import numpy as np


class Split(NamedTuple):
    """One division of the samples into a training pool and a test set."""

    train_pool: np.ndarray
    """Indices of all samples that training may use, in random order."""
    test: np.ndarray
    """Indices of the test samples."""

    def train(self, size):
        """Training subset of a size; a smaller one is contained in a larger one.

        Parameters
        ----------
        size : int
            Number of training samples, at most the size of the pool.

        Returns
        -------
        indices : ndarray of shape (size,)
        """
        return self.train_pool[: self._checked(size)]

    def rest(self, size):
        """Samples of the pool that `train` leaves out; weak labels can be drawn from them.

        Parameters
        ----------
        size : int
            Number of training samples, at most the size of the pool.

        Returns
        -------
        indices : ndarray of shape (len(train_pool) - size,)
            In random order, so that a prefix of it is a random subset.
        """
        return self.train_pool[self._checked(size) :]

    def _checked(self, size):
        if not (isinstance(size, Integral) and 1 <= size <= len(self.train_pool)):
            raise ValueError(
                f"size must be an int between 1 and {len(self.train_pool)}, the size of the "
                f"training pool; got {size!r}."
            )
        return size


def repeated_splits(n_samples, *, n_splits, train_fraction, train_sizes, random_state):
    """Independent random splits, with training subsets of several sizes in each.

    In each split a random permutation of the samples is cut into a training pool and a test set.
    The training subset of size l is the first l samples of the pool, so the subsets are nested
    and all sizes are judged on the same test set.

    Parameters
    ----------
    n_samples : int
        Number of samples.
    n_splits : int
        Number of splits. Split k is the same however many are asked for.
    train_fraction : float
        Share of the samples in the training pool, between 0 and 1; the size of the pool is
        rounded to the nearest integer.
    train_sizes : sequence of int
        The sizes that will be used; checked here, before anything is computed with them.
    random_state : int
        Seed, not negative.

    Returns
    -------
    splits : list of Split

    Raises
    ------
    ValueError
        When an argument is out of its range; the message names it.

    Examples
    --------
    >>> splits = repeated_splits(
    ...     10, n_splits=2, train_fraction=0.6, train_sizes=[2, 4], random_state=0
    ... )
    >>> [len(part) for part in splits[0]]
    [6, 4]
    >>> len(splits[0].train(2)), len(splits[0].rest(2))
    (2, 4)
    """
    if not (isinstance(n_splits, Integral) and n_splits >= 1):
        raise ValueError(f"n_splits must be an int, at least 1; got {n_splits!r}.")
    options = {"train_fraction": train_fraction, "random_state": random_state}
    splits = [random_split(n_samples, number, **options) for number in range(n_splits)]
    for size in train_sizes:
        splits[0].train(size)
    return splits


def random_split(n_samples, number, *, train_fraction, random_state):
    """The split of this number of `repeated_splits`."""
    if not (isinstance(n_samples, Integral) and n_samples >= 1):
        raise ValueError(f"n_samples must be an int, at least 1; got {n_samples!r}.")
    if not (isinstance(random_state, Integral) and random_state >= 0):
        raise ValueError(f"random_state must be an int, not negative; got {random_state!r}.")
    if not (isinstance(train_fraction, Real) and 0 < train_fraction < 1):
        raise ValueError(f"train_fraction must be between 0 and 1; got {train_fraction!r}.")
    n_pool = round(train_fraction * n_samples)
    if not 1 <= n_pool < n_samples:
        raise ValueError(
            f"train_fraction={train_fraction!r} of n_samples={n_samples} leaves a training pool "
            f"of {n_pool} and a test set of {n_samples - n_pool}; both need a sample."
        )
    # A generator a split: split k does not depend on how many came before it.
    order = np.random.default_rng([random_state, number]).permutation(n_samples)
    return Split(train_pool=order[:n_pool], test=order[n_pool:])
