"""Handwritten digits and wines."""

from reproduction.engine.declaration import Check, Facts, Tolerance
from reproduction.studies.second_volume.open_classes import small
from reproduction.studies.second_volume.open_classes.comparison import declare
from reproduction.studies.second_volume.open_classes.ridges import RIDGES
from reproduction.studies.second_volume.open_classes.rivals import RIVALS

__all__ = ["EXPERIMENT"]

EXPERIMENT = declare(
    small,
    {label: method for label, method in (RIDGES | RIVALS).items() if label[:5] != "exact"},
    id="ofer-weak-small",
    title="Classes that weak labels leave open: handwritten digits and wines",
    load=small.load_both,
    settings=small.SETTINGS,
    parameters=small.PARAMETERS,
    check=Check(settings=("wine groups 1", "digits groups 3")),
    # A sample near a border of two classes may change sides on another processor.
    tolerance=Tolerance(atol={"accuracy": 1.5}),
    facts=Facts(
        test_train_ratio={one: small.test_train_ratio(one) for one in small.SETTINGS},
        not_recorded="ridge parameters",
        origin=dict.fromkeys(small.SETTINGS, "substitute"),  # of scikit-learn
    ),
)
