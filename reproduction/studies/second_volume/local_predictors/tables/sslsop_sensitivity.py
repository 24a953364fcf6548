"""Local structured predictors: sensitivity to k and C, Figures 3 and 4 of Du (2016)."""

from reproduction.engine.declaration import Check, Experiment, Facts
from reproduction.engine.scores import Score
from reproduction.studies.second_volume.local_predictors.evaluation import (
    DATASETS_OF,
    FOLDS,
    OF_SENTENCES,
    load_tasks,
)
from reproduction.studies.second_volume.local_predictors.sensitivity import (
    PARAMETERS,
    PRINTED,
    evaluate,
)

__all__ = ["EXPERIMENT"]

VARIANTS = PARAMETERS["variants"]
SETTINGS = ("mammograms", "regions", "scenes", "papers", "sentences")
EXPERIMENT = Experiment(
    id="sslsop-sensitivity",
    title="Local structured predictors, Figures 3 and 4",
    load=load_tasks,
    evaluate=evaluate,
    methods=("majority", *VARIANTS, *(name + PRINTED for name in VARIANTS)),
    scores=(Score("loss"),),
    settings=SETTINGS,
    n_splits=FOLDS["n_folds"],
    parameters=PARAMETERS,
    datasets=("cbis_ddsm", "mias_bof", "scene15", "cora", "conll2002_es"),
    check=Check(settings=("regions",)),
    facts=Facts(
        test_train_ratio=dict.fromkeys(SETTINGS, 1 / (FOLDS["n_folds"] - 1)),
        thinned={"sentences": OF_SENTENCES["sentences"]},
        datasets_of=DATASETS_OF,
        trivial="majority",
    ),
)
