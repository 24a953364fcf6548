"""The conditional autoencoder of section 6.5 on images, with an architecture of ours."""

import numpy as np
from sklearn.metrics.pairwise import cosine_similarity, euclidean_distances

from reproduction.engine.declaration import Check, Experiment, Facts
from reproduction.engine.scores import Score
from reproduction.studies.images.comparison import overlap
from reproduction.studies.images.conditional_autoencoder import ConditionalAutoencoder
from reproduction.studies.images.tables.ofer_weak_weight import load_images
from reproduction.studies.images.tasks import take

__all__ = ["EXPERIMENT", "evaluate", "load_images"]

_SETS = {"Caltech-101": "caltech101", "AwA": "awa"}
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


SETTINGS_OF = {
    name: [f"{label}, {per_class}" for per_class in (1, 3, 10)] for label, name in _SETS.items()
}
EXPERIMENT = Experiment(
    id="ofer-autoencoder",
    title="A conditional autoencoder for images with few examples a class",
    load=load_images,
    evaluate=evaluate,
    methods=tuple(PARAMETERS["latent"]),
    scores=(
        Score("accuracy", high=100),
        Score("accuracy by angle", high=100),
        Score("iterations", low=1, whole=True),
        Score("converged", high=1, whole=True),
    ),
    settings=tuple(setting for settings in SETTINGS_OF.values() for setting in settings),
    n_splits=5,
    parameters=PARAMETERS,
    datasets=("caltech101", "awa", "class_vectors"),
    check=Check(settings=("AwA, 1",)),
    facts=Facts(
        test_train_ratio={
            setting: ratio
            for name, settings in SETTINGS_OF.items()
            for setting, ratio in overlap(name, settings).items()
        },
        datasets_of={
            setting: (name, "class_vectors")
            for name, settings in SETTINGS_OF.items()
            for setting in settings
        },
    ),
)
