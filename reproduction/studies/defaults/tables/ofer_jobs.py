"""Not in the paper: twenty regressions, each class at its defaults beside what users would take."""

from reproduction.engine.declaration import Check, Experiment, Facts
from reproduction.engine.scores import Score
from reproduction.studies.defaults.jobs import JOBS, METHODS, PARAMETERS, evaluate, load_jobs

__all__ = ["EXPERIMENT"]

EXPERIMENT = Experiment(
    id="ofer-jobs",
    title="Twenty jobs at defaults",
    load=load_jobs,
    evaluate=evaluate,
    methods=tuple(METHODS),
    scores=(
        Score("r2", low=-100, high=1),
        Score("held together", high=1),
        Score("held each", high=1),
        Score("width"),
    ),
    settings=JOBS,
    n_splits=5,
    parameters=PARAMETERS,
    datasets=(
        "mtr_andro", "mtr_edm", "mtr_enb", "mtr_scpf", "mtr_sf1", "mtr_atp7d", "mtr_oes97",
        "mtr_osales", "mtr_wq", "poser",
    ),
    check=Check(settings=("andro", "steps"), methods=tuple(METHODS)),
    facts=Facts(not_recorded="kernels and ridge parameters, by the defaults of each package"),
)  # fmt: skip
