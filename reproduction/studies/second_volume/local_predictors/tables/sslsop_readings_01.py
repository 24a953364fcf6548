"""Table 1 in the readings that the paper leaves open: how parameters are chosen, and the start."""

from reproduction.engine.declaration import Check, Experiment, Facts
from reproduction.engine.scores import Score
from reproduction.studies.second_volume.local_predictors import evaluation
from reproduction.studies.second_volume.local_predictors.evaluation import (
    load_classes,
)
from reproduction.studies.second_volume.local_predictors.readings import (
    PARAMETERS,
    READ,
    READINGS,
    evaluate,
)

__all__ = ["EXPERIMENT"]

SETTINGS = ("mammograms", "regions", "papers")
EXPERIMENT = Experiment(
    id="sslsop-readings-01",
    title="Local structured predictors, Table 1 in five readings",
    load=load_classes,
    evaluate=evaluate,
    methods=("majority", *READ),
    scores=(Score("loss"), *evaluation.CHOSEN),
    settings=SETTINGS,
    n_splits=5,
    parameters=PARAMETERS,
    datasets=("cbis_ddsm", "mias_bof", "scene15", "cora"),
    check=Check(settings=("regions",)),
    facts=Facts(
        test_train_ratio=dict.fromkeys(SETTINGS, 1 / (PARAMETERS["n_folds"] - 1)),
        trivial="majority",
        datasets_of={name: evaluation.DATASETS_OF[name] for name in SETTINGS},
        readings=(READINGS,),
    ),
)
