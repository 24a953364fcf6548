"""Table 4: error against training size and number of components (section 6.2)."""

from reproduction.engine.declaration import Check, Experiment, Facts
from reproduction.engine.scores import Score
from reproduction.studies.synthetic.d2 import METHODS, PARAMETERS, evaluate, load_d2

__all__ = ["EXPERIMENT"]

SETTINGS = ("12", "18", "30", "60", "120", "180", "300")
EXPERIMENT = Experiment(
    id="ofer-table-04",
    title="Table 4: error against training size on D2",
    load=load_d2,
    evaluate=evaluate,
    methods=tuple(METHODS),
    scores=(Score("rrmse"), Score("arrmse")),
    settings=SETTINGS,
    n_splits=10,
    parameters=PARAMETERS,
    check=Check(settings=("12",)),
    facts=Facts(
        test_train_ratio={setting: 300 / int(setting) for setting in SETTINGS},
        not_recorded="width, ridge parameters",
    ),
)
