"""Errors over the number of samples, which are made block after block."""

import numpy as np

from reproduction.engine.declaration import Check, Experiment, Facts
from reproduction.engine.scores import Grid, Score
from reproduction.studies.second_volume.many_samples.errors import CENTRES, PARAMETERS, evaluate

__all__ = ["EXPERIMENT"]


def _alphas(parameters, method, setting):
    """Those of `evaluate`; of exact ridges they are in units of the kernel."""
    return np.logspace(-2, 4, 19) if method[0].isdigit() else []


EXPERIMENT = Experiment(
    id="ofer-scale",
    title="Errors over the number of samples",
    evaluate=evaluate,
    methods=("all samples as centres", *CENTRES, "gradient descent, linear"),
    scores=(Score("mse"), Score("alpha", choice=Grid(values=_alphas))),
    settings=("1000", "10000", "100000", "1000000"),
    n_splits=1,
    parameters=PARAMETERS,
    methods_of={
        "10000": (*CENTRES, "gradient descent, linear"),
        "100000": (*CENTRES, "gradient descent, linear"),
        "1000000": tuple(CENTRES),
    },
    check=Check(settings=("1000", "10000"), methods=tuple(CENTRES)[:2]),
    facts=Facts(not_recorded="ridge parameter of all samples as centres, in units of the kernel"),
)
