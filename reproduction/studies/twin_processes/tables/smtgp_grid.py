"""How fine the grid of alpha has to be (section 6 of Sharma-Mittal twin Gaussian processes)."""

from reproduction.engine.declaration import Check, Experiment, Facts, Tolerance
from reproduction.engine.scores import Grid, Score
from reproduction.studies.twin_processes.models import MODELS, quiet, search_twins
from reproduction.studies.twin_processes.models import PARAMETERS as OF_MODELS
from reproduction.studies.twin_processes.tasks import take_task

__all__ = ["EXPERIMENT", "evaluate"]

FINE = OF_MODELS["alphas as printed"]
PARAMETERS = {
    "kernels": OF_MODELS["twins"]["toys"],
    "alphas": {"steps of 0.05": FINE, "steps of 0.1": FINE[::2]},
}


def evaluate(data, method, setting, split):
    """Error of SMTGP as printed, with alpha chosen from one of two grids."""
    task, kernels = take_task(data, setting, split), PARAMETERS["kernels"]
    with quiet():
        _, first = search_twins(task, [0], kernels)
        kernels = {name: [first[name]] for name in kernels}
        _, chosen = search_twins(task, PARAMETERS["alphas"][method], kernels)
        model = MODELS["SMTGP"](task, **chosen).fit(task.X, task.Y)
    predicted = model.predict(task.X_test)
    return {**task.measure(predicted.reshape(len(task.X_test), -1)), "alpha": chosen["alpha"]}


def load_nothing():
    """Toys are drawn anew in each split."""
    return {}


EXPERIMENT = Experiment(
    id="smtgp-grid",
    title="Two grids of alpha",
    load=load_nothing,
    evaluate=evaluate,
    methods=tuple(PARAMETERS["alphas"]),
    scores=(
        Score("error"),
        Score(
            "alpha",
            choice=Grid(
                values=lambda parameters, method, _: parameters["alphas"][method],
                natural={"low": 0, "high": 1},
            ),
        ),
    ),
    settings=("toy 1", "toy 2"),
    n_splits=10,
    parameters=PARAMETERS,
    check=Check(settings=("toy 1",)),
    tolerance=Tolerance(rtol=1e-3),
    facts=Facts(not_recorded="widths and ridge parameter, which are those of Table 2"),
)
