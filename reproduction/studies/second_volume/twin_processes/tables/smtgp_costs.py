"""Time of one evaluation of the costs of twin Gaussian processes, and of the divergence itself."""

from reproduction.engine.declaration import Check, Experiment, Facts
from reproduction.engine.scores import Score
from reproduction.studies.second_volume.twin_processes.evaluation_times import (
    FORMS,
    PARAMETERS,
    TWINS,
    evaluate,
)

__all__ = ["EXPERIMENT"]

SIZES = ("200", "400", "800", "1600")
EXPERIMENT = Experiment(
    id="smtgp-costs",
    title="Time of an evaluation over the number of training samples",
    evaluate=evaluate,
    methods=(*TWINS, *FORMS),
    scores=(Score("time", is_time=True),),
    settings=SIZES,
    n_splits=5,
    parameters=PARAMETERS,
    check=Check(settings=("200",)),
    facts=Facts(
        origin=dict.fromkeys(SIZES, "substitute"),  # the paper times no evaluation
        thinned=dict.fromkeys(SIZES, "normal inputs in three dimensions, of our own"),
    ),
)
