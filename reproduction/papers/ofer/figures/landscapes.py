"""Landscapes of the pre-image loss in the plane: what the figures of chapter 4 are drawn from."""

import numpy as np
from scipy.ndimage import minimum_filter

from ofer.embeddings.preimage import levenberg_marquardt, squared_distance

__all__ = ["landscape", "loss_on_grid", "minima_on_grid", "with_slopes"]


def loss_on_grid(embed, h, grid):
    """Squared distance of the embeddings of all points of a grid from a predicted one.

    Parameters
    ----------
    embed : callable
        Turns outputs (n, 2) into embeddings (n, p).
    h : ndarray of shape (p,) or (1, p)
        The prediction.
    grid : ndarray of shape (a, b, 2)
        Points.

    Returns
    -------
    ndarray of shape (a, b)
    """
    flat = np.square(embed(grid.reshape(-1, 2)) - h).sum(axis=1)
    return flat.reshape(grid.shape[:2])


def with_slopes(embed, step=1e-5):
    """An embedding together with its numerical Jacobian, as the package's search wants it.

    Parameters
    ----------
    embed : callable
        Turns outputs (n, d) into embeddings (n, p).
    step : float, default=1e-5
        Of central differences.

    Returns
    -------
    callable
        Turns outputs (n, d) into embeddings (n, p) and slopes (n, p, d).
    """

    def evaluate(y):
        d = y.shape[1]
        moves = step * np.vstack([np.zeros(d), np.eye(d), -np.eye(d)])
        # A call takes longer to check its outputs than to embed them: all are in the same one.
        here, *there = np.split(embed((moves[:, None] + y).reshape(-1, d)), 2 * d + 1)
        slopes = (np.array(there[:d]) - np.array(there[d:])) / (2 * step)
        return here, np.moveaxis(slopes, 0, -1)

    return evaluate


def minima_on_grid(embed, h, grid):
    """Minima of the loss: points lower than their eight neighbours, improved by a search.

    Parameters
    ----------
    embed, h, grid
        As in `loss_on_grid`.

    Returns
    -------
    ndarray of shape (n_minima, 2)
        Those that differ in the second decimal, the lowest first.
    """
    loss = loss_on_grid(embed, h, grid)
    starts = grid[loss == minimum_filter(loss, 3, mode="constant", cval=-np.inf)]
    targets = np.tile(h, (len(starts), 1))
    search = squared_distance(with_slopes(embed), targets)
    ends = levenberg_marquardt(search, starts, max_iter=50).outputs
    ends = np.unique(ends.round(2), axis=0)
    return ends[np.square(embed(ends) - h).sum(axis=1).argsort()]


def landscape(embed, h, truth, grid, **more):
    """One panel of `plot_loss_maps`.

    Parameters
    ----------
    embed, h, grid
        As in `loss_on_grid`.
    truth : ndarray of shape (2,) or (1, 2)
        The true output.
    **more : ndarray of shape (n, 2)
        Further points, by name.

    Returns
    -------
    loss : ndarray of shape (a, b)
    points : dict of str to ndarray
    """
    best, *others = minima_on_grid(embed, h, grid)
    points = {"other minima": np.reshape(others, (-1, 2)), "true output": truth, "minimum": best}
    return loss_on_grid(embed, h, grid), points | more
