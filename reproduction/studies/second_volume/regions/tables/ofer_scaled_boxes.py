"""Not in the paper: boxes in units of the calibration samples and the query, beside our box."""

from reproduction.engine.declaration import Check, Experiment, Facts
from reproduction.studies.second_volume.regions import coverage
from reproduction.studies.second_volume.regions.coverage import load_sets
from reproduction.studies.second_volume.regions.scaled_boxes import METHODS, evaluate
from reproduction.studies.second_volume.regions.tables import ofer_coverage

__all__ = ["EXPERIMENT"]

EXPERIMENT = Experiment(
    id="ofer-scaled-boxes",
    title="Prediction regions: boxes in units of the calibration samples and the query",
    load=load_sets,
    evaluate=evaluate,
    methods=tuple(METHODS),
    scores=tuple(score for score in ofer_coverage.EXPERIMENT.scores if score.choice is None),
    settings=ofer_coverage.EXPERIMENT.settings,
    n_splits=10,
    parameters=coverage.PARAMETERS,
    datasets=ofer_coverage.EXPERIMENT.datasets,
    check=Check(settings=("andro",)),
    facts=Facts(not_recorded="width, ridge parameters"),
)
