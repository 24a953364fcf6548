"""Not in the paper: weak samples of whose outputs there are bounds, as beyond a detection limit."""

from reproduction.engine.declaration import Check, Experiment, Facts
from reproduction.engine.scores import Score
from reproduction.studies.second_volume.bounds.bounds import (
    ALONE,
    CLIPPED,
    EXPECTED,
    FRESH,
    KNOWN,
    LIMIT,
    PARAMETERS,
    SEEN,
    WITHIN,
    evaluate,
    load,
)

__all__ = ["EXPERIMENT"]

METHODS = (ALONE, LIMIT, WITHIN, CLIPPED, EXPECTED, KNOWN)


def _ratio(name, n):
    """Test samples over labelled and weak ones."""
    labelled = PARAMETERS["n_labelled"]
    n_weak = min(PARAMETERS["n_weak"], (n - labelled) // 2)
    return min(PARAMETERS["n_test"], n - labelled - n_weak) / (labelled + n_weak)


SIZES = {
    "wine": 178, "cancer": 569, "diabetes": 442, "middles of digits": 1797, "usps": 9298,
    "poser": 2345, "andro": 49, "atp1d": 337, "atp7d": 296, "edm": 154, "enb": 768, "oes97": 334,
    "osales": 639, "wq": 1060, "scpf": 1137,
}  # fmt: skip
EXPERIMENT = Experiment(
    id="ofer-bounds",
    title="Weak labels that are bounds on outputs",
    load=load,
    evaluate=evaluate,
    methods=METHODS,
    scores=(Score("arrmse"),),
    settings=(*FRESH, *SEEN),
    n_splits=10,
    parameters=PARAMETERS,
    datasets=("usps", "poser", *(f"mtr_{name}" for name in SEEN)),
    check=Check(settings=("wine", "diabetes")),
    facts=Facts(test_train_ratio={name: _ratio(name, n) for name, n in SIZES.items()}),
)
