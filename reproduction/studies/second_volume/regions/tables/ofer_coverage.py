"""Not in the paper: how often prediction regions hold the output, and how large they are."""

import numpy as np

from reproduction.engine.declaration import Check, Experiment, Facts
from reproduction.engine.scores import Grid, Score
from reproduction.studies.second_volume.regions import rival_regions
from reproduction.studies.second_volume.regions.coverage import (
    METHODS,
    PARAMETERS,
    TABLES,
    evaluate,
    load_sets,
)

__all__ = ["EXPERIMENT"]

# Of the smallest sets, how many components leave each five outputs, and not more than there are
# different outputs; of the others all of the grid.
_MOST_COMPONENTS = {"andro": 39 / 5, "edm": 5}
_MOST_CLUSTERS = {"edm": 5}
_TRAINED = {"andro": 39, "edm": 123, "atp7d": 236, "sf1": 258, "oes97": 267, "atp1d": 269}


def _counts(name, most_of_set):
    """Numbers of components or clusters, by the set."""
    return lambda parameters, _, setting: [
        count for count in parameters[name] if count <= most_of_set.get(setting, np.inf)
    ]


def _neighbours(parameters, method, setting):
    """Without the counts that a smaller one, which is all neighbours, equals."""
    counts, n = parameters["n_neighbours"], _TRAINED.get(setting, parameters["most_train"])
    return [count for count, before in zip(counts, [0, *counts], strict=False) if before < n]


EXPERIMENT = Experiment(
    id="ofer-coverage",
    title="Prediction regions: coverage and size on seventeen sets",
    load=load_sets,
    evaluate=evaluate,
    methods=tuple(METHODS),
    scores=(
        Score("n_test", low=1, whole=True),
        Score("n_outputs", low=1, whole=True),
        *(Score(f"coverage {level}", high=1) for level in ("0.5", "0.8", "0.9", "0.95")),
        *(
            Score(f"log size {level}", low=-100, high=100)
            for level in ("0.5", "0.8", "0.9", "0.95")
        ),
        *(Score(f"slab {level}", high=1) for level in ("0.5", "0.9")),
        Score(
            "n_components",
            low=1,
            whole=True,
            choice=Grid(
                values=_counts("n_components", _MOST_COMPONENTS),
                natural={"low": 1},
                done="open: more components are a search of their own",
            ),
        ),
        Score(
            "n_neighbours",
            low=1,
            whole=True,
            choice=Grid(values=_neighbours, natural={"high": min(_TRAINED.values())}),
        ),
        Score(
            "n_clusters",
            low=1,
            whole=True,
            choice=Grid(values=_counts("n_clusters", _MOST_CLUSTERS), natural={"low": 1}),
        ),
    ),
    settings=(*TABLES, "digits", "usps", "poser", "traits", "volatility", "nci60"),
    n_splits=10,
    parameters=PARAMETERS | {"rivals": rival_regions.PARAMETERS},
    datasets=(
        *(f"mtr_{name}" for name in TABLES),
        *("usps", "poser", "first_impressions", "maec_volatility", "nci60"),
    ),
    check=Check(settings=("andro",)),
    facts=Facts(
        not_recorded="width, ridge parameters; of one Gaussian process an output its width "
        "and noise"
    ),
)
