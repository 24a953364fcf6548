"""Samples that are drawn to show where regions are too large or too small."""

import numpy as np

__all__ = ["draw_clusters", "draw_noisy"]


def draw_clusters(n, rng):
    """Draw inputs and two outputs in two clusters, one of which is tight."""
    wide = rng.integers(2, size=n)
    inputs = rng.normal(size=(n, 2)) * 0.5 + 2.0 * wide[:, None]
    spread = np.where(wide, 1.0, 0.15)[:, None]
    return inputs, 6.0 * wide[:, None] - 3.0 + spread * rng.normal(size=(n, 2))


def draw_noisy(n, low, high, rng):
    """Draw inputs between two ends and two outputs whose noise grows with the distance from 0."""
    inputs = rng.uniform(low, high, size=(n, 1))
    noise = 0.1 * (1.0 + np.abs(inputs)) * rng.normal(size=(n, 2))
    return inputs, np.hstack([np.sin(inputs), inputs**2 / 4.0]) + noise
