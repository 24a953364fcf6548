"""Time of one evaluation of the costs of twin Gaussian processes, and of the divergence itself."""

import numpy as np
from sklearn.metrics.pairwise import rbf_kernel

from ofer.companions import QuadraticObjective, TwinGaussianProcess, sharma_mittal_divergence
from reproduction.engine.declaration import Check, Experiment, Facts
from reproduction.engine.scores import Score
from reproduction.statistics.timing import shortest_time

__all__ = ["EXPERIMENT", "evaluate"]

PARAMETERS = {"n_queries": 4, "n_calls": 20, "alpha": 0.3, "beta": 0.5, "ridge": 1e-2}
_TWINS = {
    "KLTGP": {"alpha": 0},
    "SMTGP (16)": {
        "alpha": PARAMETERS["alpha"],
        "objective": QuadraticObjective(PARAMETERS["beta"]),
    },
    "SMTGP (11)": {"alpha": PARAMETERS["alpha"], "objective": "cubic"},
}
_FORMS = {
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
    if method in _FORMS:
        form, different = _FORMS[method]
        covariances = [rbf_kernel(Z) + PARAMETERS["ridge"] * np.eye(n) for Z in (X, Y)]
        means = np.zeros((2, n))
        if different:
            means = rng.normal(size=(2, n))
        p, q = zip(means, covariances, strict=True)
        return {"time": _shortest(lambda: sharma_mittal_divergence(*p, *q, **shape, form=form))}
    ridges = dict.fromkeys(("ridge_x", "ridge_y"), PARAMETERS["ridge"])
    widths = {"bandwidth_x": 1.0, "bandwidth_y": 1.0}
    model = TwinGaussianProcess(**_TWINS[method], **widths, **ridges).fit(X, Y)
    places = rng.normal(size=(2, PARAMETERS["n_queries"], 3))
    model.cost(*places)  # what is made once for all evaluations is made now
    return {"time": _shortest(lambda: model.cost(*places)) / PARAMETERS["n_queries"]}


def _shortest(function):
    """The shortest time of all calls, slow ones too."""
    return min(shortest_time(function, n_calls=1)[1] for _ in range(PARAMETERS["n_calls"]))


SIZES = ("200", "400", "800", "1600")
EXPERIMENT = Experiment(
    id="smtgp-costs",
    title="Time of an evaluation over the number of training samples",
    evaluate=evaluate,
    methods=(*_TWINS, *_FORMS),
    scores=(Score("time", is_time=True),),
    settings=SIZES,
    n_splits=5,
    parameters=PARAMETERS,
    check=Check(settings=("200",)),
    facts=Facts(
        origin=dict.fromkeys(SIZES, "substitute"),  # the paper times no evaluation
        thinned=dict.fromkeys(SIZES, "normal inputs in three dimensions, of our own"),
    ),
)
