"""The conditional autoencoder of section 6.5 on images, with an architecture of ours."""

import numpy as np
from sklearn.metrics.pairwise import cosine_similarity, euclidean_distances

from reproduction.studies.images.conditional_autoencoder import ConditionalAutoencoder
from reproduction.studies.images.tasks import take

__all__ = ["PARAMETERS", "evaluate"]

PARAMETERS = {
    "latent": {"network": 0, "CVAE": 8},
    "n_hidden": 128,
    "learning_rate": 1e-3,
    "batch_size": 100,
    "max_iter": 2000,
}


def evaluate(data, method, setting, split):
    """Accuracy of a network that learns class vectors, with or without a latent variable."""
    name, per_class = setting.split(", ")
    images = data[name]
    task = take(images, int(per_class), split)
    middle, unit = task.X.mean(axis=0), np.sqrt(task.X.shape[1])  # Adam likes inputs of order one
    options = {name: PARAMETERS[name] for name in PARAMETERS if name != "latent"}
    network = ConditionalAutoencoder(
        PARAMETERS["latent"][method], random_state=task.seed, **options
    )
    network.fit(unit * (task.X - middle), images.vectors[task.y])
    predicted = network.predict(unit * (task.X_test - middle))
    origin = images.vectors.mean(axis=0)
    distances = euclidean_distances(predicted, images.vectors)
    cosines = cosine_similarity(predicted - origin, images.vectors - origin)
    return {
        "accuracy": 100.0 * np.mean(distances.argmin(axis=1) == task.y_test),
        "accuracy by angle": 100.0 * np.mean(cosines.argmax(axis=1) == task.y_test),
        "iterations": float(network.n_iter_),
        "converged": float(network.converged_),
    }
