"""Not in the paper: the next frame of speech, from a quarter of a million of them."""

from reproduction.engine.declaration import Check, Experiment, Facts
from reproduction.engine.scores import Score
from reproduction.studies.second_volume.many_samples.frames import (
    METHODS,
    PARAMETERS,
    evaluate,
    load_frames,
)

__all__ = ["EXPERIMENT"]

EXPERIMENT = Experiment(
    id="ofer-frames",
    title="The next frame of spoken digits",
    load=load_frames,
    evaluate=evaluate,
    methods=tuple(METHODS),
    scores=(Score("error"), Score("n", low=1, whole=True)),
    settings=("frames",),
    n_splits=1,
    parameters=PARAMETERS,
    datasets=("spoken_arabic_digits_train", "spoken_arabic_digits_test"),
    check=Check(methods=("linear ridge", "100 centres")),
    facts=Facts(not_recorded="ridge parameters"),
)
