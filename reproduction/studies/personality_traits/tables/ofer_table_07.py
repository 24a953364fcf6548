"""Table 7: apparent personality of people in short videos (section 6.4.1).

The forms as printed follow the paper's protocol, cross-validation in five folds over all
hyper-parameters at once. Ours choose ridges and the number of components by exact leave-one-out;
the forest chooses its features by out-of-bag error. IOKR has linear kernels in and out, as the text
says.
"""

import numpy as np

from reproduction.engine.declaration import Check, Facts
from reproduction.engine.table import Table
from reproduction.methods.forest import Forest
from reproduction.methods.forms import On
from reproduction.methods.iokr import IokrByFolds
from reproduction.methods.mean import training_mean
from reproduction.methods.ridge import RidgeByFolds, centred_ridge
from reproduction.methods.scores import ARRMSE, RRMSE
from reproduction.methods.weak_as_printed import WeakOferAsPrinted
from reproduction.methods.weak_mixtures import WeakOfer
from reproduction.studies.personality_traits import clips
from reproduction.studies.personality_traits.clips import (
    OVERLAP,
    SETTINGS,
    draw_counts,
    gaussian,
    linear,
    load_clips,
    words,
)
from reproduction.studies.personality_traits.grids import COUNTS, N_COMPONENTS

__all__ = ["ALPHAS", "COUNTS", "EM", "EXPERIMENT", "PARAMETERS"]

ALPHAS = tuple(np.logspace(-3, 3, 7).tolist())
EM = {"tol": 1e-5, "max_iter": 2000}
PARAMETERS = clips.PARAMETERS | {"n_components": COUNTS, "em": EM}

EXPERIMENT = Table(
    id="ofer-table-07",
    title="Table 7: apparent personality traits",
    load=load_clips,
    draw=draw_counts,
    methods={
        "mean": training_mean,
        "m-KRR": On(gaussian, RidgeByFolds(ALPHAS)),
        "m-KRR centred": On(gaussian, centred_ridge),
        "IOKR": On(linear, IokrByFolds(ALPHAS)),
        "m-RF": On(words, Forest(100, max_features=("sqrt", 0.05))),
        "OFER-GMM as printed": On(gaussian, WeakOferAsPrinted(0, COUNTS, ALPHAS, em=EM)),
        "OFER-GMM": On(gaussian, WeakOfer(0, COUNTS, em=EM)),
    },
    scores=(RRMSE, ARRMSE, N_COMPONENTS),
    settings=SETTINGS,
    n_splits=10,
    parameters=clips.PARAMETERS,
    datasets=("first_impressions",),
    check=Check(settings=("1", "1 random")),
    facts=Facts(test_train_ratio=OVERLAP, not_recorded="ridge parameters, features that trees try"),
)
