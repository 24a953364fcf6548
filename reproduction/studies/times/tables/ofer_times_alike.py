"""Times of the methods of Table 6 under one rule: each is given one ridge parameter."""

from reproduction.datasets.texts.maec_volatility import fetch_maec_volatility
from reproduction.engine.declaration import Check, Experiment
from reproduction.engine.scores import Score
from reproduction.studies.times.times_alike import CENTRED, PARAMETERS, evaluate

__all__ = ["EXPERIMENT"]

_AS_THERE = ("m-KRR", "m-RF", "IOKR-Gaussian", "IOKR-DTW", "IOKR-GAK", "OFER-GSSM as printed")
EXPERIMENT = Experiment(
    id="ofer-times-alike",
    title="Times on series from text, one ridge parameter each",
    load=fetch_maec_volatility,
    evaluate=evaluate,
    methods=(_AS_THERE[0], CENTRED, *_AS_THERE[1:]),
    scores=(Score("fit time", is_time=True), Score("predict time", is_time=True)),
    settings=("text",),
    n_splits=5,
    parameters=PARAMETERS,
    datasets=("maec_volatility",),
    check=Check(methods=("m-KRR", CENTRED, "OFER-GSSM as printed")),
)
