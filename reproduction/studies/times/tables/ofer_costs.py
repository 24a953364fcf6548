"""How the time of each step grows with the sizes of a problem, on generated data."""

from reproduction.engine.declaration import Check, Experiment
from reproduction.engine.scores import Score
from reproduction.studies.times.growth import PARAMETERS, TIMINGS, evaluate

__all__ = ["EXPERIMENT"]

EXPERIMENT = Experiment(
    id="ofer-costs",
    title="Growth of times with the sizes of a problem",
    evaluate=evaluate,
    methods=tuple(PARAMETERS["base"]),
    scores=tuple(Score(name, is_time=True) for name in TIMINGS),
    settings=("1", "2", "4", "8"),
    n_splits=5,
    parameters=PARAMETERS,
    check=Check(settings=("1",)),
)
