"""Classes of images that weak labels leave open: one table for each of two data sets."""

from functools import partial

from reproduction.engine.declaration import Check, Facts, Tolerance
from reproduction.studies.images import comparison
from reproduction.studies.second_volume.open_classes import images
from reproduction.studies.second_volume.open_classes.comparison import WHAT_IS_SAID, declare
from reproduction.studies.second_volume.open_classes.ridges import RIDGES
from reproduction.studies.second_volume.open_classes.rivals import RIVALS

__all__ = ["declare_images"]

_IMAGES = RIDGES | {
    "logistic EM": RIVALS["logistic EM"],
    "PL-kNN": RIVALS["PL-kNN"],
    # A choice of the peak would take too long, as would CLPL and PL-AGGD.
    "SURE": partial(RIVALS["SURE"], peaks=[0.3]),
}
# What changes with the number of components, and is of interest then.
_BY_COMPONENTS = ("averaged", "restrict and refit", "self-training, averaged", "gain", WHAT_IS_SAID)
_LONG = ("logistic EM", "best parameter (oracle)")  # at the smallest size alone


def declare_images(name, sizes):
    """Table of a data set, with so many labelled images a class."""
    coarse = tuple(f"{sizes[0]} {k}" for k in (5, 10, 20))
    settings = (*coarse, *(f"{n} all" for n in sizes))
    others = tuple(label for label in (*_IMAGES, WHAT_IS_SAID) if label not in _LONG)
    n_classes, n_weak = comparison.N_CLASSES[name], 2500
    n_test = comparison.PARAMETERS[name]["n_test"]
    return declare(
        images,
        _IMAGES,
        id=f"ofer-weak-{name}",
        title=f"Classes that weak labels leave open: {comparison.TITLES[name]}",
        load=partial(comparison.load_images, name),
        settings=settings,
        parameters=comparison.PARAMETERS[name],
        datasets=(name, "class_vectors"),
        methods_of=dict.fromkeys(coarse, _BY_COMPONENTS) | dict.fromkeys(settings[-2:], others),
        check=Check(
            settings=(f"{sizes[0]} all",), methods=("labelled only", "restrict and refit", "gain")
        ),
        tolerance=Tolerance(atol={"accuracy": 0.2}),
        facts=Facts(
            test_train_ratio={
                one: n_test / (int(one.split()[0]) * n_classes + n_weak) for one in settings
            },
            not_recorded="ridge parameters",
        ),
    )
