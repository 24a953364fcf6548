"""Times that the paper states without a number: IKLTGP, one point more, one validation set."""

import numpy as np
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import KFold

from ofer.companions import TwinGaussianProcess
from reproduction.datasets.generated.toy_curves import make_toy1
from reproduction.statistics.timing import shortest_time
from reproduction.studies.second_volume.twin_processes.evaluation_times import PARAMETERS as TIMED
from reproduction.studies.second_volume.twin_processes.evaluation_times import (
    shortest,
    time_of_cost,
)

__all__ = ["INVERSES", "PARAMETERS", "TOY", "TUNED", "TWINS", "evaluate"]

PARAMETERS = {name: TIMED[name] for name in ("n_queries", "n_calls", "ridge")}
PARAMETERS |= {"n_tuned": 250, "alphas": (0.1, 0.3, 0.5, 0.7, 0.9), "n_folds": 5}
TWINS = {"KLTGP": 0, "IKLTGP": 1}
INVERSES = ("inverse, appendix 1", "inverse from scratch")
TUNED = {"cross-validation": PARAMETERS["n_folds"], "one validation set": 1}
TOY = "toy 1"


def evaluate(data, method, setting, split):
    """Time of one evaluation, of one inverse with N training samples, or of choosing alpha."""
    if setting == TOY:
        return {"time": shortest_time(lambda: _tune(TUNED[method], split), n_calls=1)[1]}
    n = int(setting)
    rng = np.random.default_rng([n, split])
    X, Y = rng.normal(size=(2, n, 3))
    if method in INVERSES:
        kernel = rbf_kernel(np.vstack([X, Y[:1]])) + PARAMETERS["ridge"] * np.eye(n + 1)
        if method == "inverse from scratch":
            return {"time": shortest(lambda: np.linalg.inv(kernel))}
        known = np.linalg.inv(kernel[:n, :n])
        return {"time": shortest(lambda: _bordered(known, kernel[:n, n], kernel[n, n]))}
    return {"time": time_of_cost({"alpha": TWINS[method]}, X, Y, rng)}


def _tune(n_folds, split):
    """Choose alpha by so many of five folds."""
    toy = make_toy1(PARAMETERS["n_tuned"], random_state=split)
    folds = KFold(PARAMETERS["n_folds"], shuffle=True, random_state=split).split(toy.X)
    errors = dict.fromkeys(PARAMETERS["alphas"], 0.0)
    for train, test in [*folds][:n_folds]:
        for alpha in errors:
            twin = TwinGaussianProcess(alpha, ridge_x=1e-3, ridge_y=1e-3)
            predicted = twin.fit(toy.X[train], toy.Y[train]).predict(toy.X[test])
            errors[alpha] += np.abs(predicted - toy.Y[test]).mean()
    return min(errors, key=errors.get)


def _bordered(known, k, corner):
    """The inverse of one point more from that of the others, by appendix 1."""
    n = len(k)
    u = known @ k
    eta = corner - k @ u
    inverse = np.empty((n + 1, n + 1))
    np.multiply(u[:, None], u / eta, out=inverse[:n, :n])
    inverse[:n, :n] += known
    inverse[:n, n] = inverse[n, :n] = -u / eta
    inverse[n, n] = 1 / eta
    return inverse
