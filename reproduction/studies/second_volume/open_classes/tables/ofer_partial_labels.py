"""Partial labels: faces, segments of photographs, and songs of birds."""

from reproduction.datasets.tables.partial_labels import PARTIAL_LABELS
from reproduction.engine.declaration import Check, Facts, Tolerance
from reproduction.studies.second_volume.open_classes import partial_labels
from reproduction.studies.second_volume.open_classes.comparison import WHAT_IS_SAID, declare
from reproduction.studies.second_volume.open_classes.ridges import ON_PATH, RIDGES
from reproduction.studies.second_volume.open_classes.rivals import RIVALS

__all__ = ["EXPERIMENT"]

# What these do with labelled samples they do with samples of one candidate.
_WITHOUT = ("self-training, no weak label", "exact labels alone")
_PARTIAL = {
    label: method for label, method in (RIDGES | RIVALS | ON_PATH).items() if label not in _WITHOUT
}
_NONE = tuple(one for one in _PARTIAL if one not in ("labelled only", "self-training, restricted"))
EXPERIMENT = declare(
    partial_labels,
    _PARTIAL,
    id="ofer-partial-labels",
    title="Partial labels: faces, segments of photographs, and songs of birds",
    load=partial_labels.load_all,
    settings=partial_labels.SETTINGS,
    parameters=partial_labels.PARAMETERS,
    datasets=tuple(one.name for one in PARTIAL_LABELS.values()),
    methods_of={
        one: (*_NONE, WHAT_IS_SAID) for one in partial_labels.SETTINGS if one.endswith("none")
    },
    check=Check(settings=("lost singletons",), methods=("labelled only", "averaged", "gain")),
    tolerance=Tolerance(atol={"accuracy": 1.5}),
    facts=Facts(
        test_train_ratio=dict.fromkeys(partial_labels.SETTINGS, 1.0 / 9.0),
        not_recorded="ridge parameters",
    ),
)
