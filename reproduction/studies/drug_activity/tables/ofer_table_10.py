"""Table 10: weak labels on the NCI-60 drug activities (section 6.4.2)."""

import numpy as np

from reproduction.engine.declaration import Check, Facts
from reproduction.engine.table import Table
from reproduction.methods.forms import On
from reproduction.methods.ridge import centred_ridge
from reproduction.methods.scores import ARRMSE, RRMSE
from reproduction.methods.weak_as_printed import WEAK_WEIGHTS, WeakOferAsPrinted
from reproduction.methods.weak_mixtures import ImputedRidge, WeakOfer
from reproduction.methods.weak_samples import shuffled
from reproduction.studies.drug_activity.grids import COUNTS, N_COMPONENTS, WEAK_WEIGHT
from reproduction.studies.drug_activity.molecules import (
    OVERLAP,
    PARAMETERS,
    SETTINGS,
    draw_weak,
    load_molecules,
)
from reproduction.studies.drug_activity.tables.ofer_table_09 import TRAIN_SHARE

__all__ = ["EXPERIMENT"]

ALPHAS = tuple(np.logspace(-4, 3, 8).tolist())
N_WEAK = {"OFER-GMM": 0, "wOFER+100": 100, "wOFER+500": 500, "wOFER+800": 800}
_PRINTED = {label: WeakOferAsPrinted(n_weak, COUNTS, ALPHAS) for label, n_weak in N_WEAK.items()}

EXPERIMENT = Table(
    id="ofer-table-10",
    title="Table 10: drug activity prediction with weak labels",
    load=load_molecules,
    draw=draw_weak,
    methods={
        "m-KRR centred": centred_ridge,
        **{label: WeakOfer(n_weak, COUNTS) for label, n_weak in N_WEAK.items()},
        "m-KRR imputed+800": ImputedRidge(800, COUNTS),
        "wOFER+800 shuffled": On(shuffled, WeakOfer(800, COUNTS)),
        **{f"{label} as printed": method for label, method in _PRINTED.items()},
        "wOFER+800 as printed, shuffled": On(shuffled, _PRINTED["wOFER+800"]),
    },
    scores=(RRMSE, ARRMSE, N_COMPONENTS, WEAK_WEIGHT),
    settings=SETTINGS,
    n_splits=10,
    parameters=PARAMETERS | {"weak_weights": WEAK_WEIGHTS},
    datasets=("nci60",),
    check=Check(settings=("10",)),
    facts=Facts(test_train_ratio=OVERLAP, train_share=TRAIN_SHARE, not_recorded="ridge parameters"),
)
