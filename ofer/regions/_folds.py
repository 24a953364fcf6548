"""Leave-one-out errors of each fit without a sample."""

import numpy as np

from ofer.utils.scoring import units_of


def fold_errors(system, Y, alphas):
    """Sums (n_kept, m) of squared leave-one-out errors of each fit without a sample, by ridge.

    Row i belongs to the n - 1 samples other than i, each of which is left out in its turn. With
    the inverse G and ``c = G S y``, the residuals of the fit without i and j solve the two by two
    system of their rows, and the weighted square of that at j is ``((G_ii c_j - G_ij c_i) /
    (G_ii G_jj - G_ij^2))^2``. O(n^2 r) time for each ridge, three n x n matrices.
    """
    _, rows, roots, shares = system.samples
    Z, Y = system.coordinates, Y[rows]
    centred = roots[:, None] * (Y - shares @ Y)
    for alpha in alphas:
        G = (Z / (system.eigenvalues + alpha)) @ Z.T
        if not system.is_dual:  # times the ridge, which cancels
            G = np.eye(len(Z)) - np.outer(np.sqrt(shares), np.sqrt(shares)) - G
        c, diagonal = G @ centred, np.diag(G)[:, None]
        inverse = diagonal * diagonal.T - np.square(G)
        np.fill_diagonal(inverse, np.inf)
        inverse = np.square(1.0 / inverse)
        errors = np.square(diagonal) * (inverse @ np.square(c))
        inverse *= G
        errors -= 2.0 * diagonal * c * (inverse @ c)
        inverse *= G
        yield errors + np.square(c) * inverse.sum(axis=1, keepdims=True)


def fold_units(Y, weights):
    """Units (n, m) of the targets of each fit without a sample; see `target_units`."""
    centre, weights = np.average(Y, axis=0, weights=weights), weights[:, None]
    total, moved = weights.sum() - weights, weights * (Y - centre)
    squares = moved * (Y - centre)
    means = (moved.sum(axis=0) - moved) / total
    variances = (squares.sum(axis=0) - squares) / total - np.square(means)
    return units_of(np.sqrt(np.maximum(variances, 0.0)), np.abs(centre + means))
