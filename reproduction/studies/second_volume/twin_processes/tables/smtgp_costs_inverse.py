"""Times that the paper states without a number: IKLTGP, one point more, one validation set."""

from reproduction.engine.declaration import Check, Experiment, Facts
from reproduction.engine.scores import Score
from reproduction.studies.second_volume.twin_processes.inverse_times import (
    INVERSES,
    PARAMETERS,
    TOY,
    TUNED,
    TWINS,
    evaluate,
)

__all__ = ["EXPERIMENT"]

SIZES = ("200", "400", "800", "1600")
LARGE = "3200"  # no matrix of this size or half of it fits into a cache
EXPERIMENT = Experiment(
    id="smtgp-costs-inverse",
    title="Times of IKLTGP, of an inverse, and of choosing alpha",
    evaluate=evaluate,
    methods=(*TWINS, *INVERSES, *TUNED),
    scores=(Score("time", is_time=True),),
    settings=(*SIZES, LARGE, TOY),
    n_splits=5,
    methods_of=dict.fromkeys(SIZES, (*TWINS, *INVERSES)) | {LARGE: INVERSES[:1], TOY: tuple(TUNED)},
    parameters=PARAMETERS,
    check=Check(settings=("200", TOY)),
    facts=Facts(
        origin=dict.fromkeys((*SIZES, LARGE), "substitute"),  # the paper times no evaluation
        thinned=dict.fromkeys((*SIZES, LARGE), "normal inputs in three dimensions, of our own"),
    ),
)
