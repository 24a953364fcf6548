"""Table 9 in the readings that the paper leaves open: the kernel, and an intercept.

The text says: "In all the experiments we directly used a representation of the training data as a
Gram matrix with Tanimoto kernel". The caption says: "Comparison of (Gaussian) m-KRR, RF, IOKR and
OFER-GMM". Equation (13) has no intercept, and no sentence says whether outputs were centred. So
there are four readings of one table. `ofer_table_09` has the first, the Tanimoto kernel without an
intercept; here each method has all four, by one protocol.
"""

from itertools import product

import numpy as np

from reproduction.engine.declaration import Check, Facts
from reproduction.engine.readings import Dimension, Readings
from reproduction.engine.scores import Grid, Score
from reproduction.engine.table import Table
from reproduction.methods.forms import On
from reproduction.methods.kernel_readings import (
    IokrReading,
    MixtureReading,
    RidgeReading,
)
from reproduction.methods.mean import training_mean
from reproduction.methods.scores import RRMSE
from reproduction.studies.drug_activity.grids import COUNTS, N_COMPONENTS
from reproduction.studies.drug_activity.molecules import (
    OVERLAP,
    PARAMETERS,
    SETTINGS,
    draw,
    kernel,
    load_molecules,
)
from reproduction.studies.drug_activity.tables.ofer_table_09 import TRAIN_SHARE

__all__ = ["ALPHAS", "EXPERIMENT", "INTERCEPTS", "KERNELS", "READINGS", "label"]

ALPHAS = tuple(np.logspace(-6, 3, 10).tolist())
WIDTHS = (0.25, 0.5, 1, 2, 4, 8, 16, 32)
KERNELS = ("Tanimoto", "Gaussian")
INTERCEPTS = ("no intercept", "intercept")
METHODS = ("m-KRR", "IOKR", "OFER-GMM as printed", "OFER-GMM")
READINGS = Readings(
    of="ofer-table-09",
    dimensions=(
        Dimension(
            name="kernel",
            words="“a Gram matrix with Tanimoto kernel” (text); “(Gaussian) m-KRR” (caption)",
            options=KERNELS,
            why="The text speaks of all experiments, the caption of one method.",
        ),
        Dimension(
            name="intercept",
            words="Equation (13) has none; no sentence says whether outputs were centred.",
            options=INTERCEPTS,
            why="The equation is what is printed.",
        ),
    ),
    choices=tuple(product(KERNELS, INTERCEPTS)),
    labels={method: f"{method}, {{kernel}}, {{intercept}}" for method in METHODS},
)


def label(method, kernel, intercept):
    """Name of a method in a reading, such as "m-KRR, Gaussian, no intercept"."""
    return f"{method}, {kernel}, {intercept}"


def _read(method, kernel, intercept):
    """A method in a reading."""
    options = {"intercept": intercept == "intercept"}
    if kernel == "Gaussian":
        options["widths"] = WIDTHS
    if method != "OFER-GMM":  # our form has a ridge a block, by leave-one-out
        options["alphas"] = ALPHAS
    if method.startswith("OFER"):
        return MixtureReading(n_components=COUNTS, **options)
    return (IokrReading if method == "IOKR" else RidgeReading)(**options)


EXPERIMENT = Table(
    id="ofer-readings-drugs",
    title="Table 9 in four readings: kernel and intercept",
    load=load_molecules,
    draw=draw,
    methods={
        **{label(*one): On(kernel, _read(*one)) for one in product(METHODS, KERNELS, INTERCEPTS)},
        "training mean": training_mean,
    },
    scores=(
        RRMSE,
        Score("width", choice=Grid(values=lambda *_: WIDTHS)),
        N_COMPONENTS,
        Score("alpha", choice=Grid(values=lambda *_: ALPHAS)),
    ),
    settings=SETTINGS,
    n_splits=10,
    groups=40,
    parameters=PARAMETERS,
    datasets=("nci60",),
    check=Check(settings=("10",)),
    facts=Facts(
        test_train_ratio=OVERLAP,
        train_share=TRAIN_SHARE,
        readings=(READINGS,),
        not_recorded="ridge parameters of our OFER-GMM",
    ),
)
