"""What the weight of weak labels does (section 6.5; the subject of the paper's Table 15)."""

from reproduction.engine.declaration import Check, Experiment, Facts
from reproduction.engine.scores import Score
from reproduction.studies.images import comparison
from reproduction.studies.images.weak_weight import PARAMETERS, SETS, evaluate, load_images

__all__ = ["EXPERIMENT"]

EXPERIMENT = Experiment(
    id="ofer-weak-weight",
    title="The weight of weak labels in image classification",
    load=load_images,
    evaluate=evaluate,
    methods=tuple(SETS),
    scores=(Score("accuracy", high=100), Score("rank", high=100)),
    settings=("0.001", "0.01", "0.1", "1", "10", "100"),
    n_splits=5,
    parameters={**PARAMETERS, **comparison.PARAMETERS},
    datasets=("caltech101", "awa", "class_vectors"),
    check=Check(settings=("0.1",)),
    facts=Facts(not_recorded="components, ridge parameters"),
)
