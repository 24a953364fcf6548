"""USPS in Table 2 with hyper-parameters chosen by five folds, as the paper has it."""

from sklearn.utils import Bunch

from reproduction.datasets.images.usps import fetch_usps
from reproduction.engine.declaration import Check, Experiment, Facts
from reproduction.engine.scores import Score
from reproduction.studies.second_volume.twin_processes import errors
from reproduction.studies.second_volume.twin_processes import grids as grids
from reproduction.studies.second_volume.twin_processes.readings import (
    FOLDS,
    READ,
    READINGS,
    evaluate,
    load,
)
from reproduction.studies.second_volume.twin_processes.tables import smtgp_table_02

__all__ = ["EXPERIMENT"]


def load_part():
    """Six hundred training and test pictures, to check the code with."""
    whole = fetch_usps()
    parts = {name: getattr(whole, name)[:600] for name in ("train", "test")}
    return {"USPS": Bunch(**{**whole, **parts})}


EXPERIMENT = Experiment(
    id="smtgp-readings-02",
    title="Table 2 of SMTGP: USPS with five folds",
    load=load,
    evaluate=evaluate,
    methods=tuple(READ),
    scores=(Score("error"), Score("validation error"), Score("rmse per pixel"), *grids.READINGS),
    settings=("USPS",),
    n_splits=1,
    parameters=errors.PARAMETERS,
    datasets=("usps",),
    check=Check(
        settings=("USPS",),
        load=load_part,
        methods=tuple(f"{name}, {FOLDS[1]}" for name in ("W-KNN", "m-KRR")),
    ),
    tolerance=smtgp_table_02.EXPERIMENT.tolerance,
    facts=Facts(
        test_train_ratio={"USPS": 1.0},
        thinned={"USPS": smtgp_table_02.EXPERIMENT.facts.thinned["USPS"]},
        readings=(READINGS,),
        not_recorded="ridge parameters of OFER-GMM",
    ),
)
