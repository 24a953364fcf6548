"""The conditional autoencoder of section 6.5 on images, with an architecture of ours."""

from reproduction.engine.declaration import Check, Experiment, Facts
from reproduction.engine.scores import Score
from reproduction.studies.images.autoencoder import PARAMETERS, evaluate
from reproduction.studies.images.comparison import overlap
from reproduction.studies.images.weak_weight import load_images

__all__ = ["EXPERIMENT"]

_SETS = {"Caltech-101": "caltech101", "AwA": "awa"}
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
