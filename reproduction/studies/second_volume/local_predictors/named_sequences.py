"""Sequences most of whose labels say "no name", as in the paper's fourth data set."""

import numpy as np

__all__ = ["make_sequences", "sequence_errors"]


def make_sequences(n, seed, noise=0.35, n_irrelevant=3):
    """Noisy indicators of the labels B, I and O at nine steps, the labels, and which are given.

    About half of the sequences have a name, one B with or without an I after it; ``n_irrelevant``
    more features mean nothing.
    """
    draw = np.random.default_rng(seed)
    labels = np.full((n, 9), "O")
    named, begin = draw.random(n) < 0.55, draw.integers(8, size=n)
    longer = named & (draw.random(n) < 0.7)
    labels[named, begin[named]] = "B"
    labels[longer, begin[longer] + 1] = "I"
    rows = noise * draw.normal(size=(n, 9, 3 + n_irrelevant))
    rows[..., :3] += labels[..., None] == np.array(["B", "I", "O"])
    return list(rows), list(labels), draw.random(n) < 0.3


def sequence_errors(predicted, truth):
    """Percentages of sequences and of steps that are wrong, and of steps that are not O."""
    wrong = np.asarray(predicted) != np.asarray(truth)
    other = 100 * np.mean(np.asarray(predicted) != "O")
    return 100 * wrong.any(axis=1).mean(), 100 * wrong.mean(), other
