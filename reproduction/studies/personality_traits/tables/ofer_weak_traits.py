"""Weak labels on apparent personality traits: true ones, and ones dealt out at random."""

from reproduction.engine.declaration import Check, Experiment, Facts
from reproduction.engine.scores import Score
from reproduction.studies.personality_traits.clips import (
    OVERLAP,
    SETTINGS,
    load_clips,
)
from reproduction.studies.personality_traits.shuffled import PARAMETERS, evaluate

__all__ = ["EXPERIMENT"]

EXPERIMENT = Experiment(
    id="ofer-weak-traits",
    title="Apparent personality traits with true and with shuffled weak labels",
    load=load_clips,
    evaluate=evaluate,
    methods=("none", "true", "shuffled"),
    scores=(Score("rrmse"),),
    settings=SETTINGS,
    n_splits=5,
    parameters=PARAMETERS,
    datasets=("first_impressions",),
    check=Check(settings=("1", "1 random")),
    facts=Facts(test_train_ratio=OVERLAP, not_recorded="ridge parameters"),
)
