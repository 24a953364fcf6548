"""A first comparison on the embedded digits, which is not in the paper."""

from ofer.datasets import load_digits_reconstruction
from reproduction.engine.declaration import Check, Experiment, Facts
from reproduction.engine.scores import Score
from reproduction.studies.embedding.digits import PARAMETERS, evaluate

__all__ = ["EXPERIMENT"]

N_TEST = 899  # pictures, half of all
SETTINGS = tuple(PARAMETERS["n_components"])
EXPERIMENT = Experiment(
    id="ofer-digits",
    title="The middle of a digit from its border",
    load=load_digits_reconstruction,
    evaluate=evaluate,
    methods=("m-KRR centred", "OFER-GMM as printed", "OFER-GMM", "wOFER+500"),
    scores=(Score("rrmse"),),
    settings=SETTINGS,
    n_splits=10,
    parameters=PARAMETERS,
    check=Check(settings=("20", "100")),
    facts=Facts(
        test_train_ratio={size: N_TEST / int(size) for size in SETTINGS},
        not_recorded="ridge parameters",
    ),
)
