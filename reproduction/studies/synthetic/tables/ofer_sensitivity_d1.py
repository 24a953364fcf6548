"""What D1 would be if the choices that the paper leaves open were made in another way."""

from reproduction.engine.declaration import Check, Experiment, Facts, Tolerance
from reproduction.studies.synthetic.d1 import SCORES
from reproduction.studies.synthetic.sensitivity import METHODS, PARAMETERS, evaluate

__all__ = ["EXPERIMENT"]

EXPERIMENT = Experiment(
    id="ofer-sensitivity-d1",
    title="Variants of D1",
    evaluate=evaluate,
    methods=tuple(METHODS),
    scores=SCORES,
    settings=tuple(PARAMETERS["variants"]),
    n_splits=10,
    parameters=PARAMETERS,
    check=Check(
        settings=("ours", "linear projection", "noise 1"),
        methods=("full 1-GMM", "reduced 1-GMM", "reduced 4-GMM, defaults", "m-KRR centred"),
    ),
    # a search may take one step more on another machine
    tolerance=Tolerance(rtol=1e-4),
    facts=Facts(not_recorded="ridge parameters"),
)
