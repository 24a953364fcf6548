"""Table 13 with latent classes: Caltech-101, where features are good."""

from functools import partial

from reproduction.engine.declaration import Check, Experiment, Facts, Tolerance
from reproduction.papers.ofer.images import tables as _images
from reproduction.papers.ofer.weak_classes import latent
from reproduction.papers.ofer.weak_classes.steps import N_SPLITS, evaluate

__all__ = ["LATENT"]

LATENT = Experiment(
    id="ofer-latent-caltech101",
    title="Latent classes of weakly labelled images, Caltech-101",
    load=partial(_images.load_images, "caltech101"),
    evaluate=evaluate,
    methods=("one-hot ridge, imputed", "latent", "latent, soft", "self-training"),
    settings=("1", "3", "10"),
    n_splits=N_SPLITS,
    parameters={**_images.PARAMETERS["caltech101"], "latent": latent.PARAMETERS},
    datasets=("caltech101", "class_vectors"),
    check=Check(settings=("1",), methods=("one-hot ridge, imputed", "latent")),
    # An image near a border of two classes may change sides on another processor.
    tolerance=Tolerance(atol={"accuracy": 0.2}),
    facts=Facts(test_train_ratio=_images.overlap("caltech101", ("1", "3", "10"))),
)
