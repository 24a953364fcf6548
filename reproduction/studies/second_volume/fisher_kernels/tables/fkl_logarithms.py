"""Fisher kernel learning on letters, with its objective and with the sum of logarithms."""

from reproduction.engine.declaration import Check, Experiment, Facts
from reproduction.studies.second_volume.fisher_kernels import classification
from reproduction.studies.second_volume.fisher_kernels.tables.fkl_table_01 import (
    EXPERIMENT as TABLE_1,
)

__all__ = ["EXPERIMENT"]

_SIZE = "2"  # states; with more the search for logarithms takes hours

EXPERIMENT = Experiment(
    id="fkl-logarithms",
    title="Fisher kernel learning of letters, with its objective or a sum of logarithms",
    load=TABLE_1.load,
    evaluate=classification.evaluate,
    methods=("FKL as printed", "FKL as printed, logarithms"),
    scores=(*classification.ERRORS, *classification.LEARNED, *classification.SEARCHED),
    settings=(_SIZE,),
    n_splits=TABLE_1.n_splits,
    parameters=classification.PARAMETERS,
    datasets=TABLE_1.datasets,
    check=Check(load=TABLE_1.check.load),
    tolerance=TABLE_1.tolerance,
    facts=Facts(
        test_train_ratio={_SIZE: TABLE_1.facts.test_train_ratio[_SIZE]},
        thinned={_SIZE: TABLE_1.facts.thinned[_SIZE]},
        not_recorded=classification.NOT_RECORDED,
    ),
)
