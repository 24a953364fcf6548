"""Fisher kernel learning on letters, with its objective and with the sum of logarithms."""

from reproduction.engine.declaration import Check, Experiment, Facts
from reproduction.papers.fkl import fisher_kernels
from reproduction.papers.fkl.fisher_kernels import CHARACTERS

__all__ = ["EXPERIMENT"]

_SIZE = "2"  # states; with more the search for logarithms takes hours

EXPERIMENT = Experiment(
    id="fkl-logarithms",
    title="Fisher kernel learning of letters, with its objective or a sum of logarithms",
    load=CHARACTERS.load,
    evaluate=fisher_kernels.evaluate,
    methods=("FKL as printed", "FKL as printed, logarithms"),
    settings=(_SIZE,),
    n_splits=CHARACTERS.n_splits,
    parameters=fisher_kernels.PARAMETERS,
    datasets=CHARACTERS.datasets,
    check=Check(load=CHARACTERS.check.load),
    tolerance=CHARACTERS.tolerance,
    facts=Facts(
        test_train_ratio={_SIZE: CHARACTERS.facts.test_train_ratio[_SIZE]},
        thinned={_SIZE: CHARACTERS.facts.thinned[_SIZE]},
    ),
)
