"""What each departure from kernel ridge regression earns: one step at a time."""

from reproduction.engine.declaration import Check, Experiment, Facts
from reproduction.engine.scores import Score
from reproduction.studies.embedding.ablation import (
    BY_BLOCK,
    ONE_RIDGE,
    PARAMETERS,
    WEAK,
    evaluate,
    load_tasks,
)

__all__ = ["EXPERIMENT"]

EXPERIMENT = Experiment(
    id="ofer-ablation",
    title="From kernel ridge regression to OFER-GMM, one step at a time",
    load=load_tasks,
    evaluate=evaluate,
    methods=(*ONE_RIDGE, *BY_BLOCK, WEAK),
    scores=(Score("rrmse"),),
    settings=(
        "D2 clean 60",
        "D2 clean 300",
        "D2 noisy 60",
        "D2 noisy 300",
        "NCI-60 20",
        "NCI-60 100",
    ),
    n_splits=10,
    parameters=PARAMETERS,
    datasets=("nci60",),
    check=Check(settings=("D2 noisy 60", "NCI-60 20")),
    facts=Facts(not_recorded="ridge parameters"),
)
