"""Table of the sketched IOKR papers: tags of bibliographic entries."""

from reproduction.engine.declaration import Check, Experiment, Facts
from reproduction.engine.scores import Score
from reproduction.studies.second_volume.bibtex.evaluation import (
    EXACT,
    METHODS,
    PARAMETERS,
    SKETCHED,
    evaluate,
    load_parts,
)

__all__ = ["EXPERIMENT"]

EXPERIMENT = Experiment(
    id="after-bibtex",
    title="Sketched IOKR: F1 by example on Bibtex",
    load=load_parts,
    evaluate=evaluate,
    methods=tuple(METHODS),
    scores=(
        Score("f1", high=100),
        Score("se", high=100),
        Score("fit_s", is_time=True),
        Score("predict_s", is_time=True),
    ),
    settings=("sketched", "exact"),
    n_splits=3,
    parameters=PARAMETERS,
    datasets=("bibtex",),
    methods_of={"exact": tuple(EXACT), "sketched": tuple(SKETCHED)},
    splits_of={"exact": 1},
    check=Check(settings=("sketched",), methods=("SISOKR", "SISOKR, one solve")),
    facts=Facts(not_recorded="ridge parameters"),
)
