"""Statements of section 2 on the scores of a model of maximum likelihood."""

from reproduction.datasets.series.character_trajectories import fetch_character_trajectories
from reproduction.engine.declaration import Check, Experiment, Facts, Tolerance
from reproduction.engine.scores import Score
from reproduction.studies.second_volume.fisher_kernels.theory import PARAMETERS, evaluate

__all__ = ["EXPERIMENT"]

METHOD = "maximum likelihood"
EXPERIMENT = Experiment(
    id="fkl-theory",
    title="Scores under a model of maximum likelihood",
    load=fetch_character_trajectories,
    evaluate=evaluate,
    methods=(METHOD,),
    scores=(
        Score("mean of all"),
        Score("mean of a class"),
        Score("single object"),
        Score("median over largest", high=1),
        Score("length and likelihood", low=-1, high=1),
        Score("length and likelihood a node", low=-1, high=1),
    ),
    settings=("walks", "characters"),
    n_splits=10,
    parameters=PARAMETERS,
    datasets=("character_trajectories",),
    check=Check(),
    # At the end of EM the mean score is nearly zero, and what is left depends on the processor.
    tolerance=Tolerance(
        rtol=1e-3,
        atol={
            "mean of all": 0.05,
            "length and likelihood": 0.005,
            "length and likelihood a node": 0.005,
        },
    ),
    facts=Facts(
        origin={"walks": "generated"},
        datasets_of={"walks": ()},
        thinned={"walks": "walks of our own", "characters": "200 characters at a time"},
    ),
)
