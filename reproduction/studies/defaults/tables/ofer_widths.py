"""Not in the paper: rules for the width of a Gaussian kernel, on sets raw and standardised."""

from functools import partial

import numpy as np

from reproduction.engine.declaration import Check, Experiment, Facts
from reproduction.engine.scores import Score
from reproduction.studies.defaults.real_sets import (
    FORMS,
    load_real_sets,
)
from reproduction.studies.defaults.widths import PARAMETERS, SETS, evaluate, width_rules
from reproduction.studies.multi_target.tables.ofer_mtr import EXPERIMENT as BENCHMARK

__all__ = ["EXPERIMENT"]

EXPERIMENT = Experiment(
    id="ofer-widths",
    title="Rules for the width of a Gaussian kernel",
    load=partial(load_real_sets, SETS),
    evaluate=evaluate,
    methods=tuple(width_rules(np.eye(2))),
    scores=(
        Score("error"),
        Score(
            "gamma", choice="one of three multiples of a width that differs from sample to sample"
        ),
    ),
    settings=tuple(f"{name}, {form}" for name in SETS for form in FORMS),
    n_splits=5,
    parameters=PARAMETERS,
    datasets=(*BENCHMARK.datasets, "poser", "usps"),
    check=Check(settings=("andro, raw", "wine, raw", "wine, standardised")),
    facts=Facts(not_recorded="ridge parameters"),
)
