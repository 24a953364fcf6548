"""Table 3 here: times of every method on every task of twin Gaussian processes."""

from reproduction.engine.declaration import Check, Experiment, Facts
from reproduction.engine.scores import Score
from reproduction.studies.second_volume.twin_processes.task_times import PARAMETERS, evaluate
from reproduction.studies.second_volume.twin_processes.tasks import (
    DATASETS_OF,
    DIGITS,
    ORIGIN,
    SETTINGS,
    load_tasks,
)

__all__ = ["EXPERIMENT"]

FEW = f"{PARAMETERS['n_test']} test inputs at most"
EXPERIMENT = Experiment(
    id="smtgp-table-03",
    title="Times of twin Gaussian processes and of others",
    load=load_tasks,
    evaluate=evaluate,
    methods=tuple(PARAMETERS["given"]),
    scores=(
        Score("fit time", is_time=True),
        Score("predict time", is_time=True),
        Score("n_train", low=1, whole=True),
        Score("n_test", low=1, whole=True),
    ),
    settings=SETTINGS,
    n_splits=5,
    parameters=PARAMETERS,
    datasets=("usps", "poser"),
    splits_of={"USPS": 1, "Poser": 1, "digits": 3},
    check=Check(settings=("toy 1",)),
    facts=Facts(
        origin=ORIGIN,
        datasets_of=DATASETS_OF,
        thinned={
            "USPS": FEW,
            "Poser": FEW,
            "digits": f"{DIGITS}; {FEW}",
        },
    ),
)
