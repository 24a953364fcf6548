"""What the certainty of twin Gaussian processes says inside of the family, not at its ends."""

from reproduction.engine.declaration import Check, Experiment, Facts, Tolerance
from reproduction.engine.scores import Score
from reproduction.studies.second_volume.twin_processes import models
from reproduction.studies.second_volume.twin_processes import tasks as _smtgp_tasks
from reproduction.studies.second_volume.twin_processes.certainty import evaluate
from reproduction.studies.second_volume.twin_processes.grids import CERTAINTY
from reproduction.studies.second_volume.twin_processes.tasks import POINTS, load_part, load_poser

__all__ = ["EXPERIMENT"]

TASKS = ("toy 1", "toy 2", "Poser")
PARAMETERS = {
    "alphas": [0.1, 0.5, 0.9],
    "kernels": models.PARAMETERS["twins"],
    "n_gpr": models.PARAMETERS["n_gpr"],
    "n_block": _smtgp_tasks.N_BLOCK,
    "n_stretch": _smtgp_tasks.N_STRETCH,
    "n_folds": _smtgp_tasks.N_FOLDS,
}


def settings_of(tasks):
    """The settings of some tasks, one for each alpha."""
    return tuple(f"{name}, {alpha}" for name in tasks for alpha in PARAMETERS["alphas"])


POSES = settings_of(["Poser"])
EXPERIMENT = Experiment(
    id="smtgp-certainty",
    title="Certainty of twin Gaussian processes inside of the family",
    load=load_poser,
    evaluate=evaluate,
    methods=("SMTGP",),
    scores=(
        Score("error"),
        Score("validation error"),
        Score("certainty", low=-1, high=1),
        Score("certainty and variance", low=-1, high=1),
        Score("limb angle", high=180),
        *CERTAINTY,
    ),
    settings=settings_of(TASKS),
    n_splits=10,
    parameters=PARAMETERS,
    datasets=("poser",),
    splits_of=dict.fromkeys(POSES, 3),
    check=Check(settings=("toy 1, 0.5",), load=load_part),
    # A search over kernels by gradients, as in Table 2; ranks of near ties hang on last digits.
    tolerance=Tolerance(
        rtol=1e-3,
        atol=dict.fromkeys(("certainty", "certainty and variance"), 0.01),
    ),
    facts=Facts(
        test_train_ratio=dict.fromkeys(POSES, 418 / 1927),
        origin=dict.fromkeys(settings_of(["toy 1", "toy 2"]), "generated"),
        thinned=dict.fromkeys(POSES, POINTS),
    ),
)
