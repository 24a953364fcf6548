"""Times of the methods of Table 6 under one rule: each is given one ridge parameter."""

import warnings

from reproduction.datasets.texts.maec_volatility import fetch_maec_volatility
from reproduction.engine.declaration import Check, Experiment
from reproduction.engine.scores import Score
from reproduction.methods.squared_error_ridge import squared_error_ridge
from reproduction.statistics.timing import shortest_time
from reproduction.studies.times.tables.ofer_table_16 import take
from reproduction.studies.times.timed_models import MODELS, OnKernel

__all__ = ["EXPERIMENT", "evaluate"]

PARAMETERS = {"ridge": 1.0}
CENTRED = "m-KRR centred"
_AS_THERE = ("m-KRR", "m-RF", "IOKR-Gaussian", "IOKR-DTW", "IOKR-GAK", "OFER-GSSM as printed")


def evaluate(data, method, setting, split):
    """Times of one method on one fold of the calls, see `training_times.evaluate`."""
    problem = take(data, setting, split)
    if method == CENTRED:
        model = OnKernel(problem, squared_error_ridge([PARAMETERS["ridge"]], kernel="precomputed"))
    else:
        model = MODELS[method](problem)
    X, X_test = problem.inputs(method)
    with warnings.catch_warnings():
        # Time warping is no positive kernel.
        warnings.filterwarnings("ignore", "output_kernel is not positive semi-definite")
        _, fit_time = shortest_time(lambda: model.fit(X, problem.y))
        _, predict_time = shortest_time(lambda: model.predict(X_test))
    return {"fit time": fit_time, "predict time": predict_time}


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
