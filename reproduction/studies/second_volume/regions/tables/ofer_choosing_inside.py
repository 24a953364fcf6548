"""Not in the paper: what it costs the coverage to choose the ridge parameter once."""

from reproduction.engine.declaration import Check, Experiment, Facts
from reproduction.engine.scores import Score
from reproduction.studies.second_volume.regions.choosing_inside import METHODS, PARAMETERS, evaluate

__all__ = ["EXPERIMENT"]

EXPERIMENT = Experiment(
    id="ofer-choosing-inside",
    title="Coverage where the ridge parameter is fixed, chosen once, or chosen inside",
    evaluate=evaluate,
    methods=tuple(METHODS),
    scores=tuple(Score(f"coverage {level}", high=1) for level in ("0.8", "0.9", "0.95")),
    settings=tuple(PARAMETERS["n_outputs"]),
    n_splits=20,
    parameters=PARAMETERS,
    check=Check(settings=("20",)),
    facts=Facts(
        origin=dict.fromkeys(PARAMETERS["n_outputs"], "generated"), not_recorded="ridge parameters"
    ),
)
