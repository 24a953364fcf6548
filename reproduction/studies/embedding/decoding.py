"""What a pre-image costs: losses of three decoders, and the parts of the error of a Gaussian."""

import numpy as np

from ofer import (
    FullFisherEmbedding,
    GaussianEmbedding,
    GaussianMixtureEmbedding,
    KernelRidgeCV,
    OutputFisherRegressor,
)
from ofer.kernels import median_bandwidth

__all__ = ["pre_images_by_decoder", "root_mean_squares_by_part"]


def pre_images_by_decoder(data, train, test, n_components, seed):
    """By scaling and decoder: mean loss of the pre-images of predictions, and the pre-images."""
    ridge, found = _median_ridge(data.X[train]), {}
    for scaling in ("score", "natural"):
        options = {"scaling": scaling, "random_state": seed}
        mixture = GaussianMixtureEmbedding(n_components, **options).fit(data.Y[train])
        H = ridge.fit(data.X[train], mixture.transform(data.Y[train])).predict(data.X[test])
        for decoder in ("raw", "simplex", "exact"):
            P = mixture.set_params(decoder=decoder).inverse_transform(H)
            losses = np.square(mixture.transform(P) - H).sum(axis=1)
            found[f"{scaling}, {decoder}"] = losses.mean(), P
    full = FullFisherEmbedding(mixture).fit(data.Y[train])
    H = ridge.fit(data.X[train], full.transform(data.Y[train])).predict(data.X[test])
    P, losses, _ = full.pre_images(H)
    return found | {"full, best of the search": (losses.mean(), P)}


def root_mean_squares_by_part(data, train, test):
    """Distances from the true outputs under one Gaussian: full, by its two parts, and reduced."""
    X, Y, truth = data.X[train], data.Y[train], data.Y[test]
    ridge, full = _median_ridge(X), FullFisherEmbedding(GaussianEmbedding())
    model = OutputFisherRegressor(full, ridge, block_wise=False).fit(X, Y)
    H = model.predict_embedding(data.X[test])
    gaussian = model.embedding_.embedding_
    closed = gaussian.inverse_transform(H[:, : Y.shape[1]])
    decoded = model.embedding_.inverse_transform(H)
    reduced = OutputFisherRegressor(GaussianEmbedding(), ridge, block_wise=True).fit(X, Y)
    parts = {
        "learning": closed - truth,
        "pre-image": decoded - closed,
        "full": decoded - truth,
        "reduced": reduced.predict(data.X[test]) - truth,
    }
    return {name: np.sqrt(np.square(part).sum(axis=1).mean()) for name, part in parts.items()}


def _median_ridge(X):
    """Ridge regression with a Gaussian kernel of the median width."""
    return KernelRidgeCV(kernel="rbf", gamma=0.5 / median_bandwidth(X) ** 2)
