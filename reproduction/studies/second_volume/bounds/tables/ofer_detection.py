"""Not in the paper: outputs below a detection limit, where labelled samples are those above."""

from reproduction.engine.declaration import Check, Experiment, Facts
from reproduction.engine.scores import Score
from reproduction.studies.second_volume.bounds.detection import (
    BOUNDED,
    CLIPPED,
    DETECTED,
    HALF,
    KNOWN,
    LIMIT,
    PARAMETERS,
    RATES,
    evaluate,
    load_positive,
)

__all__ = ["EXPERIMENT"]

SIZES = {
    "concentrations": 600, "wine": 178, "cancer": 569, "diabetes": 442, "andro": 49, "atp1d": 337,
    "atp7d": 296, "enb": 768, "oes97": 334, "osales": 639,
}  # fmt: skip


def _ratio(n):
    """Test samples over training ones."""
    n_train = min(PARAMETERS["n_train"], n // 2)
    return min(PARAMETERS["n_test"], n - n_train) / n_train


SETTINGS = {f"{name}, {100 * rate:.0f} %": n for name, n in SIZES.items() for rate in RATES}
EXPERIMENT = Experiment(
    id="ofer-detection",
    title="Outputs below a detection limit",
    load=load_positive,
    evaluate=evaluate,
    methods=(DETECTED, LIMIT, HALF, CLIPPED, BOUNDED, KNOWN),
    scores=(Score("arrmse"),),
    settings=tuple(SETTINGS),
    n_splits=10,
    parameters=PARAMETERS,
    datasets=tuple(f"mtr_{name}" for name in ("andro", "atp1d", "atp7d", "enb", "oes97", "osales")),
    check=Check(settings=("wine, 40 %", "enb, 20 %")),
    facts=Facts(test_train_ratio={setting: _ratio(n) for setting, n in SETTINGS.items()}),
)
