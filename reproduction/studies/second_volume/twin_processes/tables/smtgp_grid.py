"""How fine the grid of alpha has to be (section 6 of Sharma-Mittal twin Gaussian processes)."""

from reproduction.engine.declaration import Check, Experiment, Facts, Tolerance
from reproduction.engine.scores import Grid, Score
from reproduction.studies.second_volume.twin_processes.alpha_grids import (
    PARAMETERS,
    evaluate,
    load_nothing,
)

__all__ = ["EXPERIMENT"]

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
