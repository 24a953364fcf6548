"""Local structured predictors and simple methods on the small digits, few of which have labels."""

from reproduction.engine.declaration import Check, Experiment, Facts
from reproduction.engine.scores import Score
from reproduction.studies.second_volume.local_predictors.digits import (
    NEIGHBORS,
    PARAMETERS,
    SIMPLE,
    STEPS,
    TUNED,
    evaluate,
    load_unit_digits,
)

__all__ = ["EXPERIMENT"]

EXPERIMENT = Experiment(
    id="sslsop-digits",
    title="Local structured predictors on digits, with two starts and both steps",
    load=load_unit_digits,
    evaluate=evaluate,
    methods=(*SIMPLE, *STEPS),
    scores=(Score("test error", high=100), Score("unlabelled", high=100)),
    settings=(TUNED, *NEIGHBORS),
    n_splits=3,
    parameters=PARAMETERS,
    methods_of={TUNED: SIMPLE} | dict.fromkeys(NEIGHBORS, tuple(STEPS)),
    check=Check(methods=("majority", "k-NN", *STEPS), settings=(TUNED, "10 neighbours")),
    facts=Facts(not_recorded="parameters of the simple methods"),
)
