"""Time of one evaluation of the costs of twin Gaussian processes, and of the divergence itself."""

import numpy as np
from sklearn.metrics.pairwise import rbf_kernel

from ofer.companions import QuadraticObjective, TwinGaussianProcess, sharma_mittal_divergence
from reproduction.statistics.timing import shortest_time

__all__ = ["FORMS", "PARAMETERS", "TWINS", "evaluate", "shortest", "time_of_cost"]

PARAMETERS = {"n_queries": 4, "n_calls": 20, "alpha": 0.3, "beta": 0.5, "ridge": 1e-2}
TWINS = {
    "KLTGP": {"alpha": 0},
    "SMTGP (16)": {
        "alpha": PARAMETERS["alpha"],
        "objective": QuadraticObjective(PARAMETERS["beta"]),
    },
    "SMTGP (11)": {"alpha": PARAMETERS["alpha"], "objective": "cubic"},
}
FORMS = {
    "D simplified": ("simplified", False),
    "D original": ("original", False),
    "D simplified, means": ("simplified", True),
    "D original, means": ("original", True),
}


def evaluate(data, method, setting, split):
    """Time of one evaluation with N training samples, or in N dimensions."""
    n = int(setting)
    rng = np.random.default_rng([n, split])
    X, Y = rng.normal(size=(2, n, 3))
    shape = {"alpha": PARAMETERS["alpha"], "beta": PARAMETERS["beta"]}
    if method in FORMS:
        form, different = FORMS[method]
        covariances = [rbf_kernel(Z) + PARAMETERS["ridge"] * np.eye(n) for Z in (X, Y)]
        means = np.zeros((2, n))
        if different:
            means = rng.normal(size=(2, n))
        p, q = zip(means, covariances, strict=True)
        return {"time": shortest(lambda: sharma_mittal_divergence(*p, *q, **shape, form=form))}
    return {"time": time_of_cost(TWINS[method], X, Y, rng)}


def time_of_cost(twin, X, Y, rng):
    """Time of the cost of one query, of a twin process with these parameters and samples."""
    ridges = dict.fromkeys(("ridge_x", "ridge_y"), PARAMETERS["ridge"])
    widths = {"bandwidth_x": 1.0, "bandwidth_y": 1.0}
    model = TwinGaussianProcess(**twin, **widths, **ridges).fit(X, Y)
    places = rng.normal(size=(2, PARAMETERS["n_queries"], 3))
    model.cost(*places)  # what is made once for all evaluations is made now
    return shortest(lambda: model.cost(*places)) / PARAMETERS["n_queries"]


def shortest(function):
    """The shortest time of all calls, slow ones too."""
    return min(shortest_time(function, n_calls=1)[1] for _ in range(PARAMETERS["n_calls"]))
