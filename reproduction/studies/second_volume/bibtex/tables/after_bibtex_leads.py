"""Leads over IOKR on tags, entry by entry, with IOKR tuned as the ridge is, and seen sets alone."""

from reproduction.engine.declaration import Check, Experiment, Facts
from reproduction.engine.scores import Score
from reproduction.studies.second_volume.bibtex import evaluation
from reproduction.studies.second_volume.bibtex.evaluation import load_parts
from reproduction.studies.second_volume.bibtex.leads import COMPARED, PARAMETERS, evaluate

__all__ = ["EXPERIMENT"]

EXPERIMENT = Experiment(
    id="after-bibtex-leads",
    title="Sketched IOKR: leads on Bibtex, entry by entry",
    load=load_parts,
    evaluate=evaluate,
    methods=tuple(COMPARED),
    scores=(
        Score("f1", high=100),
        *(Score(name, low=-100, high=100) for name in ("lead", "behind")),
        *(Score(f"{name} se", high=100) for name in ("f1", "lead", "behind")),
    ),
    settings=("exact",),
    n_splits=1,
    parameters=evaluation.PARAMETERS | PARAMETERS,
    datasets=("bibtex",),
    check=Check(methods=("ridge, seen sets",)),
    facts=Facts(not_recorded="ridge parameters"),
)
