"""Not in the paper: an output model that is chosen by itself, on the multi-target benchmark."""

from reproduction.engine.declaration import Check, Experiment, Facts
from reproduction.engine.scores import Grid, Score
from reproduction.studies.multi_target.benchmark import load_sets
from reproduction.studies.multi_target.chosen_models import METHODS, evaluate
from reproduction.studies.multi_target.tables.ofer_mtr import EXPERIMENT as BENCHMARK

__all__ = ["EXPERIMENT"]

PARAMETERS = {"methods": METHODS}
EXPERIMENT = Experiment(
    id="ofer-cv",
    title="Multi-target regression benchmark: an output model chosen by itself",
    load=load_sets,
    evaluate=evaluate,
    methods=tuple(METHODS),
    scores=(
        Score("arrmse"),
        Score(
            "n_components",
            low=1,
            whole=True,
            choice=Grid(
                values=lambda parameters, method, _: parameters["methods"][method]["n_components"],
                natural={"low": 1},
                done="open: more components are a search of their own",
            ),
        ),
    ),
    settings=BENCHMARK.settings,
    n_splits=BENCHMARK.n_splits,
    parameters={**PARAMETERS, "splits": dict(BENCHMARK.parameters)},
    datasets=BENCHMARK.datasets,
    check=Check(settings=("andro", "edm")),
    facts=Facts(
        test_train_ratio=BENCHMARK.test_train_ratio,
        not_recorded="kernel and its width, ridge parameters",
    ),
)
