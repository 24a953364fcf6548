"""The rule by which open classes are inferred, its safeguards taken away one by one."""

from reproduction.engine.declaration import Check, Experiment, Facts, Tolerance
from reproduction.engine.scores import Score
from reproduction.studies.second_volume.open_classes import small
from reproduction.studies.second_volume.open_classes.safeguards import PARAMETERS, WITHOUT, evaluate
from reproduction.studies.second_volume.open_classes.small import load_both

__all__ = ["EXPERIMENT"]

SHUFFLED = tuple(f"{name} 3, shuffled" for name in small.KINDS)
EXPERIMENT = Experiment(
    id="ofer-weak-safeguards",
    title="Classes that weak labels leave open: the safeguards taken away one by one",
    load=load_both,
    evaluate=evaluate,
    methods=tuple(WITHOUT),
    scores=(Score("accuracy", high=100), Score("used", high=1, whole=True)),
    settings=(*small.SETTINGS, *SHUFFLED),
    n_splits=10,
    parameters=PARAMETERS | {"draw": small.PARAMETERS},
    check=Check(settings=("wine groups 1", "digits groups 3")),
    # As of the table without ablation: a sample near a border of two classes.
    tolerance=Tolerance(atol={"accuracy": 1.5}),
    facts=Facts(
        test_train_ratio={
            one: small.test_train_ratio(one.partition(", ")[0])
            for one in (*small.SETTINGS, *SHUFFLED)
        },
        not_recorded="width, ridge parameters",
    ),
)
