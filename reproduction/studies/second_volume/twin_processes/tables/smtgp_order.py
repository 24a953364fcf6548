"""Whether the order beta of the Sharma-Mittal divergence moves a prediction."""

from reproduction.engine.declaration import Check, Experiment, Facts, Tolerance
from reproduction.engine.scores import Score
from reproduction.studies.second_volume.twin_processes.order import (
    PARAMETERS,
    evaluate,
    load_digits,
)
from reproduction.studies.second_volume.twin_processes.tasks import DIGITS

__all__ = ["EXPERIMENT"]

OF_DIGITS = tuple(f"digits, {alpha}" for alpha in PARAMETERS["alphas"])
EXPERIMENT = Experiment(
    id="smtgp-order",
    title="Predictions under different orders of the divergence",
    load=load_digits,
    evaluate=evaluate,
    methods=("log", "0.5", "0.99", "1.5"),
    scores=(Score("error"), Score("moved", high=1), Score("predict time", is_time=True)),
    settings=tuple(
        f"{name}, {alpha}"
        for name in ("toy 1", "toy 2", "digits")
        for alpha in PARAMETERS["alphas"]
    ),
    n_splits=10,
    parameters=PARAMETERS,
    splits_of=dict.fromkeys(OF_DIGITS, 5),
    check=Check(settings=("toy 1, 0.5",)),
    tolerance=Tolerance(rtol=1e-3),
    facts=Facts(
        test_train_ratio=dict.fromkeys(OF_DIGITS, 1.0),
        origin=dict.fromkeys(OF_DIGITS, "substitute"),
        thinned=dict.fromkeys(OF_DIGITS, DIGITS),
    ),
)
