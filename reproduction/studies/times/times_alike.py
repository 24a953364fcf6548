"""Times of the methods of Table 6 under one rule: each is given one ridge parameter."""

import warnings

from reproduction.methods.squared_error_ridge import squared_error_ridge
from reproduction.statistics.timing import shortest_time
from reproduction.studies.times.timed_models import MODELS, OnKernel
from reproduction.studies.times.times import take

__all__ = ["CENTRED", "PARAMETERS", "evaluate"]

PARAMETERS = {"ridge": 1.0}
CENTRED = "m-KRR centred"


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
