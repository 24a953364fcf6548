"""Landscapes of the pre-image loss in the plane: what the figures of chapter 4 are drawn from."""

import numpy as np
from scipy.ndimage import minimum_filter

from ofer.embeddings.preimage import levenberg_marquardt, squared_distance
from reproduction.statistics import steady

__all__ = ["landscape", "loss_on_grid", "minima_on_grid", "with_slopes"]


def loss_on_grid(embed, h, grid):
    """Squared distance of the embeddings of all points of a grid from a predicted one."""
    flat = np.square(embed(grid.reshape(-1, 2)) - h).sum(axis=1)
    return flat.reshape(grid.shape[:2])


def with_slopes(embed, step=1e-5):
    """An embedding together with its numerical Jacobian, as the package's search wants it."""

    def evaluate(y):
        d = y.shape[1]
        moves = step * np.vstack([np.zeros(d), np.eye(d), -np.eye(d)])
        # A call takes longer to check its outputs than to embed them: all are in the same one.
        here, *there = np.split(embed((moves[:, None] + y).reshape(-1, d)), 2 * d + 1)
        slopes = (np.array(there[:d]) - np.array(there[d:])) / (2 * step)
        return here, np.moveaxis(slopes, 0, -1)

    return evaluate


def minima_on_grid(embed, h, grid):
    """Minima of the loss: points lower than their eight neighbours, improved by a search."""
    loss = loss_on_grid(embed, h, grid)
    starts = grid[loss == minimum_filter(loss, 3, mode="constant", cval=-np.inf)]
    targets = np.tile(h, (len(starts), 1))
    search = squared_distance(with_slopes(embed), targets)
    ends = levenberg_marquardt(search, starts, max_iter=50).outputs
    ends = np.unique(ends.round(2), axis=0)
    losses = np.square(embed(ends) - h).sum(axis=1)
    return ends[steady(losses).argsort(kind="stable")]


def landscape(embed, h, truth, grid, **more):
    """One panel of `plot_loss_maps`."""
    best, *others = minima_on_grid(embed, h, grid)
    points = {"other minima": np.reshape(others, (-1, 2)), "true output": truth, "minimum": best}
    return loss_on_grid(embed, h, grid), points | more
