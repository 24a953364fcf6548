"""What the generated data of Tables 1 to 5 may have been: errors over a grid of open choices."""

from reproduction.engine.declaration import Check, Experiment, Facts, Tolerance
from reproduction.engine.scores import Score
from reproduction.studies.synthetic.forensics import (
    EMBEDDINGS,
    LEARNERS,
    LEVEL,
    PARAMETERS,
    evaluate,
)

__all__ = ["EXPERIMENT"]


def _methods(setting):
    return {"D1": (*LEARNERS, LEVEL, *EMBEDDINGS), "D2": (*LEARNERS, LEVEL)}.get(
        setting.split()[0], LEARNERS[-2:]
    )


EXPERIMENT = Experiment(
    id="ofer-forensics",
    title="Errors on generated data, by choices that the paper leaves open",
    evaluate=evaluate,
    methods=(*LEARNERS, LEVEL, *EMBEDDINGS),
    scores=(
        Score("rrmse"),
        *(Score(f"rrmse {size}") for size in (10, 12, 30, 50, 60, 100, 120, 200, 300, 500, 1000)),
    ),
    settings=tuple(PARAMETERS["data"]),
    n_splits=10,
    parameters=PARAMETERS,
    methods_of={setting: _methods(setting) for setting in PARAMETERS["data"]},
    check=Check(
        settings=("D1 apart median clean", "D2 blobs linear clean", "series 3 seen noise 2")
    ),
    # a search may take one step more on another machine
    tolerance=Tolerance(rtol=1e-4),
    facts=Facts(not_recorded="ridge parameters"),
)
