"""Classes that weak labels leave open: the tables, on four kinds of data by the same methods."""

from functools import partial

from reproduction.datasets.tables.partial_labels import PARTIAL_LABELS
from reproduction.engine.columns import Number
from reproduction.engine.declaration import Check, Facts, Tolerance
from reproduction.engine.table import Score, Table
from reproduction.papers.ofer.images import tables as _images
from reproduction.papers.ofer.weak_classes import images, partial_labels, ridges, rivals, small
from reproduction.papers.ofer.weak_classes.problem import accuracy, as_task, predict, say
from reproduction.papers.ofer.weak_classes.ridges import ON_PATH, RIDGES
from reproduction.papers.ofer.weak_classes.rivals import RIVALS

__all__ = ["AWA", "CALTECH101", "PARTIAL", "SMALL"]

WHAT_IS_SAID = "weak labels"


def _declare(room, methods, *, parameters, **fields):
    """One table: its samples are drawn by `room`, and weak labels are a method that says much."""
    values = {label: partial(predict, method) for label, method in methods.items()}
    return Table(
        draw=partial(as_task, room.draw),
        methods=values | {WHAT_IS_SAID: say},
        scores=(
            Score("accuracy", accuracy, Number(0, 100)),
            Score("open classes", number=Number(1)),
            Score("exact", number=Number(0, 100)),
        ),
        n_splits=10,
        parameters=parameters | {"ridges": ridges.PARAMETERS, "rivals": rivals.PARAMETERS},
        **fields,
    )


SMALL = _declare(
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
        origin=dict.fromkeys(small.SETTINGS, "substitute"),  # of scikit-learn
    ),
)

# What these do with labelled samples they do with samples of one candidate.
_WITHOUT = ("self-training, no weak label", "exact labels alone")
_PARTIAL = {
    label: method for label, method in (RIDGES | RIVALS | ON_PATH).items() if label not in _WITHOUT
}
_NONE = tuple(one for one in _PARTIAL if one not in ("labelled only", "self-training, restricted"))
PARTIAL = _declare(
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
    facts=Facts(test_train_ratio=dict.fromkeys(partial_labels.SETTINGS, 1.0 / 9.0)),
)

_IMAGES = RIDGES | {
    "logistic EM": RIVALS["logistic EM"],
    "PL-kNN": RIVALS["PL-kNN"],
    # A choice of the peak would take too long, as would CLPL and PL-AGGD.
    "SURE": partial(RIVALS["SURE"], peaks=[0.3]),
}
# What changes with the number of components, and is of interest then.
_BY_COMPONENTS = ("averaged", "restrict and refit", "self-training, averaged", "gain", WHAT_IS_SAID)
_LONG = ("logistic EM", "best parameter (oracle)")  # at the smallest size alone


def _declare_images(name, sizes):
    coarse = tuple(f"{sizes[0]} {k}" for k in (5, 10, 20))
    settings = (*coarse, *(f"{n} all" for n in sizes))
    others = tuple(label for label in (*_IMAGES, WHAT_IS_SAID) if label not in _LONG)
    n_classes, n_weak = _images.N_CLASSES[name], 2500
    n_test = _images.PARAMETERS[name]["n_test"]
    return _declare(
        images,
        _IMAGES,
        id=f"ofer-weak-{name}",
        title=f"Classes that weak labels leave open: {_images.TITLES[name]}",
        load=partial(_images.load_images, name),
        settings=settings,
        parameters=_images.PARAMETERS[name],
        datasets=(name, "class_vectors"),
        methods_of=dict.fromkeys(coarse, _BY_COMPONENTS) | dict.fromkeys(settings[-2:], others),
        check=Check(
            settings=(f"{sizes[0]} all",), methods=("labelled only", "restrict and refit", "gain")
        ),
        tolerance=Tolerance(atol={"accuracy": 0.2}),
        facts=Facts(
            test_train_ratio={
                one: n_test / (int(one.split()[0]) * n_classes + n_weak) for one in settings
            }
        ),
    )


AWA = _declare_images("awa", (1, 5, 14))
CALTECH101 = _declare_images("caltech101", (1, 3, 10))
