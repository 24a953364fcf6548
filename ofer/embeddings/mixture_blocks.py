"""The mean block of a mixture under each scaling, scores, and exact pre-images.

Mean blocks are functions of a fitted `sklearn.mixture.GaussianMixture`: its weights, means and
precisions. Their inverses take memberships in the natural scale.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture import GaussianMixture

from ofer.embeddings.covariances import (
    full_precisions,
    precision_matrix_sum,
    precision_times,
    solve_precision_sum,
)
from ofer.embeddings.preimage import search_from_starts, squared_distance
from ofer.utils.memory import row_batches
from ofer.utils.warning import warn

APART = 1e8  # squared distance, in widths, that costs eight of sixteen digits


def are_apart(mixture: GaussianMixture, origin: NDArray | float) -> bool:
    """Whether a mean is so far from an origin, for its component's width, that squares suffer."""
    places = mixture.means_ - origin
    scores = precision_times(places[None], mixture.precisions_, mixture.covariance_type)[0]
    with np.errstate(over="ignore"):
        return not np.vecdot(places, scores).max() < APART


def component_scores(mixture: GaussianMixture, Y: NDArray) -> NDArray:
    """Scores of each component's mean, ``Sigma_j^-1 (y - mu_j)``: (n, C, d)."""
    residuals = Y[:, None, :] - mixture.means_
    return precision_times(residuals, mixture.precisions_, mixture.covariance_type)


def full_scores(mixture: GaussianMixture, gamma: NDArray, Y: NDArray) -> tuple[NDArray, NDArray]:
    """Scores of all means (n, C d) and of all covariances (n, C d d), every entry of them free."""
    n, scores = len(Y), component_scores(mixture, Y)
    P = full_precisions(mixture.precisions_, mixture.covariance_type, *mixture.means_.shape)
    covariance = scores[:, :, :, None] * scores[:, :, None, :] - P
    covariance *= 0.5 * gamma[:, :, None, None]
    return (gamma[:, :, None] * scores).reshape(n, -1), covariance.reshape(n, -1)


class _NaturalMean:
    """``y - sum_j gamma_j mu_j``."""

    def encode(self, mixture: GaussianMixture, gamma: NDArray, Y: NDArray) -> NDArray:
        """Block (n, d) of outputs with these responsibilities."""
        return Y - gamma @ mixture.means_

    def slopes(self, mixture, gamma, slopes, scores):
        """Jacobian (n, d, d), from that of the responsibilities (n, C, d)."""
        return np.eye(scores.shape[2]) - mixture.means_.T @ slopes

    def decode(self, mixture: GaussianMixture, g: NDArray, mean: NDArray) -> NDArray:
        """Outputs with these memberships and this block, both predicted."""
        return mean + g @ mixture.means_


class _ScoreMean:
    """``sum_j gamma_j Sigma_j^-1 (y - mu_j)``; its inverse is equation (10)."""

    def encode(self, mixture: GaussianMixture, gamma: NDArray, Y: NDArray) -> NDArray:
        """Block (n, d) of outputs with these responsibilities."""
        return np.einsum("nc,ncd->nd", gamma, component_scores(mixture, Y))

    def slopes(self, mixture, gamma, slopes, scores):
        """Jacobian (n, d, d), from that of the responsibilities (n, C, d)."""
        kind, d = mixture.covariance_type, scores.shape[2]
        fixed = precision_matrix_sum(gamma, mixture.precisions_, kind, d)
        return scores.transpose(0, 2, 1) @ slopes + fixed

    def decode(self, mixture: GaussianMixture, g: NDArray, mean: NDArray) -> NDArray:
        """Outputs with these memberships and this block, both predicted."""
        precisions, kind, means = mixture.precisions_, mixture.covariance_type, mixture.means_
        # Around the model's mean the system has smaller numbers than around the origin.
        middle = mixture.weights_ @ means
        origins, place = middle[None], np.zeros(len(g), dtype=int)
        if are_apart(mixture, middle):  # around that of a row's own component, it has small ones
            origins, place = means, g.argmax(axis=1)
        right = np.empty_like(mean)
        for j in np.unique(place):
            rows = place == j
            pulls = precision_times((means - origins[j])[None], precisions, kind)[0]
            right[rows] = mean[rows] + g[rows] @ pulls
        Y, centres = solve_precision_sum(g, precisions, kind, right), origins[place]
        singular = ~np.isfinite(Y).all(axis=1)
        if singular.any():
            warn(
                f"equation (10) is singular for {singular.sum()} of {len(Y)} rows; they are "
                "decoded to the mean of the output model. Use decoder='simplex'.",
                UserWarning,
            )
            Y[singular], centres[singular] = 0.0, middle
        return Y + centres


def pre_images(closed: NDArray, H: NDArray, mixture: GaussianMixture, embed: Callable) -> NDArray:
    """Best local minima of (3) reached from the closed form and from the model's means.

    H are the embeddings of the outputs; `embed` gives embeddings and their Jacobians.
    """
    means = np.vstack([mixture.weights_ @ mixture.means_, mixture.means_])
    images = []
    row_size = (1 + len(means)) * H.shape[1] * means.shape[1]  # of the Jacobians
    for rows in row_batches(len(H), row_size, factor=16):
        others = np.broadcast_to(means[:, None], (len(means), *closed[rows].shape))
        starts = np.concatenate([closed[None, rows], others])
        images.append(search_from_starts(squared_distance(embed, H[rows]), starts))
    unfinished = sum(np.count_nonzero(~part.converged) for part in images)
    if unfinished:
        warn(
            f"the exact pre-image of {unfinished} of {len(H)} rows was still improving when "
            "its search stopped; they are no worse than the closed form. Use "
            "decoder='simplex' or fewer components.",
            ConvergenceWarning,
        )
    return np.vstack([part.outputs for part in images])


MEAN_BLOCKS: dict[str, _NaturalMean | _ScoreMean] = {
    "natural": _NaturalMean(),
    "score": _ScoreMean(),
}
