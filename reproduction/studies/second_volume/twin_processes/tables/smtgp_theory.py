"""Statements of sections 2 to 4 that a computation decides: two routes to one number."""

from reproduction.engine.declaration import Check, Experiment, Facts, Tolerance
from reproduction.engine.scores import Score
from reproduction.studies.second_volume.twin_processes.theory import (
    GAPS,
    LIMITS,
    PARAMETERS,
    RATIOS,
    SAMPLES,
    STABLE,
    evaluate,
)

__all__ = ["EXPERIMENT"]

_PAIRS = ("equal means", "different means")
_OF_SAMPLES = (
    "Lemma 4.1",
    "Lemma 4.1, integral",
    "Lemma 4.1, integral as printed",
    "Lemma 4.2",
    "growth of the determinant",
    "bounds of eta",
    "predictive variance",
    "eta and distance",
    "appendix 1",
)
_METHODS_OF = (
    {"one variable": LIMITS}
    | dict.fromkeys(_PAIRS, ("Lemma 3.1",))
    | dict.fromkeys(SAMPLES, _OF_SAMPLES)
    | dict.fromkeys(STABLE, ("cost (16)",))
    | dict.fromkeys([*GAPS, *RATIOS], ("two means",))
)
EXPERIMENT = Experiment(
    id="smtgp-theory",
    title="Statements of the theory that a computation decides",
    evaluate=evaluate,
    methods=(*LIMITS, "Lemma 3.1", *_OF_SAMPLES, "cost (16)", "two means"),
    scores=(
        Score("deviation"),
        Score("violation"),
        Score("rank correlation", low=-1, high=1),
        Score("unstable", high=1),
        Score("over the smaller", low=1),
        Score("nearer", high=1),
    ),
    settings=tuple(_METHODS_OF),
    n_splits=10,
    methods_of=_METHODS_OF,
    parameters=PARAMETERS,
    check=Check(),
    # Deviations are mostly rounding, of matrices with condition numbers of 1e4 and more.
    tolerance=Tolerance(atol={"deviation": 1e-4, "violation": 1e-9, "unstable": 0.05}),
    facts=Facts(
        thinned=dict.fromkeys(_METHODS_OF, "random cases under the assumptions of the statement"),
    ),
)
