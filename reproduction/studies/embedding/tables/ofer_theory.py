"""Statements of sections 3 to 5 that a computation decides: two routes to one number."""

from reproduction.engine.declaration import Check, Experiment, Facts, Tolerance
from reproduction.engine.scores import Score
from reproduction.studies.embedding.theory import (
    ADDED,
    CHOSEN,
    CLUSTERS,
    DECODED,
    PARAMETERS,
    SPARSE,
    evaluate,
)

__all__ = ["EXPERIMENT"]

_CASES = (
    "one Gaussian",
    "mixture, exact",
    "mixture, spherical",
    "mixture, full",
    "mixture, learnt",
)
_OF_GAUSSIANS = ("error (8)", "covariance block", "full loss (4)")
_OF_LEARNING = ("ridges apart", "loss by blocks")
_METHODS_OF = (
    dict.fromkeys(_CASES, (DECODED,))
    | {"one Gaussian": (DECODED, *_OF_GAUSSIANS), "mixture, learnt": (DECODED, *_OF_LEARNING)}
    | {"series": (DECODED,)}
    | dict.fromkeys(SPARSE, ("Fisher vector",))
    | {"D2": ADDED}
    | dict.fromkeys(CLUSTERS, (CHOSEN,))
)
EXPERIMENT = Experiment(
    id="ofer-theory",
    title="Statements of the method that a computation decides",
    evaluate=evaluate,
    methods=(DECODED, *_OF_GAUSSIANS, *_OF_LEARNING, "Fisher vector", *ADDED, CHOSEN),
    scores=(
        Score("deviation"),
        Score("pre-image share"),
        Score("block loss"),
        Score("chosen over true"),
        *(
            Score(name, high=1)
            for name in ("beaten", "others near zero", "not convex", "above zero")
        ),
    ),
    settings=tuple(_METHODS_OF),
    n_splits=10,
    methods_of=_METHODS_OF,
    parameters=PARAMETERS,
    check=Check(),
    # Deviations are rounding, or the end of a search.
    tolerance=Tolerance(
        atol={"deviation": 1e-4, "pre-image share": 1e-3, "beaten": 0.1, "chosen over true": 3.0}
    ),
    facts=Facts(
        thinned=dict.fromkeys(
            [*_CASES, "series"], "random cases under the assumptions of the statement"
        ),
    ),
)
